//! The state of an evaluation, with its own stacks.

use crate::contract::Term;
use crate::expansion::Expansion;
use crate::source::Span;
use crate::syntax::{Expression, Range};
use crate::table::{Context, Value};
use gray1_text::Operator;

/// The position of an operation, and its context.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Origin {
    pub span: Span,
    pub context: Context,
    /// The function calls that contain it: those of [`Evaluation::calls`] from here on.
    pub calls_from: usize,
    /// The position on the stack of the arguments of its function.
    pub arguments: usize,
    /// Set in the formula of a contract.
    pub is_formula: bool,
}

/// The evaluation in progress.
#[derive(Default)]
pub(crate) struct Evaluation {
    pub(super) frames: Vec<Frame>,
    pub(super) stack: Vec<Value>,
    /// The function calls in progress, the outermost first.
    pub(super) calls: Vec<Expansion>,
    /// Set after expansion, when all definitions are known. During expansion, an undefined name may be defined later.
    pub is_final: bool,
    /// The operand without `#` that is being evaluated. A number in it is an address.
    pub address_operand: Option<Span>,
    /// The current operation.
    pub at: Origin,
    pub(super) formula: FormulaState,
    /// Set if an address has been compared with a number since the last reset.
    pub compared_address: bool,
    /// The two sides of the last comparison.
    pub last_comparison: Option<(i64, i64)>,
}

/// The formula of a contract in evaluation.
#[derive(Default)]
pub(super) struct FormulaState {
    /// The values at run time, which [`ValueKind::Terms`](crate::table::ValueKind) numbers.
    pub terms: Vec<Vec<Term>>,
    /// Set if there is an entry to which `old` refers.
    pub has_before: bool,
    /// Set if it depends on an argument that is an input, which has no lasting value.
    pub has_input: bool,
}

/// Operations in evaluation.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub at: u32,
    pub end: u32,
    pub context: Context,
    /// The function calls that contain it: those of [`Evaluation::calls`] from here on.
    pub calls_from: usize,
    /// The position on the stack of the arguments of its function.
    pub arguments: usize,
    /// Set in the formula of a contract, where bytes of RAM and registers have values at run time.
    pub is_formula: bool,
    pub ending: Ending,
}

/// The continuation after the operations of a frame.
#[derive(Clone, Copy)]
pub(super) enum Ending {
    /// After an expression.
    Value,
    /// After the value of a cell.
    Cell(u32),
    /// After the value of a cell of which only the existence matters. The stack had this height before.
    Probe { cell: u32, height: usize },
    /// After the value of a function: remove its arguments.
    Function,
    /// After the right side of `&&` or `||` at run time: combine both sides.
    Join(&'static Operator),
    /// After the first branch of a `?` at run time: evaluate the other.
    ElseBranch { at: u32, end: u32 },
    /// After the other branch: combine all three.
    Choose,
}

impl Origin {
    pub fn new(span: Span, context: Context) -> Origin {
        Origin { span, context, calls_from: 0, arguments: 0, is_formula: false }
    }
}

impl Frame {
    pub fn new(expression: Expression, context: Context, ending: Ending, calls_from: usize) -> Frame {
        let Range { start: at, end } = expression.operations;
        Frame { at, end, context, calls_from, arguments: 0, is_formula: false, ending }
    }

    /// The cell that it evaluates.
    pub fn cell(&self) -> Option<u32> {
        match self.ending {
            Ending::Cell(cell) | Ending::Probe { cell, .. } => Some(cell),
            _ => None,
        }
    }
}
