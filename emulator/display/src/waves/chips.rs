//! Recording the chips engine: its only measure of time is the phase, so each phase is one step.

use crate::waves::recorder::{RecordError, Recorder, Window};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Failure, Netlist, OutputSink, PHASES};
use std::io::{self, Write};
use std::sync::Arc;

/// The length of a phase on the time axis: cycle 123 begins at 123 µs, so the axis counts cycles.
pub const NANOSECONDS_A_PHASE: u64 = 250;
/// The last cycle that can be drawn: viewers keep times as signed numbers.
const LAST_CYCLE: u64 = i64::MAX as u64 / (NANOSECONDS_A_PHASE * PHASES as u64) - 1;

/// Records a run of the chips engine.
pub struct ChipsRecorder<W> {
    recorder: Recorder<W>,
    netlist: Arc<Netlist>,
    /// The output of each chip in the last recorded phase.
    gave: Vec<u16>,
    window: Window,
    /// Whether the machine has gone back in time, so that the recorded run is over.
    is_over: bool,
}

impl<W: Write> ChipsRecorder<W> {
    /// Begins a file, for an engine that was built from this board.
    pub fn begin(board: &Board, window: Window, out: W) -> io::Result<ChipsRecorder<W>> {
        let netlist = Arc::clone(board.netlist());
        Ok(ChipsRecorder {
            recorder: Recorder::begin(board, "1 ns", out)?,
            gave: vec![0; netlist.chips.len()],
            netlist,
            window: *window.start()..=LAST_CYCLE.min(*window.end()),
            is_over: false,
        })
    }

    /// Runs as [`Engine::run`] does, and records the cycles that are in the window.
    pub fn run(
        &mut self,
        engine: &mut ChipsEngine,
        cycles: u64,
        outside: &mut dyn OutputSink,
    ) -> Result<u64, RecordError> {
        let start = engine.cycle();
        self.is_over |= self.recorder.end.is_some_and(|end| time(start, 0) < end);
        while engine.cycle() - start < cycles && !engine.halted() {
            let cycle = engine.cycle();
            if self.window.contains(&cycle) && !self.is_over {
                self.record(engine)?;
                engine.phase(outside).map_err(Failure::from)?;
            } else {
                let before = self.window.start().checked_sub(cycle).filter(|before| *before > 0);
                let stretch = before.unwrap_or(u64::MAX).min(cycles - (cycle - start));
                engine.run(stretch, outside)?;
            }
        }
        let ran = engine.cycle() - start;
        if engine.halted() && ran > 0 {
            engine.check_halt()?;
        }
        Ok(ran)
    }

    /// Whether nothing has been recorded.
    pub fn is_empty(&self) -> bool {
        self.recorder.end.is_none()
    }

    /// Completes the file, and returns the writer.
    pub fn finish(self) -> io::Result<W> {
        self.recorder.finish()
    }

    /// Records the current phase of the machine. Phases must be recorded in order.
    pub fn record(&mut self, engine: &ChipsEngine) -> io::Result<()> {
        for net in self.netlist.inputs.iter().cloned().flatten() {
            self.recorder.set(net, engine.level(net));
        }
        for (id, (chip, gave)) in self.netlist.chips.iter().zip(&mut self.gave).enumerate() {
            let gives = engine.gives(id);
            let mut changed = gives ^ *gave;
            while changed != 0 {
                let line = changed.trailing_zeros() as usize;
                self.recorder.set(chip.data[line], gives >> line & 1 == 1);
                changed &= changed - 1;
            }
            *gave = gives;
        }
        let (cycle, phase) = (engine.cycle(), usize::from(engine.phase_number()));
        self.recorder.set_position(cycle, phase);
        if phase == 0 {
            self.recorder.set_instruction(engine.running(), engine.word());
        }
        let begin = time(cycle, phase);
        self.recorder.end = Some(begin + NANOSECONDS_A_PHASE);
        self.recorder.write(begin)
    }
}

/// The time at which a phase begins.
fn time(cycle: u64, phase: usize) -> u64 {
    (cycle * PHASES as u64 + phase as u64) * NANOSECONDS_A_PHASE
}
