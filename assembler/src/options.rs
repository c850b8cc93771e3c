//! What a program is assembled with: constants from outside, and what warnings mean.

use crate::codes::Warning;

/// The options of an assembly.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Constants that are defined before the program begins.
    pub constants: Vec<(String, i64)>,
    /// Warnings that are silenced.
    pub silenced: Vec<Warning>,
    /// Warnings that are errors, even if they are silenced.
    pub denied: Vec<Warning>,
    /// Whether all warnings are errors, except silenced ones.
    pub all_denied: bool,
}
