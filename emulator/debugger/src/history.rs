//! A run that can be gone back in: the machine, and what it takes to bring it to any position again.
//!
//! The machine is deterministic, so the past need not be kept: a snapshot every so often is enough, and the run
//! from there is repeated. When the snapshots have filled their memory every second one is dropped, and from then
//! on they are taken half as often. So memory is bounded and the history is not; a run of 100 million cycles has
//! one some ten thousand cycles apart, which are repeated in a millisecond or two.
//!
//! What is not of the machine's own making is written down: fingers on pads and keys, and bytes that somebody
//! changed. Both take effect at the beginning of a cycle, and are repeated with it.

use crate::fault::Fault;
use crate::output::Output;
use crate::position::Position;
use gray1_machine::{ChipsEngine, Engine, Inputs, Outside, Script, Snapshot, Unsettled};
use std::sync::atomic::{AtomicBool, Ordering};

/// Cycles between two snapshots of a short run.
const FIRST_SPACING: u64 = 4096;
/// The memory that snapshots and output may take.
pub const MEMORY: usize = 64 << 20;
/// What of it the program's output may take.
const OUTPUT_MEMORY: usize = MEMORY / 8;
/// The cycles after which an interruption is looked for.
const SLICE: u64 = 100_000;

/// A change made by a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit {
    /// The accumulator.
    A(u8),
    /// The carry.
    C(bool),
    /// The program counter, a sequence number.
    Pc(u16),
    /// A byte of RAM.
    Ram(u16, u8),
}

/// The machine at some position of its run, and how to come to any other.
pub struct History {
    engine: ChipsEngine,
    /// The board as it was, in ascending order; the first is where the run begins.
    marks: Vec<Mark>,
    spacing: u64,
    memory: usize,
    script: Script,
    presses: Vec<(u64, Inputs)>,
    edits: Vec<(u64, Edit)>,
    outlet: Outlet,
    end: Position,
    onlooker: Option<Onlooker>,
}

/// Who is told of a run that takes long, every so many cycles: the machine, the program's output, and how many bytes
/// of it have been sent by then.
pub type Onlooker = Box<dyn FnMut(&ChipsEngine, &Output, u64) + Send>;

struct Mark {
    snapshot: Snapshot,
    sent: u64,
}

/// Where output goes: a byte that is sent for the first time is kept.
struct Outlet {
    output: Output,
    /// Bytes sent up to now.
    sent: u64,
}

impl History {
    /// The history of a machine that stands at the beginning of a cycle.
    pub fn new(engine: ChipsEngine, script: Script) -> Result<History, Fault> {
        History::with_memory(engine, script, MEMORY)
    }

    /// A history that takes no more than so many bytes, if two snapshots fit them.
    pub fn with_memory(engine: ChipsEngine, script: Script, memory: usize) -> Result<History, Fault> {
        let end = Position::start_of(engine.cycle());
        let mut history = History {
            engine,
            marks: Vec::new(),
            spacing: FIRST_SPACING,
            memory,
            script,
            presses: Vec::new(),
            edits: Vec::new(),
            outlet: Outlet { output: Output::new(OUTPUT_MEMORY.min(memory / 8)), sent: 0 },
            end,
            onlooker: None,
        };
        history.arrive()?;
        Ok(history)
    }

    /// The machine, to look at.
    pub fn machine(&self) -> &ChipsEngine {
        &self.engine
    }

    /// Lets somebody look on while the machine runs.
    pub fn set_onlooker(&mut self, onlooker: Onlooker) {
        self.onlooker = Some(onlooker);
    }

    /// Where the machine is.
    pub fn position(&self) -> Position {
        Position { cycle: self.engine.cycle(), phase: self.engine.phase_number() }
    }

    /// Where the run begins.
    pub fn start(&self) -> Position {
        Position::start_of(self.marks.first().map_or(0, |mark| mark.snapshot.cycle()))
    }

    /// The latest position that has been reached.
    pub fn end(&self) -> Position {
        self.end
    }

    /// Whether the machine has halted: nothing comes after this position.
    pub fn is_halted(&self) -> bool {
        self.engine.halted() && self.engine.phase_number() == 0
    }

    /// What the program has sent, and how many bytes of it up to now.
    pub fn output(&self) -> (&Output, u64) {
        (&self.outlet.output, self.outlet.sent)
    }

