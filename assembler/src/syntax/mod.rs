//! The syntax of the language, and the parser.
//!
//! ```text
//!   tree         the syntax tree: statements, expressions, operands
//!   scan         the scanner of a line: spaces, names, signs; and the wording of errors
//!   literal      numbers, characters and texts
//!   parser       the state of the parser
//!   expression   operands, expressions and names
//!   statement    files and statements
//!   directives   statements that begin with a dot
//!   blocks       blocks, such as `.if` … `.endif`
//!   condition    the conditions of `.while`, `.repeat_until` and `.when`
//!   slips        typical errors of users of other assemblers
//!   line         the comment of a line, and its tokens for the formatter
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
pub(crate) use line::{Token, tokens};
pub use literal::{LiteralError, LiteralErrorKind, literal, quoted};
pub(crate) use parser::ParsedFile;
pub(crate) use statement::{STATEMENTS, expected_operand, is_statement, parse};
pub(crate) use tree::{
    Clause, Comparison, Condition, Expression, Mention, Operand, OperandValue, Operation, OperationKind,
    Parameter, Part, Range, Reading, Statement, StatementKind, Syntax, WrittenName,
};
