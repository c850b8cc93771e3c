//! Answers about the past: nets over time, and causes.

use super::Frame;
use serde::Serialize;

/// Nets and bytes of RAM over time.
#[derive(Clone, Debug, Serialize)]
pub struct Waves {
    /// The first phase, counted since reset; cycle times four.
    pub first: u64,
    /// The number of phases.
    pub phases: usize,
    /// The cycles, each with its instruction.
    pub instructions: Vec<(u64, String)>,
    /// The requested nets and bytes, in their order.
    pub waves: Vec<Wave>,
}

/// A net, a bus or a byte over time.
#[derive(Clone, Debug, Serialize)]
pub struct Wave {
    /// Its name.
    pub name: String,
    /// The number of its lines.
    pub width: usize,
    /// The number of a phase, counted from `first`, and the value from there on.
    pub changes: Vec<(usize, u16)>,
    /// Why there is nothing to show: the program has no such byte.
    pub fault: Option<String>,
}

/// The causes of some levels.
#[derive(Clone, Debug, Serialize)]
pub struct Why {
    /// The subject of the question and its value: `red 3,5 is lit at cycle 5700`.
    pub headline: String,
    /// The whole answer, as `gray1 why` prints it.
    pub text: String,
    /// The lookups, from effect to cause.
    pub lookups: Vec<Lookup>,
    /// The number of causes that lie further back.
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
    /// The bits that got their levels: `A0-7=$24`.
    pub levels: String,
    /// The lookup, and the lines that decided it.
    pub text: Vec<String>,
    /// The number of steps from the subject of the question.
    pub depth: usize,
    /// The indices of the lookups that are its causes.
    pub causes: Vec<usize>,
}
