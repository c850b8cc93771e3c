//! A run that can be rewound: the machine, and what is needed to bring it back to any position.
//!
//! The machine is deterministic, so the past is not stored: a checkpoint is taken every few thousand cycles, or every
//! 65,536 where the scout runs ahead, and the run is repeated from there. When the checkpoints have used up their
//! memory, every second one is dropped, and from then on they are taken half as often. So memory is bounded, but the
//! length of the run is not.

use crate::checkpoints::{Checkpoint, Checkpoints};
use crate::error::{DebugError, check_interrupt};
use crate::output::Output;
use crate::port::{OutputPort, Witness};
use crate::position::Position;
use crate::scout::ScoutState;
use crate::timeline::{Edit, Timeline};
use gray1_machine::{ChipsEngine, Engine, Inputs, Script, State};
use gray1_text::counted;
use std::fmt;
use std::sync::atomic::AtomicBool;

/// Cycles between two checkpoints, until memory runs out.
const SPACING: u64 = 4096;
/// The memory that checkpoints and output may take, in bytes.
const MEMORY: usize = 64 << 20;
/// The output may take this fraction of it: 1/8.
const OUTPUT_SHARE: usize = 8;
/// The interrupt flag is checked once in this many cycles.
const SLICE: u64 = 100_000;

/// The result of a change: where it was made, and what it has made invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The position of the change.
    pub position: Position,
    /// The number of cycles run after it, which are forgotten.
    pub left: u64,
}

impl fmt::Display for Fork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.left {
            0 => write!(f, "changed at {}", self.position),
            left => write!(
                f,
                "changed at {}; forgotten: {}",
                self.position,
                counted(left as usize, "later cycle")
            ),
        }
    }
}

/// The machine at a position of its run, which can be moved to any other position.
pub struct History {
    engine: ChipsEngine,
    pub(crate) checkpoints: Checkpoints,
    /// A snapshot a little before the last distant position.
    pub(crate) near: Option<Checkpoint>,
    /// The beginning of the run, before inputs and edits take effect.
    origin: Checkpoint,
    memory: usize,
    /// Cycles between two checkpoints until memory runs out.
    pub(crate) first_spacing: u64,
    pub(crate) ahead: ScoutState,
    pub(crate) timeline: Timeline,
    pub(crate) port: OutputPort,
    end: Position,
    observer: Option<Observer>,
}

/// Called regularly while the machine runs, with the machine, the output, and the number of bytes sent so far.
pub type Observer = Box<dyn FnMut(&ChipsEngine, &Output, u64) + Send>;

impl History {
    /// Begins the history of a machine, which must be at the start of a cycle.
    pub fn new(engine: ChipsEngine, script: Script) -> Result<History, DebugError> {
        History::with_memory(engine, script, MEMORY, SPACING)
    }

    /// Begins a history with a limit of memory in bytes, which is exceeded only if two checkpoints need more, and with
    /// a checkpoint every `spacing` cycles until the memory is used up.
    pub fn with_memory(
        engine: ChipsEngine,
        script: Script,
        memory: usize,
        spacing: u64,
    ) -> Result<History, DebugError> {
        let (end, spacing) = (Position::start_of(engine.cycle()), spacing.max(1));
        let mut history = History {
            origin: Checkpoint { snapshot: engine.snapshot(), sent: 0 },
            engine,
            checkpoints: Checkpoints::new(spacing),
            near: None,
            memory,
            first_spacing: spacing,
            ahead: ScoutState::default(),
            timeline: Timeline::new(script),
            port: OutputPort { output: Output::new(memory / OUTPUT_SHARE), sent: 0, witness: None },
            end,
            observer: None,
        };
        history.begin_cycle()?;
        Ok(history)
    }

    /// The machine.
    pub fn machine(&self) -> &ChipsEngine {
        &self.engine
    }

    /// Sets the observer of the machine while it runs.
    pub fn set_observer(&mut self, observer: Observer) {
        self.observer = Some(observer);
    }

    /// Sets the receiver of output and display changes.
    pub fn set_witness(&mut self, witness: Witness) {
        self.port.witness = Some(witness);
    }

    /// The position of the machine.
    pub fn position(&self) -> Position {
        Position::of(&self.engine)
    }

    /// The beginning of the run.
    pub fn start(&self) -> Position {
        self.origin.position()
    }

    /// The latest position reached so far.
    pub fn end(&self) -> Position {
        self.end
    }

