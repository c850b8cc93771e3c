//! The options of an assembly: predefined constants, and the severity of warnings.

use crate::codes::Warning;

/// The options of an assembly.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The predefined constants.
    pub constants: Vec<(String, i64)>,
    /// Warnings that are silenced.
    pub silenced: Vec<Warning>,
    /// Warnings that are errors, even if the source silences them.
    pub denied: Vec<Warning>,
    /// Set if all warnings are errors, except silenced ones.
    pub all_denied: bool,
}
