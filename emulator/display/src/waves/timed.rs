//! Recording the timed engine: every change of every net, in picoseconds.
//!
//! ```text
//!   OSC     ______/‾‾‾‾‾‾‾‾‾‾‾\___________/‾‾‾‾‾‾‾‾‾‾‾\___________/
//!   phase     0         1           2           3           0
//!             │   ▲                                         │   ▲
//!             │   the engine's cycle begins here ...        │   ... and ends here
//!             └── a cycle begins here in the file ──────────┘
//! ```
//!
//! The engine stops at the end of phase 0, so it is watched from one cycle before the window on.

use crate::waves::recorder::{RecordError, Recorder, Window};
use gray1_machine::board::Board;
use gray1_machine::netlist::NetId;
use gray1_machine::{Engine, OutputSink, PHASES};
use gray1_timed::TimedEngine;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Records a run of the timed engine.
pub struct TimedRecorder<W> {
    recorder: Recorder<W>,
    window: Window,
    /// The net whose changes begin phases.
    oscillator: NetId,
    changes: Changes,
    progress: Progress,
    cycle: u64,
    phase: usize,
    /// The time of the latest change.
    time: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum Progress {
    /// The run is more than a cycle before the window.
    Before,
    /// The engine is watched, since the window comes next.
    Watched,
    Recording,
    Over,
}

/// The changes that the engine has reported and that are not recorded yet: time, net, level.
type Changes = Rc<RefCell<Vec<(u64, NetId, bool)>>>;

impl<W: Write> TimedRecorder<W> {
    /// Begins a file, for an engine that was built from this board.
    pub fn begin(board: &Board, window: Window, out: W) -> io::Result<TimedRecorder<W>> {
        Ok(TimedRecorder {
            recorder: Recorder::begin(board, "1 ps", out)?,
            window,
            oscillator: board.netlist().panel.oscillator[0],
            changes: Changes::default(),
            progress: Progress::Before,
            cycle: 0,
            phase: 0,
            time: 0,
        })
    }

    /// Runs as [`Engine::run`] does, and records the cycles that are in the window.
    pub fn run(
        &mut self,
        engine: &mut TimedEngine,
        cycles: u64,
        outside: &mut dyn OutputSink,
    ) -> Result<u64, RecordError> {
        let start = engine.cycle();
        while engine.cycle() - start < cycles && !engine.halted() {
            let (cycle, left) = (engine.cycle(), cycles - (engine.cycle() - start));
            let is_watched = matches!(self.progress, Progress::Watched | Progress::Recording);
            if is_watched && engine.now() < self.time {
                self.leave(engine); // the machine has gone back in time, so the recorded run is over
            } else if is_watched {
                let result = engine.run(1, outside);
                self.record_changes(engine)?;
                result?;
            } else if self.progress == Progress::Over || cycle > *self.window.end() {
                engine.run(left, outside)?;
            } else if cycle.saturating_add(1) < *self.window.start() {
                engine.run(left.min(self.window.start() - 1 - cycle), outside)?;
            } else {
                self.enter(engine)?;
            }
        }
        Ok(engine.cycle() - start)
    }

    /// Whether nothing has been recorded.
    pub fn is_empty(&self) -> bool {
        self.recorder.end.is_none()
    }

    /// Completes the file, and returns the writer.
    pub fn finish(self) -> io::Result<W> {
        self.recorder.finish()
    }

    /// Begins to watch. If the run begins in the window, the board is at rest, and has been since the phase began.
    fn enter(&mut self, engine: &mut TimedEngine) -> io::Result<()> {
        let changes = Rc::clone(&self.changes);
        engine.watch(move |time, net, level| changes.borrow_mut().push((time, net, level)));
        for (_, net, level) in self.changes.take() {
            self.recorder.set(net, level);
        }
        (self.progress, self.cycle, self.phase) = (Progress::Watched, engine.cycle(), 0);
        self.time = engine.now().saturating_sub(engine.half_period());
        if self.window.contains(&self.cycle) {
            self.begin_cycle(engine);
            self.recorder.write(self.time)?;
            self.recorder.end = Some(engine.now());
        }
        Ok(())
    }

    fn leave(&mut self, engine: &mut TimedEngine) {
        engine.unwatch();
        self.progress = Progress::Over;
    }

    /// Records what the engine has reported about a cycle.
    fn record_changes(&mut self, engine: &mut TimedEngine) -> io::Result<()> {
        for (time, net, level) in self.changes.take() {
            if time != self.time {
                self.write()?;
                self.time = time;
            }
            if net == self.oscillator {
                self.begin_phase(engine);
            }
            if self.progress == Progress::Over {
                self.recorder.end = Some(time);
                return Ok(());
            }
            self.recorder.set(net, level);
        }
        self.write()?;
        if self.progress == Progress::Recording {
            self.recorder.end = Some(engine.now());
        }
        Ok(())
    }

    fn begin_phase(&mut self, engine: &mut TimedEngine) {
        self.phase = (self.phase + 1) % PHASES;
        if self.phase > 0 {
            self.recorder.set_position(self.cycle, self.phase);
            return;
        }
        self.cycle += 1;
        if self.cycle > *self.window.end() {
            self.leave(engine);
        } else {
            self.begin_cycle(engine);
        }
    }

    /// The engine is at the end of the first phase of a cycle, and knows the instruction that it runs.
    fn begin_cycle(&mut self, engine: &TimedEngine) {
        self.recorder.set_position(self.cycle, 0);
        self.recorder.set_instruction(engine.registers().pc, engine.word());
        if self.window.contains(&self.cycle) {
            self.progress = Progress::Recording;
        }
    }

    fn write(&mut self) -> io::Result<()> {
        match self.progress {
            Progress::Recording => self.recorder.write(self.time),
            _ => Ok(()),
        }
    }
}
