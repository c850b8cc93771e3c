//! The shape of a program: what the parser makes of the text and the expander walks through.
//!
//! Everything is flat. Statements stand in one list, where a block knows the index of its end; expressions
//! stand in one list of postfix operations. So no input, however deeply nested, can overflow the stack.

mod blocks;
mod directives;
mod expression;
mod line;
mod literal;
mod operator;
mod scan;
mod statement;

pub use directives::DIRECTIVES;
pub use line::split_comment;
pub(crate) use line::{Piece, pieces};
pub use literal::{LiteralError, LiteralErrorKind, literal, quoted};
pub use operator::{ArithmeticError, OPERATORS, Operator, PREFIX_OPERATORS, PrefixOperator};
pub(crate) use statement::parse;

use crate::names::Name;
use crate::source::Span;
use gray1_isa::Opcode;

/// Everything parsed so far, of all files.
#[derive(Debug, Default)]
pub(crate) struct Syntax {
    pub statements: Vec<Statement>,
    pub operations: Vec<Operation>,
    pub operands: Vec<Operand>,
    pub pastings: Vec<Vec<Part>>,
    pub texts: Vec<String>,
    pub parameters: Vec<(Name, Span)>,
    /// For each name, whether an expression or a call mentions it anywhere.
    pub mentioned: Vec<bool>,
    /// For each name, whether a statement defines it anywhere.
    pub defined: Vec<bool>,
}

/// Consecutive elements of one of the lists of [`Syntax`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub start: u32,
    pub end: u32,
}

impl Range {
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    pub span: Span,
    pub kind: StatementKind,
}

/// What a statement does. `end` is always the index of the statement that closes the block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StatementKind {
    Label(DefinedName),
    Constant {
        name: DefinedName,
        value: Expression,
        /// `?=`: only when the name is not defined yet.
        default: bool,
    },
    Instruction {
        opcode: Opcode,
        operand: Operand,
    },
    Call {
        name: Name,
        operands: Range,
    },
    Ram {
        name: DefinedName,
        count: Option<Expression>,
    },
    Org(Expression),
    Word(Expression),
    Include(u32),
    Once,
    Assert {
        condition: Expression,
        text: Option<u32>,
    },
    Fail(u32),
    If {
        condition: Expression,
        /// The next `.elif` or `.else`, or the end.
        next: u32,
        end: u32,
    },
    Elif {
        condition: Expression,
        next: u32,
        end: u32,
    },
    Else {
        end: u32,
    },
    EndIf,
    Repeat {
        count: Expression,
        counter: Option<Name>,
        end: u32,
    },
    For {
        counter: Name,
        /// From and to, or one text.
        over: Range,
        end: u32,
    },
    EndLoop,
    Macro {
        name: Name,
        parameters: Range,
        end: u32,
    },
    EndMacro,
    Routine {
        name: Name,
        end: u32,
    },
    EndRoutine,
    /// A statement that was not understood but was meant to define this name.
    Broken(Name),
}

/// A name where it is defined.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DefinedName {
    Plain(Name),
    /// Put together from the parts of `Syntax::pastings`.
    Pasted(u32),
}

/// A part of a pasted name.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Value(Expression),
}

/// What stands behind a mnemonic or is an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    /// Whether there is a `#`.
    pub immediate: bool,
    pub value: OperandValue,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum OperandValue {
    Expression(Expression),
    Text(u32),
}

/// A stretch of `Syntax::operations`, in postfix order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expression {
    pub operations: Range,
    pub start: u32,
    pub end: u32,
}

impl Expression {
    pub fn span(self, file: u32) -> Span {
        Span { file, start: self.start, end: self.end }
    }
}

/// One step of computing an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    pub kind: OperationKind,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum OperationKind {
    /// `hexadecimal`: written the way people write addresses.
    Number {
        value: i64,
        hexadecimal: bool,
    },
    Name(Name),
    /// Takes the values of this pasting's parts from the stack, and means the name they make.
    Paste(u32),
    Here,
    Gray,
    IsConst(Name),
    Prefix(&'static PrefixOperator),
    Infix(&'static Operator),
    /// `&&` and `||` behind their left side: if it decides, skip the right side.
    Shortcut {
        decided_by: bool,
        skip: u32,
    },
    /// A name alone in the braces of a pasted one: a parameter may stand for a text here.
    NameOrText(Name),
    /// Anything but 0 becomes 1.
    Truth,
    /// `?` behind its condition: if that is 0, skip to the other branch.
    Choose {
        skip: u32,
    },
    Skip(u32),
}

impl Syntax {
    pub fn operations(&self, expression: Expression) -> &[Operation] {
        &self.operations[expression.operations.indices()]
    }

    pub fn mention(&mut self, name: Name) {
        set_flag(&mut self.mentioned, name);
    }

    pub fn is_mentioned(&self, name: Name) -> bool {
        self.mentioned.get(name.index()) == Some(&true)
    }

    pub fn note_definition(&mut self, name: Name) {
        set_flag(&mut self.defined, name);
    }

    pub fn is_defined_somewhere(&self, name: Name) -> bool {
        self.defined.get(name.index()) == Some(&true)
    }
}

fn set_flag(flags: &mut Vec<bool>, name: Name) {
    if flags.len() <= name.index() {
        flags.resize(name.index() + 1, false);
    }
    flags[name.index()] = true;
}
