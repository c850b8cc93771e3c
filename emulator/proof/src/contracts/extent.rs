//! The entry and the exits of a contract, as defined in `docs/contracts.md`.

use gray1_assembler::Formula;

/// The entry and the exits of a contract.
pub struct Extent {
    /// The word at which runs begin.
    pub entry: u16,
    /// Whether the code has no words, so that runs end where they begin.
    pub is_empty: bool,
    /// The condition at the entry: a call with this number exists.
    pub requires: Option<Formula>,
    /// The words at which runs end, each with its condition, if any.
    pub exits: Vec<(u16, Option<Formula>)>,
}
