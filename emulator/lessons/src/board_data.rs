//! The data that the page receives about an exercise of the kind `board`, besides its text.

use serde::{Deserialize, Serialize};

/// Data about the board that an exercise asks for.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BoardInfo {
    /// The best known solution: its chips and its address bits.
    pub best: Option<(usize, usize)>,
    /// The strobes in the order of a beat; empty if the board has no phases.
    pub beat: Vec<String>,
    /// The initial contents of the memory, if the board has one.
    pub memory: Option<Memory>,
}

/// A memory outside of the board: it is addressed by lamps, and its data lines are switches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    /// The data lines, lowest first.
    pub switches: Vec<String>,
    /// The address lines, lowest first.
    pub lamps: Vec<String>,
    /// The contents, by address.
    pub numbers: Vec<u32>,
}

/// The Gray-1 with chips of a student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FullBoard {
    /// The board file.
    pub board: String,
    /// The program to run on it.
    pub program: &'static str,
}

/// A move that shows a fault of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FailingMove {
    /// The levels of all nets before the move; empty if there is no stable state.
    pub levels: Vec<(String, bool)>,
    /// The switches that are set, with their new levels.
    pub moves: Vec<(String, bool)>,
    /// The orders of events that show the fault, if the order matters.
    pub orders: Vec<Vec<Arrival>>,
}

/// An event: the new level of a net arrives at a chip.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Arrival {
    /// The net.
    pub net: String,
    /// The chip.
    pub chip: String,
    /// The address that the chip sees after the event.
    pub at: u32,
    /// The levels of all nets after the event.
    pub levels: Vec<(String, bool)>,
}
