//! What a board is to do, as data.

use gray1_text::Formula;

/// What a board is to do. Switches and lamps are indices of names.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// What a lamp shows, for every input.
    pub always: Vec<(usize, Formula)>,
    /// What is done, one after the other.
    pub acts: Vec<Act>,
    /// Switches that may move at the same time, some of them only while a condition holds.
    pub together: Vec<(usize, Option<Formula>)>,
    /// Whether the switches move in any way, after that.
    pub is_free: bool,
    pub whiles: Vec<While>,
    /// Lamps that change at most once for each move.
    pub steady: Vec<usize>,
    /// Strobes that are never 1 together. All other switches move while the first is 0.
    pub strobes: Vec<usize>,
}

/// Something that is done with the switches, and what the lamps show.
#[derive(Clone, Debug)]
pub enum Act {
    Step(Step),
    Round(Round),
    /// From here on, switches follow a lamp, as if they came from a memory with these numbers.
    Memory(Memory),
}

/// Switches that follow a lamp.
#[derive(Clone, Debug)]
pub struct Memory {
    pub switch: usize,
    pub lamp: usize,
    /// What is at each address.
    pub numbers: Vec<u32>,
}

/// Switches that are moved one after the other, and what the lamps show then.
#[derive(Clone, Debug)]
pub struct Step {
    pub text: String,
    pub moves: Vec<(usize, u32)>,
    pub shows: Vec<(usize, u32)>,
}

/// A lamp that goes round, each time that a switch changes; or for each beat, in which switches go up and down in turn.
#[derive(Clone, Debug)]
pub struct Round {
    pub moved: Vec<usize>,
    pub is_beat: bool,
    pub lamp: usize,
    pub numbers: Vec<u32>,
}

/// What holds while a condition does; each formula with its text.
#[derive(Clone, Debug)]
pub enum While {
    Holds((String, Formula), (String, Formula)),
    Stays((String, Formula), usize),
}

impl Wanted {
    pub fn is_nothing(&self) -> bool {
        self.always.is_empty() && self.acts.is_empty() && !self.is_free
    }
}
