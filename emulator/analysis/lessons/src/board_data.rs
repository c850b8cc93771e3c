//! What the page gets about an exercise in which a board is built, besides its text.

use serde::{Deserialize, Serialize};

/// What is known about a board that is asked for.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Asked {
    /// The fewest chips, and the fewest address bits, that are known to do it.
    pub best: Option<(usize, usize)>,
    /// The switches that go up and down in turn, if it has phases.
    pub beat: Vec<String>,
    /// What its first memory holds, if switches follow lamps.
    pub memory: Option<Memory>,
}

/// Switches that follow lamps, as if they came from a memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    /// What it gives, lowest line first.
    pub switches: Vec<String>,
    /// Where it is asked, lowest line first.
    pub lamps: Vec<String>,
    /// What is at each address.
    pub numbers: Vec<u32>,
}

/// A whole board, with chips of a student on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WholeBoard {
    /// Its file.
    pub board: String,
    /// The program that it is to run.
    pub program: &'static str,
}

/// A move that shows what is wrong with a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// The levels of all nets before it; none if there is no state of rest.
    pub levels: Vec<(String, bool)>,
    /// The switches that are set.
    pub moves: Vec<(String, bool)>,
    /// The orders of lines in which it goes wrong, if orders make a difference.
    pub orders: Vec<Vec<Reached>>,
}

/// A line that reaches a chip.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Reached {
    /// The net that reaches it.
    pub net: String,
    /// The chip, and the address that it sees then.
    pub chip: String,
    #[allow(missing_docs)]
    pub at: u32,
    /// The levels of all nets after that.
    pub levels: Vec<(String, bool)>,
}
