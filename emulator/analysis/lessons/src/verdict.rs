//! The verdict on an attempt, and how its parts are said.

use crate::Refusal;
use crate::asked::{Tried, WholeBoard};

/// The verdict on an attempt.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether everything is as asked.
    pub passed: bool,
    /// What was found, in words; if something is wrong, the first fault.
    pub text: String,
    /// How many words the attempt has, if it is a program without errors.
    pub words: Option<usize>,
    /// How many cycles its longest run took, if it is a program that halts as asked.
    pub cycles: Option<u64>,
    /// How many chips the attempt has, and how many address lines these have together, if it is a board.
    pub chips: Option<usize>,
    #[allow(missing_docs)]
    pub address_bits: Option<usize>,
    /// The move that shows what is wrong, if it is a board.
    pub tried: Option<Tried>,
    /// The whole board, if it belongs on one and is right there.
    pub whole: Option<WholeBoard>,
}

/// The result in words: right, or the first thing that is wrong.
pub type Judgement = Result<String, Refusal>;

/// `a`, `a and b`, `a, b and c`.
pub fn and(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
