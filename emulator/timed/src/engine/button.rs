//! The button of the timed engine, pressed and let go at any moment.

use super::TimedEngine;
use gray1_machine::{Engine, OutputSink, PHASES, Unsettled};

impl TimedEngine {
    /// Runs this many cycles, while the line of the reset button flips at these times, in picoseconds from the next edge
    /// of the oscillator on, in their order. The machine without delays knows no such moments, so nothing is compared
    /// until the end; from then on it is in the state in which this machine is.
    pub fn run_with_button(
        &mut self,
        flips: &[u64],
        cycles: u64,
        outside: &mut dyn OutputSink,
    ) -> Result<(), Unsettled> {
        self.wake();
        let start = self.edge_at;
        let mut flips = flips.iter().map(|after| start + after).peekable();
        let button = self.board.netlist().panel.reset[0];
        for _ in 0..cycles {
            for edge in 1..=PHASES {
                self.flip_oscillator(edge);
                while let Some(at) = flips.next_if(|at| *at < self.edge_at) {
                    let circuit = &self.board.circuit;
                    self.flow.run_until(circuit, at);
                    let level = !self.flow.level(circuit, button);
                    self.flow.force(circuit, at, button, level);
                }
                self.flow.run_until(&self.board.circuit, self.edge_at);
                self.show(outside);
            }
            self.cycle += 1;
        }
        self.flow.rams.written.clear();
        self.halted = false;
        self.reference.set_state(&self.state())
    }
}
