//! The timed engine: the edges of its oscillator come at fixed times, whether the board has settled or not.
//!
//! The chips engine, which has no delays and so no timing errors, runs alongside. In each cycle, at the end of the gap
//! (phase 2), when the board has to be at rest, every net of every storage loop and the cells of RAM that were written
//! are compared with it; at the end of the cycle, the registers are compared. The first difference is a failure, and
//! the machine stops there.
//!
//! A machine that meets its deadlines is, at the end of each gap, what the chips engine is, to the last net, until there
//! is a transient. Where transients can occur is known in advance. So between them the engine **sleeps**: only the
//! chips engine runs. It wakes at the beginning of a cycle, with the board at rest, before the gap that precedes the
//! transient, and sleeps again after the first gap in which nothing is left of it.
//!
//! ```text
//!   edge          │     1     │     2     │     3     │     0     │
//!   OSC     ______/‾‾‾‾‾‾‾‾‾‾‾\___________/‾‾‾‾‾‾‾‾‾‾‾\___________/
//!   S         00        01          11          10          00
//!                 ▲                       ▲                       ▲
//!                 a cycle begins          loops compared          it ends: registers compared
//! ```

mod button;
mod sleep;
#[cfg(test)]
mod tests;

use crate::board::{RamBits, TimedBoard};
use crate::conditions::{Conditions, ConditionsError};
use crate::failure::{Difference, Moment, TimedFailure};
use crate::flow::Flow;
use crate::log::Cause;
use gray1_isa::memory_map::RAM_BYTES;
use gray1_isa::{Image, Word, from_gray};
use gray1_machine::board::Board;
use gray1_machine::netlist::{NetId, Netlist};
use gray1_machine::{
    ChipsEngine, Engine, Failure, Inputs, Noise, OutputSink, PHASES, Registers, State, Unsettled,
};
use std::sync::Arc;

/// The time at the beginning of a run is less than this, whatever the cycle in a state file, so that no run overflows
/// it.
const LATEST: u64 = 1 << 62;

/// The machine, event by event.
pub struct TimedEngine {
    board: Arc<TimedBoard>,
    flow: Flow,
    half_period: u64,
    /// The time of the next edge of the oscillator, in picoseconds.
    edge_at: u64,
    /// The machine without delays.
    reference: ChipsEngine,
    cycle: u64,
    halted: bool,
    failure: Option<Box<TimedFailure>>,
    /// Whether only the reference has to run while there is no transient.
    can_sleep: bool,
    /// Whether only the reference is running. It is then between two cycles, and the levels of `flow` mean nothing.
    sleeps: bool,
}

impl TimedEngine {
    /// Builds the board and powers it up. It starts at rest, in the state of the chips engine after reset.
    pub fn power_up(
        board: &Board,
        image: &Image,
        noise: Noise,
        conditions: &Conditions,
    ) -> Result<TimedEngine, ConditionsError> {
        Ok(TimedEngine::on(&Arc::new(TimedBoard::new(board, image, noise)?), conditions))
    }

    /// A board powered up under these conditions.
    pub fn on(board: &Arc<TimedBoard>, conditions: &Conditions) -> TimedEngine {
        let timings = board.line_timings(conditions);
        let mut engine = TimedEngine {
            can_sleep: board.meets_deadlines(conditions, &timings),
            sleeps: false,
            flow: Flow::new(&board.circuit, timings, board.views(conditions), conditions.transients),
            half_period: conditions.half_period,
            edge_at: 0,
            reference: board.reference.clone(),
            board: Arc::clone(board),
            cycle: 0,
            halted: false,
            failure: None,
        };
        engine.begin();
        engine
    }

    /// The nets and chips of the board.
    pub fn netlist(&self) -> &Netlist {
        self.board.netlist()
    }

    /// Reports every change of every net from now on, beginning with the current levels: the time in picoseconds, the
    /// net, and its level.
    pub fn watch(&mut self, watcher: impl FnMut(u64, NetId, bool) + 'static) {
        self.wake();
        self.flow.watch(&self.board.circuit, self.now(), Box::new(watcher));
    }

    /// Stops reporting changes.
    pub fn unwatch(&mut self) {
        self.flow.unwatch();
    }

    /// The time at which the next edge of the oscillator comes, in picoseconds.
    pub fn now(&self) -> u64 {
        self.edge_at
    }

