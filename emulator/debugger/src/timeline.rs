//! Everything that comes from outside while a run is debugged: the inputs of its script, and the inputs and edits of
//! the user.
//!
//! The machine is deterministic, so a timeline and a state determine a whole future. Inputs and edits take effect at
//! the start of a cycle, and again whenever that cycle is repeated.

use gray1_machine::{Engine, Inputs, Script, Unsettled};

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

/// All inputs and edits, by cycle.
#[derive(Clone, Default)]
pub(crate) struct Timeline {
    script: Script,
    presses: Vec<(u64, Inputs)>,
    edits: Vec<(u64, Edit)>,
}

impl Timeline {
    pub fn new(script: Script) -> Timeline {
        Timeline { script, ..Timeline::default() }
    }

    /// The bytes of memory that the inputs and edits of the user take.
    pub fn size(&self) -> usize {
        self.presses.capacity() * size_of::<(u64, Inputs)>()
            + self.edits.capacity() * size_of::<(u64, Edit)>()
    }

    /// Adds an edit at the start of a cycle. It must not be earlier than any other.
    pub fn edit(&mut self, cycle: u64, edit: Edit) {
        self.edits.push((cycle, edit));
    }

    /// Presses inputs in addition to the script, from a cycle on, and forgets any later presses.
    pub fn press(&mut self, cycle: u64, inputs: Inputs) {
        self.presses.retain(|&(at, _)| at < cycle);
        self.presses.push((cycle, inputs));
    }

    /// The inputs pressed by the user in a cycle.
    pub fn pressed(&self, cycle: u64) -> Inputs {
        let after = self.presses.partition_point(|&(at, _)| at <= cycle);
        after.checked_sub(1).map_or(Inputs::default(), |last| self.presses[last].1)
    }

    /// The inputs in a cycle, of the script and of the user.
    pub fn inputs(&self, cycle: u64) -> Inputs {
        self.script.inputs_at(cycle).and(self.pressed(cycle))
    }

    /// The inputs of all cycles as a script, and the number of edits, which a script cannot express.
    pub fn as_script(&self) -> (Script, usize) {
        let mut cycles: Vec<u64> =
            self.script.cycles().chain(self.presses.iter().map(|press| press.0)).collect();
        cycles.sort_unstable();
        cycles.dedup();
        (Script::of(cycles.into_iter().map(|cycle| (cycle, self.inputs(cycle))).collect()), self.edits.len())
    }

    /// The number of presses by the user, and of edits.
    pub fn by_hand(&self) -> (usize, usize) {
        (self.presses.iter().filter(|(_, inputs)| *inputs != Inputs::default()).count(), self.edits.len())
    }

    /// The next cycle at whose start an input changes or an edit is made.
    pub fn next_event(&self, now: u64) -> Option<u64> {
        let press = self.presses.partition_point(|&(at, _)| at <= now);
        let edit = self.edits.partition_point(|&(at, _)| at <= now);
        let events = [
            self.script.next_change(now),
            self.presses.get(press).map(|press| press.0),
            self.edits.get(edit).map(|edit| edit.0),
        ];
        events.into_iter().flatten().min()
    }

    /// Whether there is an edit after the start of a cycle, up to the start of another cycle.
    pub fn is_edited(&self, after: u64, to: u64) -> bool {
        self.edits.iter().any(|(at, _)| (after + 1..=to).contains(at))
    }

    /// Applies the inputs and edits of the current cycle to a machine, which must be at its start.
    pub fn begin_cycle(&self, engine: &mut impl Engine) -> Result<(), Unsettled> {
        let now = engine.cycle();
        let first = self.edits.partition_point(|&(at, _)| at < now);
        for &(_, edit) in self.edits[first..].iter().take_while(|(at, _)| *at == now) {
            edit.apply(engine)?;
        }
        engine.press(self.inputs(now))
    }

    /// Forgets inputs and edits after the start of a cycle.
    pub fn forget_after(&mut self, cycle: u64) {
        self.presses.retain(|&(at, _)| at <= cycle);
        self.edits.retain(|&(at, _)| at <= cycle);
    }
}

impl Edit {
    /// Changes a machine. If it has halted, it may continue.
    pub(crate) fn apply(self, engine: &mut impl Engine) -> Result<(), Unsettled> {
        let mut state = engine.state();
        match self {
            Edit::A(byte) => state.a = byte,
            Edit::C(carry) => state.c = carry,
            Edit::Pc(sequence) => state.pc = sequence,
            Edit::Ram(address, byte) => state.ram[usize::from(address) % state.ram.len()] = byte,
        }
        state.halted = false;
        engine.set_state(&state)
    }
}
