//! The state of an evaluation, with its own stacks.

use crate::expansion::Expansion;
use crate::source::Span;
use crate::table::{Context, Value};

/// Whether all names are known already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// During expansion: an undefined name may be defined later.
    Expanding,
    /// After expansion: all definitions are known.
    Finished,
}

/// The evaluation in progress.
#[derive(Default)]
pub(crate) struct Evaluation {
    pub(super) frames: Vec<Frame>,
    pub(super) stack: Vec<Value>,
    /// The function calls in progress, the outermost first.
    pub(super) calls: Vec<Expansion>,
    /// The operand without `#` that is being evaluated. A number in it is an address.
    pub address_operand: Option<Span>,
    /// Set in the formula of a contract, which has more functions.
    pub(super) is_formula: bool,
    /// Set if an address has been compared with a number since the last reset.
    pub compared_address: bool,
    /// The two sides of the last comparison.
    pub last_comparison: Option<(i64, i64)>,
}

/// A cell, an expression or the value of a function in evaluation.
pub(super) struct Frame {
    pub(super) at: u32,
    pub(super) end: u32,
    pub(super) context: Context,
    pub(super) cell: Option<u32>,
    pub(super) calls_from: usize,
    /// For a function, the position of its arguments on the stack.
    pub(super) arguments: Option<usize>,
    /// If this only determines whether there is a value, the previous height of the stack.
    pub(super) probe_height: Option<usize>,
}