    /// The time between two edges of the oscillator, in picoseconds.
    pub fn half_period(&self) -> u64 {
        self.half_period
    }

    /// The failure of the machine, if it has failed.
    pub fn failure(&self) -> Option<&TimedFailure> {
        self.failure.as_deref()
    }

    /// Sets whether only the chips engine runs where the result is certain to be the same (the default). If not, every
    /// change of every net is followed.
    pub fn set_sleep(&mut self, can_sleep: bool) {
        self.can_sleep &= can_sleep;
        if !self.can_sleep {
            self.wake();
        }
    }

    fn show(&mut self, outside: &mut dyn OutputSink) {
        for (outlet, byte) in self.flow.outlets.shown.drain(..) {
            match outlet.checked_sub(1) {
                None => outside.output(self.cycle, byte),
                Some(row) => outside.display(self.cycle, row, byte),
            }
        }
    }

    /// Follows a cycle, change by change, unless the rest of it can be slept through.
    fn run_cycle(&mut self, outside: &mut dyn OutputSink) -> Result<(), Unsettled> {
        self.wake();
        for edge in 1..=PHASES {
            if self.sleeps {
                self.edge_at += self.half_period;
                self.reference.planned_phase(&mut ())?;
                continue;
            }
            self.edge(edge)?;
            self.show(outside);
            match edge {
                2 => self.compare(edge),
                PHASES => self.compare(0),
                _ => {}
            }
            if self.failure.is_some() {
                return Ok(());
            }
            self.sleeps = edge == 2 && self.may_sleep();
        }
        self.follow_cycle();
        Ok(())
    }

    /// A cycle has ended as in the reference.
    fn follow_cycle(&mut self) {
        (self.cycle, self.halted) = (self.reference.cycle(), self.reference.halted());
    }

    /// One edge of the oscillator, and all that happens before the next.
    fn edge(&mut self, edge: usize) -> Result<(), Unsettled> {
        self.flip_oscillator(edge);
        self.flow.run_until(&self.board.circuit, self.edge_at);
        self.reference.planned_phase(&mut ())
    }

    fn flip_oscillator(&mut self, edge: usize) {
        let circuit = &self.board.circuit;
        let oscillator = self.board.netlist().panel.oscillator[0];
        let level = !self.flow.level(circuit, oscillator);
        self.flow.begin_phase((self.cycle, edge as u32 - 1));
        self.flow.force(circuit, self.edge_at, oscillator, level);
        self.edge_at += self.half_period;
    }

    /// Compares the nets that matter at the end of this phase, and the cells that were written, with the machine
    /// without delays.
    fn compare(&mut self, phase: usize) {
        let board = &*self.board;
        let lines = if phase == 0 { &board.registers } else { &board.loops };
        let differs = |chip: usize| self.flow.gives[chip] ^ self.reference.gives(chip) as u8;
        if lines.iter().any(|&(chip, lines)| differs(chip) & lines != 0) {
            let nets = board.netlist().nets.iter().enumerate();
            let wrong =
                nets.filter(|(_, net)| net.driver.is_some_and(|pin| differs(pin.chip) >> pin.line & 1 == 1));
            let wrong = Difference::Nets(wrong.map(|(net, _)| net).collect());
            self.fail(phase, &wrong);
            return;
        }
        // The cell that should have been written, and the cells that were written.
        let expected = (usize::from(self.reference.word().x()), Cause::OUTSIDE);
        let written = std::mem::take(&mut self.flow.rams.written);
        for (address, cause) in std::iter::once(expected).chain(written) {
            let (has, should) = (self.byte(address), self.reference.ram(address as u16));
            if has != should {
                self.fail(phase, &Difference::Cell { address: address as u16, has, should, cause });
                return;
            }
        }
    }

    #[cold]
    fn fail(&mut self, phase: usize, difference: &Difference) {
        let moment = Moment {
            time: self.edge_at,
            cycle: self.cycle,
            phase,
            pc: self.reference.running(),
            word: self.reference.word(),
            cycle_time: PHASES as u64 * self.half_period,
        };
        let failure = TimedFailure::find(&self.board, &self.flow, &moment, difference);
        self.failure = Some(Box::new(failure));
    }

