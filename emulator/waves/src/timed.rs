//! The timed engine recorded: every change of every net, in picoseconds.
//!
//! ```text
//!   OSC     ______/‾‾‾‾‾‾‾‾‾‾‾\___________/‾‾‾‾‾‾‾‾‾‾‾\___________/
//!   phase     0         1           2           3           0
//!             │   ▲                                         │   ▲
//!             │   the engine's cycle begins here ...        │   ... and ends here
//!             └── a cycle begins here in the file ──────────┘
//! ```
//!
//! The engine stands still at the end of phase 0, so it is watched from a cycle before the window on. It numbers nets
//! as the recorder does.

use crate::recorder::{Failure, Format, PHASES, Recorder, Step, Window};
use gray1_machine::board::Board;
use gray1_machine::{Engine, Outside};
use gray1_timed::{TimedEngine, Watcher};
use std::cell::RefCell;
use std::io::{self, Seek, Write};
use std::rc::Rc;

/// Records a machine that knows time while it runs.
pub struct TimedRecorder<W: Write + Seek> {
    recorder: Recorder<W>,
    window: Window,
    /// The net whose changes begin phases.
    oscillator: usize,
    changes: Changes,
    progress: Progress,
    cycle: u64,
    phase: u8,
    /// The time of the changes that were told last.
    time: u64,
    /// The time up to which something has been recorded.
    end: Option<u64>,
}

#[derive(Clone, Copy, PartialEq)]
enum Progress {
    /// The window is far off.
    Before,
    /// The engine is watched, for the window comes next.
    Watched,
    Recording,
    Over,
}

/// What the engine has told and nobody has looked at: time, net, level.
type Changes = Rc<RefCell<Vec<(u64, usize, bool)>>>;

struct Listener(Changes);

/// Somebody who does not look any more.
struct Nobody;

impl<W: Write + Seek> TimedRecorder<W> {
    /// Begins a file, for an engine that was built from this board.
    pub fn begin(board: &Board, window: Window, format: Format, out: W) -> io::Result<TimedRecorder<W>> {
        let inputs = || board.inputs.iter().flat_map(|group| group.nets.names());
        let oscillator = board.panel.oscillator.names().first();
        Ok(TimedRecorder {
            recorder: Recorder::begin(board, format, Step::Picosecond, out)?,
            window,
            oscillator: inputs().position(|net| Some(net) == oscillator).unwrap_or_default(),
            changes: Changes::default(),
            progress: Progress::Before,
            cycle: 0,
            phase: 0,
            time: 0,
            end: None,
        })
    }

    /// Runs as [`Engine::run`] does, and records the cycles that are in the window.
    pub fn run(
        &mut self,
        engine: &mut TimedEngine,
        cycles: u64,
        outside: &mut dyn Outside,
    ) -> Result<u64, Failure> {
        let start = engine.cycle();
        while engine.cycle() - start < cycles && !engine.halted() {
            let (cycle, left) = (engine.cycle(), cycles - (engine.cycle() - start));
            let is_watched = matches!(self.progress, Progress::Watched | Progress::Recording);
            if is_watched && engine.now() < self.time {
                self.leave(engine); // the machine went back in time: what comes now is another run
            } else if is_watched {
                let result = engine.run(1, outside);
                self.take(engine)?;
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

    /// Whether anything has been recorded.
    pub fn is_empty(&self) -> bool {
        self.end.is_none()
    }

    /// Completes the file and gives back where it was written.
    pub fn finish(self) -> io::Result<W> {
        self.recorder.finish(self.end)
    }

    /// Begins to watch. If the run begins in the window, the board is at rest, and was so since the phase began.
    fn enter(&mut self, engine: &mut TimedEngine) -> io::Result<()> {
        engine.watch(Box::new(Listener(Rc::clone(&self.changes))));
        for (_, net, level) in self.changes.take() {
            self.recorder.set(net, level);
        }
        (self.progress, self.cycle, self.phase) = (Progress::Watched, engine.cycle(), 0);
        self.time = engine.now().saturating_sub(engine.half_period());
        if self.window.contains(&self.cycle) {
            self.cycle_begins(engine);
            self.recorder.write(self.time)?;
            self.end = Some(engine.now());
        }
        Ok(())
    }

    fn leave(&mut self, engine: &mut TimedEngine) {
        engine.watch(Box::new(Nobody));
        self.progress = Progress::Over;
    }

    /// Records what the engine has told of a cycle.
    fn take(&mut self, engine: &mut TimedEngine) -> io::Result<()> {
        for (time, net, level) in self.changes.take() {
            if time != self.time {
                self.write()?;
                self.time = time;
            }
            if net == self.oscillator {
                self.phase_begins(engine);
            }
            if self.progress == Progress::Over {
                self.end = Some(time);
                return Ok(());
            }
            self.recorder.set(net, level);
        }
        self.write()?;
        if self.progress == Progress::Recording {
            self.end = Some(engine.now());
        }
        Ok(())
    }

    fn phase_begins(&mut self, engine: &mut TimedEngine) {
        self.phase = (self.phase + 1) % PHASES;
        if self.phase > 0 {
            self.recorder.set_place(self.cycle, self.phase);
            return;
        }
        self.cycle += 1;
        if self.cycle > *self.window.end() {
            self.leave(engine);
        } else {
            self.cycle_begins(engine);
        }
    }

    /// The engine has come to the end of the first phase of a cycle, and knows what it runs.
    fn cycle_begins(&mut self, engine: &TimedEngine) {
        self.recorder.set_place(self.cycle, 0);
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

impl Watcher for Listener {
    fn level(&mut self, time: u64, net: usize, level: bool) {
        self.0.borrow_mut().push((time, net, level));
    }
}

impl Watcher for Nobody {
    fn level(&mut self, _: u64, _: usize, _: bool) {}
}
