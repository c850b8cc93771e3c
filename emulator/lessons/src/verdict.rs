//! The verdict on an attempt.

use crate::Refusal;
use crate::board_data::{FailingMove, FullBoard};
use serde::Serialize;

/// The verdict on an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Set if the attempt meets all requirements.
    pub passed: bool,
    /// The message: what was checked, or the first fault.
    pub text: String,
    /// The number of words, for a program without errors.
    pub words: Option<usize>,
    /// The cycles of the longest run, for a program that halts.
    pub cycles: Option<u64>,
    /// The number of chips, for a board.
    pub chips: Option<usize>,
    /// The number of address lines of all chips together, for a board.
    pub address_bits: Option<usize>,
    /// The move that shows the fault, for a board.
    pub tried: Option<FailingMove>,
    /// The Gray-1 with the attempt's chips, if the attempt replaces chips of the Gray-1 and passes.
    pub whole: Option<FullBoard>,
}

/// The message of a passed attempt, or the first fault.
pub type Judgement = Result<String, Refusal>;

/// Joins items as a list: `a`, `a and b`, `a, b and c`.
pub fn join_and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