    /// The bytes of memory that the history takes.
    pub fn size(&self) -> usize {
        let mark = self.marks.first().map_or(0, |mark| mark.snapshot.size() + size_of::<u64>());
        self.marks.len() * mark
            + self.presses.capacity() * size_of::<(u64, Inputs)>()
            + self.edits.capacity() * size_of::<(u64, Edit)>()
            + self.outlet.output.size()
    }

    /// Runs one phase.
    pub fn phase(&mut self) -> Result<(), Fault> {
        if self.is_halted() {
            return Ok(());
        }
        self.engine.phase(&mut self.outlet)?;
        if self.engine.phase_number() == 0 {
            return self.arrive();
        }
        self.reach();
        Ok(())
    }

    /// Runs to the beginning of this cycle, or of an earlier one where the machine halts or `stop` says so.
    ///
    /// `stop` is asked at the beginning of each cycle on the way, and of the last one. Returns what it said last.
    pub fn run(
        &mut self,
        cycle: u64,
        interrupt: &AtomicBool,
        mut stop: impl FnMut(&ChipsEngine) -> bool,
    ) -> Result<bool, Fault> {
        while self.position() < Position::start_of(cycle) && !self.is_halted() {
            if interrupt.load(Ordering::Relaxed) {
                return Err(Fault::Interrupted);
            }
            // At the end of a stretch fingers and edits take effect before anybody looks.
            let now = self.engine.cycle();
            let stretch_end = self.next_arrival(now).min(cycle);
            let mut stopped = false;
            self.engine.run_until(stretch_end - now, &mut self.outlet, |engine| {
                stopped = engine.cycle() < stretch_end && stop(engine);
                stopped
            })?;
            if stopped {
                self.reach();
                return Ok(true);
            }
            let is_new = self.engine.cycle() == stretch_end;
            self.arrive()?;
            if is_new && stop(&self.engine) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Goes to a position, backwards or forwards; one that lies behind the halt leads to the halt.
    pub fn go(&mut self, to: Position, interrupt: &AtomicBool) -> Result<(), Fault> {
        let nearest = self.marks.partition_point(|mark| mark.snapshot.cycle() <= to.cycle).saturating_sub(1);
        let is_nearer = self.marks[nearest].snapshot.cycle() > self.engine.cycle();
        if to < self.position() || is_nearer {
            self.return_to(nearest);
        }
        self.run(to.cycle, interrupt, |_| false)?;
        while self.position() < to && !self.is_halted() {
            self.phase()?;
        }
        Ok(())
    }

    /// How many snapshots there are.
    pub fn marks(&self) -> usize {
        self.marks.len()
    }

    /// The cycle of a snapshot.
    pub fn mark_cycle(&self, mark: usize) -> u64 {
        self.marks[mark].snapshot.cycle()
    }

    /// Goes to where a snapshot was taken.
    pub fn return_to(&mut self, mark: usize) {
        let Mark { snapshot, sent } = &self.marks[mark];
        self.engine.restore(snapshot);
        self.outlet.sent = *sent;
    }

    /// Changes the machine. A cycle that is under way is run to its end first: between two cycles the registers are
    /// the whole machine, within one they are not. What was known to come after this is forgotten; returns how many
    /// cycles of it there were.
    pub fn edit(&mut self, edit: Edit) -> Result<u64, Fault> {
        while self.engine.phase_number() != 0 {
            self.phase()?;
        }
        let forgotten = self.fork();
        let cycle = self.engine.cycle();
        self.edits.push((cycle, edit));
        self.apply(edit)?;
        self.renew_mark();
        Ok(forgotten)
    }

    /// Puts fingers on pads and keys beside those of the input script, from now on or, within a cycle, from the
    /// next. What was known to come after this position is forgotten; returns how many cycles of it there were.
    pub fn press(&mut self, inputs: Inputs) -> Result<u64, Fault> {
        let forgotten = self.fork();
        let now = self.position();
        let cycle = now.cycle + u64::from(now.phase > 0);
        self.presses.retain(|&(at, _)| at < cycle);
        self.presses.push((cycle, inputs));
        if now.phase == 0 {
            self.engine.press(self.inputs(cycle))?;
            self.renew_mark();
        }
        Ok(forgotten)
    }

    /// The fingers of the person, without those of the script.
    pub fn fingers(&self) -> Inputs {
        let now = self.position();
        let cycle = now.cycle + u64::from(now.phase > 0);
        let before = self.presses.partition_point(|&(at, _)| at <= cycle);
        before.checked_sub(1).map_or(Inputs::default(), |last| self.presses[last].1)
    }

    /// Forgets what comes after this position.
    fn fork(&mut self) -> u64 {
        let now = self.position();
        let forgotten = self.end.cycle - now.cycle;
        self.marks.retain(|mark| Position::start_of(mark.snapshot.cycle()) <= now);
        self.presses.retain(|&(at, _)| Position::start_of(at) <= now);
        self.edits.retain(|&(at, _)| Position::start_of(at) <= now);
        self.outlet.output.forget_after(self.outlet.sent);
        self.end = now;
        forgotten
    }

    /// Takes the snapshot of this position again, if there is one.
    fn renew_mark(&mut self) {
        let now = self.engine.cycle();
        if let Some(last) = self.marks.last_mut().filter(|mark| mark.snapshot.cycle() == now) {
            last.snapshot = self.engine.snapshot();
        }
    }

    /// The cycle at whose beginning something has to be done, or looked for.
    fn next_arrival(&self, now: u64) -> u64 {
        let next_of = |at: Option<u64>| at.unwrap_or(u64::MAX);
        let press = self.presses.partition_point(|&(at, _)| at <= now);
        let edit = self.edits.partition_point(|&(at, _)| at <= now);
        let mark = (now / self.spacing).saturating_add(1).saturating_mul(self.spacing);
        mark.min(now.saturating_add(SLICE))
            .min(next_of(self.script.next_change(now)))
            .min(next_of(self.presses.get(press).map(|press| press.0)))
            .min(next_of(self.edits.get(edit).map(|edit| edit.0)))
    }

    /// Does what belongs to the beginning of a cycle: edits, fingers, and a snapshot if one is due.
    fn arrive(&mut self) -> Result<(), Fault> {
        let now = self.engine.cycle();
        let first = self.edits.partition_point(|&(at, _)| at < now);
        for place in first..self.edits.len() {
            match self.edits[place] {
                (at, edit) if at == now => self.apply(edit)?,
                _ => break,
            }
        }
        let inputs = self.inputs(now);
        self.engine.press(inputs)?;
        let is_due = self
            .marks
            .last()
            .is_none_or(|last| now > last.snapshot.cycle() && now.is_multiple_of(self.spacing));
        if is_due {
            self.marks.push(Mark { snapshot: self.engine.snapshot(), sent: self.outlet.sent });
            while self.size() > self.memory && self.marks.len() > 2 {
                self.thin_out();
            }
        }
        self.reach();
        if let Some(onlooker) = &mut self.onlooker {
            onlooker(&self.engine, &self.outlet.output, self.outlet.sent);
        }
        Ok(())
    }

    /// Drops every second snapshot.
    fn thin_out(&mut self) {
        self.spacing *= 2;
        let (start, spacing) = (self.start().cycle, self.spacing);
        self.marks.retain(|mark| {
            let cycle = mark.snapshot.cycle();
            cycle == start || cycle.is_multiple_of(spacing)
        });
    }

    fn reach(&mut self) {
        self.end = self.end.max(self.position());
    }

    fn inputs(&self, cycle: u64) -> Inputs {
        let before = self.presses.partition_point(|&(at, _)| at <= cycle);
        let fingers = before.checked_sub(1).map_or(Inputs::default(), |last| self.presses[last].1);
        let Inputs { pad, keys } = self.script.inputs_at(cycle);
        Inputs { pad: pad.or(fingers.pad), keys: keys | fingers.keys }
    }

    fn apply(&mut self, edit: Edit) -> Result<(), Unsettled> {
        let mut state = self.engine.state();
        match edit {
            Edit::A(byte) => state.a = byte,
            Edit::C(carry) => state.c = carry,
            Edit::Pc(place) => state.pc = place,
            Edit::Ram(address, byte) => state.ram[usize::from(address) % state.ram.len()] = byte,
        }
        state.halted = false;
        self.engine.set_state(&state)
    }
}

impl Outside for Outlet {
    fn output(&mut self, _cycle: u64, byte: u8) {
        self.output.keep(self.sent, byte);
        self.sent += 1;
    }
}
