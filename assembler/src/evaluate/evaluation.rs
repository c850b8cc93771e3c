//! The state of an evaluation: what is being computed, on stacks of its own.

use crate::expansion::Expansion;
use crate::source::Span;
use crate::table::{Context, Value};

/// Whether all names are known already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The program is still being expanded: a name not known yet may come later.
    Expanding,
    /// All definitions have been seen.
    Finished,
}

/// The evaluation in progress, and what it has met.
#[derive(Default)]
pub(crate) struct Evaluation {
    pub(super) frames: Vec<Frame>,
    pub(super) stack: Vec<Value>,
    /// The function calls whose values are being computed, the outermost first.
    pub(super) calls: Vec<Expansion>,
    /// The operand without `#` that is being computed: a number in it is an address.
    pub address_operand: Option<Span>,
    /// Whether this is the formula of a contract, in which more functions have a meaning.
    pub(super) is_formula: bool,
    /// Whether an address has been compared with a number since this was reset.
    pub compared_address: bool,
    /// The two sides of the comparison that was computed last.
    pub last_comparison: Option<(i64, i64)>,
}

/// A cell, an expression or the value of a function being computed.
pub(super) struct Frame {
    pub(super) at: u32,
    pub(super) end: u32,
    pub(super) context: Context,
    pub(super) cell: Option<u32>,
    pub(super) calls_from: usize,
    /// For a function, the position of its arguments on the stack.
    pub(super) arguments: Option<usize>,
    /// If this only determines whether there is a value, the height of the stack before it.
    pub(super) asked_at: Option<usize>,
}
