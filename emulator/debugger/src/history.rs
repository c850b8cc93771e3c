//! A run that can be rewound: the machine, and what is needed to bring it to any position again.
//!
//! The machine is deterministic, so the past is not stored: a checkpoint is taken every few thousand cycles, and the
//! run is repeated from there. When the checkpoints have used up their memory, every second one is dropped, and from
//! then on they are taken half as often. So memory is bounded and the length of the run is not: in a run of 100
//! million cycles they are some ten thousand cycles apart, which takes a millisecond or two to repeat.
//!
//! What comes from outside is recorded: the inputs a user pressed, and the registers and bytes a user changed. Both
//! take effect at the start of a cycle, and are applied again whenever that cycle is repeated.

use crate::error::DebugError;
use crate::output::Output;
use crate::position::Position;
use gray1_machine::{ChipsEngine, Engine, Inputs, Outside, Script, Snapshot, Unsettled};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

/// Cycles between two checkpoints, until memory runs out.
const FIRST_SPACING: u64 = 4096;
/// The memory that checkpoints and output may take.
const MEMORY: usize = 64 << 20;
/// The share of it that the output may take.
const OUTPUT_SHARE: usize = 8;
/// How often an interruption is looked for, in cycles.
const SLICE: u64 = 100_000;

/// A change to the machine made by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The accumulator.
    A(u8),
    /// The carry.
    C(bool),
    /// The program counter, as a sequence number.
    Pc(u16),
    /// A byte of RAM: its address and its new value.
    Ram(u16, u8),
}

/// Where a change was made. What had been run after that position is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The position of the change.
    pub position: Position,
    /// How many cycles were forgotten.
    pub forgotten: u64,
}

/// The machine at a position of its run, and how to bring it to any other.
pub struct History {
    engine: ChipsEngine,
    /// In ascending order; the first is where the run begins.
    checkpoints: Vec<Checkpoint>,
    spacing: u64,
    memory: usize,
    script: Script,
    presses: Vec<(u64, Inputs)>,
    edits: Vec<(u64, Edit)>,
    port: OutputPort,
    end: Position,
    observer: Option<Observer>,
}

/// Is called regularly while the machine runs, with the machine, the output, and how many bytes of it had been sent
/// by then.
pub type Observer = Box<dyn FnMut(&ChipsEngine, &Output, u64) + Send>;

/// A position that the run can be continued from.
pub(crate) struct Checkpoint {
    snapshot: Snapshot,
    sent: u64,
}

struct OutputPort {
    output: Output,
    /// Bytes sent up to the current position.
    sent: u64,
}

impl History {
    /// The history of a machine, which must be at the start of a cycle.
    pub fn new(engine: ChipsEngine, script: Script) -> Result<History, DebugError> {
        History::with_memory(engine, script, MEMORY)
    }

