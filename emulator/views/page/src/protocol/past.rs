//! Answers about the past: nets over time, and causes.

use super::Frame;
use serde::Serialize;

/// Nets and bytes of RAM over time.
#[derive(Clone, Debug, Serialize)]
pub struct Waves {
    /// The first phase, counted since reset; cycle times four.
    pub first: u64,
    /// How many phases.
    pub phases: usize,
    /// The cycles, each with its instruction.
    pub instructions: Vec<(u64, String)>,
    /// The nets and the bytes that were asked for, in their order.
    pub waves: Vec<Wave>,
}

/// A net, a bus or a byte over time.
#[derive(Clone, Debug, Serialize)]
pub struct Wave {
    /// Its name.
    pub name: String,
    /// How many lines it has.
    pub width: usize,
    /// The number of a phase, counted from `first`, and the value from there on.
    pub changes: Vec<(usize, u16)>,
    /// Why there is nothing to show: the program has no such byte.
    pub fault: Option<String>,
}

/// Why something is as it is.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// What was asked for, and what it is: `red 3,5 is lit at cycle 5700`.
    pub headline: String,
    /// The whole answer, as `gray1 why` prints it.
    pub text: String,
    /// The lookups, from effect to cause.
    pub lookups: Vec<Lookup>,
    /// How many causes lie further back.
    pub further: usize,
}

/// A lookup in a chain of causes.
#[derive(Clone, Debug, Serialize)]
pub struct Lookup {
    /// The cycle.
    pub cycle: u64,
    /// The phase.
    pub phase: u8,
    /// The instruction and its line.
    pub instruction: String,
    /// The line of the root file.
    pub line: Option<usize>,
    /// The line of the instruction itself, which may be in another file.
    pub innermost: Option<Frame>,
    /// The chip; `None` if the level comes from outside.
    pub chip: Option<String>,
    /// The address of the cell.
    pub address: Option<u32>,
    /// What got its level, and the level: `A0-7=$24`.
    pub levels: String,
    /// What was looked up, and because of which lines.
    pub text: Vec<String>,
    /// How many steps it is away from what was asked for.
    pub depth: usize,
    /// The indices of the lookups that are its causes.
    pub causes: Vec<usize>,
}