    /// Whether the machine has halted, so that nothing comes after this position.
    pub fn is_halted(&self) -> bool {
        self.engine.halted() && self.engine.phase_number() == 0
    }

    /// Makes an earlier position the latest one reached, because what was run beyond it was only a preview.
    pub(crate) fn set_end(&mut self, end: Position) {
        self.end = end.max(self.position());
    }

    /// The output of the program, and how many bytes of it were sent up to the current position.
    pub fn output(&self) -> (&Output, u64) {
        (&self.port.output, self.port.sent)
    }

    /// The bytes of memory that the history takes.
    pub fn size(&self) -> usize {
        self.checkpoints.size() + self.timeline.size() + self.port.output.size()
    }

    /// Runs one phase.
    pub fn phase(&mut self) -> Result<(), DebugError> {
        if self.is_halted() {
            return Ok(());
        }
        self.engine.phase(&mut self.port)?;
        if self.engine.phase_number() == 0 {
            return self.begin_cycle();
        }
        self.extend_end();
        Ok(())
    }

    /// Runs to the start of this cycle, or of an earlier one where the machine halts or `stop` returns true. `stop` is
    /// called at the start of each cycle after the current one; returns its last result.
    pub fn run(
        &mut self,
        cycle: u64,
        interrupt: &AtomicBool,
        mut stop: impl FnMut(&ChipsEngine) -> bool,
    ) -> Result<bool, DebugError> {
        while self.position() < Position::start_of(cycle) && !self.is_halted() {
            check_interrupt(interrupt)?;
            // At the end of a stretch, inputs and edits take effect before `stop` examines the machine.
            let now = self.engine.cycle();
            let stretch_end = self.next_event(now).min(cycle);
            let mut stopped = false;
            let ran = self.checkpoints.ran_from(now);
            self.engine.run_until(stretch_end - now, &mut self.port, |engine| {
                ran.add(engine.running());
                stopped = engine.cycle() < stretch_end && stop(engine);
                stopped
            })?;
            if stopped {
                self.extend_end();
                return Ok(true);
            }
            let is_new = self.engine.cycle() == stretch_end;
            self.begin_cycle()?;
            if is_new && stop(&self.engine) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Runs to the start of this cycle, or to the halt, on the chips engine, which may use partial evaluation.
    pub(crate) fn run_headless(&mut self, cycle: u64, interrupt: &AtomicBool) -> Result<(), DebugError> {
        while self.engine.phase_number() != 0 {
            self.phase()?;
        }
        while self.engine.cycle() < cycle && !self.is_halted() {
            check_interrupt(interrupt)?;
            let now = self.engine.cycle();
            let stretch_end = self.next_event(now).min(cycle);
            let ran = self.engine.run_headless(stretch_end - now, &mut self.port)?;
            if now + ran > self.end.cycle {
                // It does not report which instructions it has executed.
                self.checkpoints.ran_all(now.max(self.end.cycle), now + ran);
            }
            self.begin_cycle()?;
        }
        Ok(())
    }

    /// Moves the chips to a state that the scout has reached at the start of a later cycle.
    pub(crate) fn take_over(&mut self, state: &State) -> Result<(), DebugError> {
        if state.cycle > self.end.cycle {
            // The scout does not record which instructions it has run.
            self.checkpoints.ran_all(self.end.cycle, state.cycle);
        }
        self.engine.set_state(state)?;
        self.begin_cycle()
    }

    /// A snapshot of the current position, for [`History::restore`].
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        self.checkpoint_of(self.port.sent)
    }

    fn checkpoint_of(&self, sent: u64) -> Checkpoint {
        Checkpoint { snapshot: self.engine.snapshot(), sent }
    }

    pub(crate) fn restore(&mut self, checkpoint: &Checkpoint) {
        self.engine.restore(&checkpoint.snapshot);
        self.port.sent = checkpoint.sent;
    }

    /// Calls `does`, which may move the machine, and returns to the current position.
    pub(crate) fn aside<T>(&mut self, does: impl FnOnce(&mut History) -> T) -> T {
        let here = self.checkpoint();
        let result = does(self);
        self.restore(&here);
        result
    }

    /// The positions of all checkpoints, in ascending order.
    pub fn checkpoints(&self) -> impl ExactSizeIterator<Item = Position> {
        self.checkpoints.positions()
    }

    /// Goes back to a checkpoint, given by its index.
    pub(crate) fn rewind(&mut self, index: usize) {
        let Checkpoint { snapshot, sent } = self.checkpoints.get(index);
        self.engine.restore(snapshot);
        self.port.sent = *sent;
    }

    /// Changes the machine. An incomplete cycle is completed first, because only between two cycles do the registers
    /// and RAM hold the whole state.
    pub fn edit(&mut self, edit: Edit) -> Result<Fork, DebugError> {
        while self.engine.phase_number() != 0 {
            self.phase()?;
        }
        let fork = self.fork();
        self.timeline.edit(fork.position.cycle, edit);
        edit.apply(&mut self.engine)?;
        self.checkpoints.renew(self.engine.snapshot());
        Ok(fork)
    }

    /// Presses inputs in addition to the input script: from now on, or, within a cycle, from the next cycle on.
    pub fn press(&mut self, inputs: Inputs) -> Result<Fork, DebugError> {
        let fork = self.fork();
        let now = self.position();
        let cycle = now.cycle + u64::from(now.phase > 0);
        self.timeline.press(cycle, inputs);
        if now.phase == 0 {
            self.engine.press(self.timeline.inputs(cycle))?;
            self.checkpoints.renew(self.engine.snapshot());
        }
        Ok(fork)
    }

    /// The inputs pressed by the user, without the script.
    pub fn pressed(&self) -> Inputs {
        let now = self.position();
        self.timeline.pressed(now.cycle + u64::from(now.phase > 0))
    }

    /// All inputs of this future, from its script and from the user, as a script; and the number of edits, which a
    /// script cannot express.
    pub fn script(&self) -> (Script, usize) {
        self.timeline.as_script()
    }

    /// The number of presses by the user in this future, in addition to its script, and of changes to registers and RAM.
    pub fn by_hand(&self) -> (usize, usize) {
        self.timeline.by_hand()
    }

    /// Forgets everything after this position, because the machine changes here.
    fn fork(&mut self) -> Fork {
        let position = self.position();
        self.near = None;
        let left = self.end.cycle - position.cycle;
        self.checkpoints.forget_after(position);
        self.timeline.forget_after(position.cycle);
        self.port.output.forget_after(self.port.sent);
        self.end = position;
        Fork { position, left }
    }

    /// Begins the run again on another machine, from the same state and with the same inputs and edits.
    pub(crate) fn rebuild(&mut self, mut engine: ChipsEngine) -> Result<(), DebugError> {
        let mut old = self.engine.clone();
        old.restore(&self.origin.snapshot);
        engine.set_state(&old.state())?;
        // If its first cycle cannot begin, the history stays unchanged.
        self.timeline.begin_cycle(&mut engine.clone())?;
        self.engine = engine;
        self.ahead.is_board_known = None;
        self.origin = self.checkpoint_of(0);
        self.checkpoints = Checkpoints::new(self.first_spacing);
        self.near = None;
        self.port.sent = 0;
        self.port.output.forget_after(0);
        self.end = self.position();
        self.begin_cycle()
    }

    /// The next cycle at whose start a run has to be interrupted: for inputs, a checkpoint, or the interrupt flag.
    fn next_event(&self, now: u64) -> u64 {
        let due = self.checkpoints.next_due(now).min(now.saturating_add(SLICE));
        self.timeline.next_event(now).map_or(due, |event| event.min(due))
    }

    /// Does what is due at the start of a cycle: applies inputs and edits, and takes a checkpoint.
    fn begin_cycle(&mut self) -> Result<(), DebugError> {
        self.timeline.begin_cycle(&mut self.engine)?;
        // Within the known part of the run no checkpoint is added: the set of instructions after it would be
        // incomplete.
        let is_new = self.position() > self.end || self.checkpoints.len() == 0;
        if is_new && self.checkpoints.is_due(self.engine.cycle()) {
            self.checkpoints.push(self.checkpoint());
            while self.size() > self.memory && self.checkpoints.len() > 2 {
                self.checkpoints.thin_out();
            }
        }
        self.checkpoints.ran_at(self.engine.cycle(), self.engine.running());
        self.extend_end();
        if let Some(observer) = &mut self.observer {
            observer(&self.engine, &self.port.output, self.port.sent);
        }
        Ok(())
    }

    fn extend_end(&mut self) {
        self.end = self.end.max(self.position());
    }
}