    /// The number on these nets, lowest first.
    fn read(&self, nets: &[NetId]) -> u32 {
        self.flow.read(&self.board.circuit, nets)
    }

    fn byte(&self, address: usize) -> u8 {
        let bits = |ram: &RamBits| self.flow.rams.cells[ram.chip][address] << ram.shift;
        self.board.memory.iter().fold(0, |byte, ram| byte | bits(ram))
    }

    /// Begins a run in the state of the reference, at rest at the beginning of a cycle.
    fn begin(&mut self) {
        self.follow_cycle();
        let edges = self.cycle.wrapping_mul(PHASES as u64).wrapping_add(1);
        self.edge_at = edges.wrapping_mul(self.half_period) % LATEST;
        self.failure = None;
        if let Some(noise) = &mut self.flow.noise {
            noise.rest();
        }
        self.sleeps = true;
        if !self.can_sleep {
            self.wake();
        }
    }

    /// Continues in the state of the reference, at rest at the beginning of a cycle, if only that has run.
    fn wake(&mut self) {
        if !std::mem::take(&mut self.sleeps) {
            return;
        }
        let (board, reference) = (&*self.board, &self.reference);
        self.flow.settle_at(&board.circuit, board.netlist(), self.edge_at, |net| reference.level(net));
        let bytes = reference.state().ram;
        for ram in &board.memory {
            for (cell, byte) in self.flow.rams.cells[ram.chip].iter_mut().zip(bytes.iter()) {
                *cell = byte >> ram.shift & ram.mask;
            }
        }
    }
}

impl Engine for TimedEngine {
    fn run(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        let start = self.cycle;
        while self.cycle - start < cycles && !self.halted && self.failure.is_none() {
            match self.calm(cycles - (self.cycle - start)) {
                0 => self.run_cycle(outside)?,
                calm => self.sleep(calm, outside)?,
            }
        }
        if let Some(failure) = &self.failure {
            return Err(Failure::Other(failure.clone()));
        }
        if self.halted && self.cycle > start {
            self.reference.check_halt()?;
        }
        Ok(self.cycle - start)
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn halted(&self) -> bool {
        self.halted
    }

    fn registers(&self) -> Registers {
        if self.sleeps {
            return self.reference.registers();
        }
        let panel = &self.board.netlist().panel;
        Registers {
            pc: from_gray(self.read(&panel.counter) as u16),
            a: self.read(&panel.accumulator) as u8,
            c: self.read(&panel.carry) != 0,
        }
    }

    /// At the beginning of a cycle the program word may not have arrived yet, so this is the word at the program
    /// counter.
    fn word(&self) -> Word {
        self.reference.word()
    }

    fn executed(&self) -> [u64; 8] {
        self.reference.executed()
    }

    /// A real key press takes much longer than a cycle, so it is not part of the timing: the oscillator waits for the
    /// time of a machine cycle, until the change has arrived everywhere.
    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled> {
        let circuit = &self.board.circuit;
        let panel = &self.board.netlist().panel;
        let mut is_new = false;
        for (nets, value) in panel.pressed(inputs) {
            for (bit, &net) in nets.iter().enumerate() {
                let level = value >> bit & 1 == 1;
                is_new |= self.reference.level(net) != level;
                if !self.sleeps {
                    self.flow.force(circuit, self.edge_at, net, level);
                }
            }
        }
        if is_new {
            self.edge_at += PHASES as u64 * self.half_period;
            if !self.sleeps {
                self.flow.run_until(circuit, self.edge_at);
            }
        }
        self.reference.press(inputs)
    }

    fn state(&self) -> State {
        if self.sleeps {
            return self.reference.state();
        }
        let Registers { pc, a, c } = self.registers();
        let mut ram = Box::new([0; RAM_BYTES]);
        for (address, byte) in ram.iter_mut().enumerate() {
            *byte = self.byte(address);
        }
        let panel = &self.board.netlist().panel;
        State {
            cycle: self.cycle,
            pc,
            a,
            c,
            halted: self.halted,
            target: self.read(&panel.target) as u16,
            jumped: self.read(&panel.jump_master) != 0,
            ram,
        }
    }

    fn set_state(&mut self, state: &State) -> Result<(), Unsettled> {
        self.reference.set_state(state)?;
        self.begin();
        Ok(())
    }
}