    /// A history that takes at most this many bytes, or two checkpoints if they need more.
    pub fn with_memory(engine: ChipsEngine, script: Script, memory: usize) -> Result<History, DebugError> {
        let end = Position::start_of(engine.cycle());
        let mut history = History {
            engine,
            checkpoints: Vec::new(),
            spacing: FIRST_SPACING,
            memory,
            script,
            presses: Vec::new(),
            edits: Vec::new(),
            port: OutputPort { output: Output::new(memory / OUTPUT_SHARE), sent: 0 },
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

    /// Sets who observes the machine while it runs.
    pub fn set_observer(&mut self, observer: Observer) {
        self.observer = Some(observer);
    }

    /// The position of the machine.
    pub fn position(&self) -> Position {
        Position::of(&self.engine)
    }

    /// Where the run begins.
    pub fn start(&self) -> Position {
        self.checkpoints.first().map_or(Position::default(), Checkpoint::position)
    }

    /// The latest position reached so far.
    pub fn end(&self) -> Position {
        self.end
    }

    /// Whether the machine has halted, so that nothing comes after this position.
    pub fn is_halted(&self) -> bool {
        self.engine.halted() && self.engine.phase_number() == 0
    }

    /// What the program has sent, and how many bytes of it up to the current position.
    pub fn output(&self) -> (&Output, u64) {
        (&self.port.output, self.port.sent)
    }

    /// The bytes of memory that the history takes.
    pub fn size(&self) -> usize {
        let checkpoint = self.checkpoints.first().map_or(0, |first| first.snapshot.size() + size_of::<u64>());
        self.checkpoints.len() * checkpoint
            + self.presses.capacity() * size_of::<(u64, Inputs)>()
            + self.edits.capacity() * size_of::<(u64, Edit)>()
            + self.port.output.size()
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

    /// Runs to the start of this cycle, or of an earlier one where the machine halts or `stop` says so. `stop` is
    /// asked at the start of each cycle on the way and of the last one; returns its last answer.
    pub fn run(
        &mut self,
        cycle: u64,
        interrupt: &AtomicBool,
        mut stop: impl FnMut(&ChipsEngine) -> bool,
    ) -> Result<bool, DebugError> {
        while self.position() < Position::start_of(cycle) && !self.is_halted() {
            if interrupt.load(Ordering::Relaxed) {
                return Err(DebugError::Interrupted);
            }
            // At the end of a stretch, inputs and edits take effect before `stop` looks at the machine.
            let now = self.engine.cycle();
            let stretch_end = self.next_event(now).min(cycle);
            let mut stopped = false;
            self.engine.run_until(stretch_end - now, &mut self.port, |engine| {
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

    /// Goes to a position, backwards or forwards. A position after the halt leads to the halt.
    pub fn go(&mut self, to: Position, interrupt: &AtomicBool) -> Result<(), DebugError> {
        let nearest = self.checkpoints.partition_point(|checkpoint| checkpoint.position() <= to);
        let nearest = nearest.saturating_sub(1);
        if to < self.position() || self.checkpoints[nearest].position() > self.position() {
            self.rewind(nearest);
        }
        self.run(to.cycle, interrupt, |_| false)?;
        while self.position() < to && !self.is_halted() {
            self.phase()?;
        }
        Ok(())
    }

    /// Goes to a position, looks at the machine there, and comes back.
    pub fn peek<T>(&mut self, at: Position, look: impl FnOnce(&ChipsEngine) -> T) -> Result<T, DebugError> {
        let here = self.checkpoint();
        let result = self.go(at, &AtomicBool::new(false)).map(|()| look(&self.engine));
        self.restore(&here);
        result
    }

    /// The current position, to come back to without running the machine.
    pub(crate) fn checkpoint(&self) -> Checkpoint {
        Checkpoint { snapshot: self.engine.snapshot(), sent: self.port.sent }
    }

    pub(crate) fn restore(&mut self, checkpoint: &Checkpoint) {
        self.engine.restore(&checkpoint.snapshot);
        self.port.sent = checkpoint.sent;
    }

    /// The positions of all checkpoints, in ascending order.
    pub fn checkpoints(&self) -> impl ExactSizeIterator<Item = Position> {
        self.checkpoints.iter().map(Checkpoint::position)
    }

    /// Goes back to a checkpoint, given by its index.
    pub(crate) fn rewind(&mut self, index: usize) {
        let Checkpoint { snapshot, sent } = &self.checkpoints[index];
        self.engine.restore(snapshot);
        self.port.sent = *sent;
    }

    /// Changes the machine. A cycle under way is completed first: only between two cycles do the registers and RAM
    /// hold the whole state.
    pub fn edit(&mut self, edit: Edit) -> Result<Fork, DebugError> {
        while self.engine.phase_number() != 0 {
            self.phase()?;
        }
        let fork = self.fork();
        self.edits.push((fork.position.cycle, edit));
        self.apply(edit)?;
        self.renew_checkpoint();
        Ok(fork)
    }

    /// Presses inputs in addition to those of the input script, from now on, or from the next cycle if this one is
    /// under way.
    pub fn press(&mut self, inputs: Inputs) -> Result<Fork, DebugError> {
        let fork = self.fork();
        let now = self.position();
        let cycle = now.cycle + u64::from(now.phase > 0);
        self.presses.retain(|&(at, _)| at < cycle);
        self.presses.push((cycle, inputs));
        if now.phase == 0 {
            self.engine.press(self.inputs(cycle))?;
            self.renew_checkpoint();
        }
        Ok(fork)
    }

    /// The inputs pressed by the user, without those of the script.
    pub fn pressed(&self) -> Inputs {
        let now = self.position();
        self.pressed_at(now.cycle + u64::from(now.phase > 0))
    }

    fn pressed_at(&self, cycle: u64) -> Inputs {
        let after = self.presses.partition_point(|&(at, _)| at <= cycle);
        after.checked_sub(1).map_or(Inputs::default(), |last| self.presses[last].1)
    }

    fn inputs(&self, cycle: u64) -> Inputs {
        self.script.inputs_at(cycle).and(self.pressed_at(cycle))
    }

    /// Forgets what comes after this position.
    fn fork(&mut self) -> Fork {
        let position = self.position();
        let forgotten = self.end.cycle - position.cycle;
        self.checkpoints.retain(|checkpoint| checkpoint.position() <= position);
        self.presses.retain(|&(at, _)| Position::start_of(at) <= position);
        self.edits.retain(|&(at, _)| Position::start_of(at) <= position);
        self.port.output.forget_after(self.port.sent);
        self.end = position;
        Fork { position, forgotten }
    }

    /// Takes the checkpoint of this position again, if there is one.
    fn renew_checkpoint(&mut self) {
        let now = self.position();
        if let Some(last) = self.checkpoints.last_mut().filter(|last| last.position() == now) {
            last.snapshot = self.engine.snapshot();
        }
    }

    /// The next cycle at whose start something has to be done.
    fn next_event(&self, now: u64) -> u64 {
        let press = self.presses.partition_point(|&(at, _)| at <= now);
        let edit = self.edits.partition_point(|&(at, _)| at <= now);
        let checkpoint = (now / self.spacing).saturating_add(1).saturating_mul(self.spacing);
        let events = [
            self.script.next_change(now),
            self.presses.get(press).map(|press| press.0),
            self.edits.get(edit).map(|edit| edit.0),
        ];
        events.into_iter().flatten().fold(checkpoint.min(now.saturating_add(SLICE)), u64::min)
    }

    /// Does what belongs to the start of a cycle: edits, inputs, and a checkpoint if one is due.
    fn begin_cycle(&mut self) -> Result<(), DebugError> {
        let now = self.engine.cycle();
        let first = self.edits.partition_point(|&(at, _)| at < now);
        let count = self.edits[first..].partition_point(|&(at, _)| at == now);
        for index in first..first + count {
            self.apply(self.edits[index].1)?;
        }
        let inputs = self.inputs(now);
        self.engine.press(inputs)?;
        let is_due = self
            .checkpoints
            .last()
            .is_none_or(|last| now > last.snapshot.cycle() && now.is_multiple_of(self.spacing));
        if is_due {
            self.checkpoints.push(self.checkpoint());
            while self.size() > self.memory && self.checkpoints.len() > 2 {
                self.thin_out();
            }
        }
        self.extend_end();
        if let Some(observer) = &mut self.observer {
            observer(&self.engine, &self.port.output, self.port.sent);
        }
        Ok(())
    }

    /// Drops every second checkpoint.
    fn thin_out(&mut self) {
        self.spacing *= 2;
        let (start, spacing) = (self.start().cycle, self.spacing);
        self.checkpoints.retain(|checkpoint| {
            let cycle = checkpoint.snapshot.cycle();
            cycle == start || cycle.is_multiple_of(spacing)
        });
    }

    fn extend_end(&mut self) {
        self.end = self.end.max(self.position());
    }

    fn apply(&mut self, edit: Edit) -> Result<(), Unsettled> {
        let mut state = self.engine.state();
        match edit {
            Edit::A(byte) => state.a = byte,
            Edit::C(carry) => state.c = carry,
            Edit::Pc(sequence) => state.pc = sequence,
            Edit::Ram(address, byte) => state.ram[usize::from(address) % state.ram.len()] = byte,
        }
        state.halted = false;
        self.engine.set_state(&state)
    }
}

impl Checkpoint {
    /// Checkpoints of the history are at the start of a cycle.
    fn position(&self) -> Position {
        Position::start_of(self.snapshot.cycle())
    }
}

impl Outside for OutputPort {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.output.keep(self.sent, byte);
        self.sent += 1;
    }
}

impl fmt::Display for Fork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fork { position, forgotten } = self;
        match forgotten {
            0 => write!(f, "changed at {position}"),
            _ => write!(f, "the history forks at {position}: {forgotten} later cycles are forgotten"),
        }
    }
}
