//! The syntax of the language, and the parser.
//!
//! ```text
//!   tree         the output of the parser: statements, expressions, operands
//!   scan         one line from left to right: spaces, names, signs; and the wording of errors
//!   literal      numbers, characters and texts
//!   parser       the state of the parser
//!   expression   operands, expressions and names
//!   statement    files and statements
//!   directives   the statements that begin with a dot
//!   blocks       directives that belong together, such as `.if` … `.endif`
//!   condition    the conditions of `.while`, `.repeat_until` and `.when`
//!   line         the comment of a line, and its pieces for the formatter
//! ```

mod blocks;
mod condition;
mod directives;
mod expression;
mod line;
mod literal;
mod parser;
mod scan;
mod slips;
mod statement;
mod tree;

pub(crate) use blocks::{closes_block, opens_block};
pub use directives::DIRECTIVES;
pub(crate) use expression::FUNCTIONS;
pub use line::split_comment;
pub(crate) use line::{Piece, pieces};
pub use literal::{LiteralError, LiteralErrorKind, literal, quoted};
pub(crate) use parser::Parsed;
pub(crate) use statement::{expected_operand, parse};
pub(crate) use tree::{
    Clause, Comparison, Condition, Expression, Mention, Operand, OperandValue, Operation, OperationKind,
    Parameter, Part, Range, Reading, Statement, StatementKind, Syntax, WrittenName,
};
