//! Where the runs of a contract begin and end, as the definition in `docs/contracts.md` has it.

use gray1_assembler::Formula;

/// Where the runs of a contract begin and end.
pub struct Ends {
    /// The word at which they begin.
    pub entry: u16,
    /// Whether the code has no words, so that they end where they begin.
    pub is_empty: bool,
    /// What holds at the entry: the number of the call is one that exists.
    pub requires: Option<Formula>,
    /// The words at which they end, each with the condition under which they do.
    pub words: Vec<(u16, Option<Formula>)>,
}
