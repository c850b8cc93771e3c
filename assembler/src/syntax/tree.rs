//! What the parser makes of a program and the expander walks through.
//!
//! Everything is flat. Statements stand in one list, where each statement of a block knows where the block ends;
//! expressions stand in one list of postfix operations. So no program, however deeply nested, can overflow the
//! stack.

use super::operator::{Operator, PrefixOperator};
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
    pub parameters: Vec<Name>,
}

/// Consecutive elements of one of the lists of [`Syntax`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Statement {
    pub span: Span,
    pub kind: StatementKind,
    /// The statement that closes the block which this one opens or divides; otherwise 0.
    pub end: u32,
    /// For `.if` and `.elif`: the next branch, or the end.
    pub next: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum StatementKind {
    Label(WrittenName),
    /// `default` for `?=`, which leaves a name alone that is defined already.
    Constant {
        name: WrittenName,
        value: Expression,
        default: bool,
    },
    Instruction(Opcode, Operand),
    /// A macro and its arguments, or `call` and `return`.
    Call(WrittenName, Range),
    Ram(WrittenName, Option<Expression>),
    Org(Expression),
    Word(Expression),
    Include(u32),
    Once,
    Assert(Expression, Option<u32>),
    Fail(u32),
    If(Expression),
    /// Without a condition: a branch, or a whole block, that was not understood and is never taken.
    Elif(Option<Expression>),
    Else,
    /// How often, and the name of the counter.
    Repeat(Expression, Option<Name>),
    /// The counter, and from and to, or one text.
    For(Name, Range),
    /// The name and the parameters.
    Macro(WrittenName, Range),
    Routine(WrittenName),
    EndRoutine,
    /// The end of any other block.
    End,
    /// A statement that was not understood but was meant to define this name.
    Broken(Name),
}

/// A name as the source has it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WrittenName {
    Plain(Name),
    /// Put together from the parts of this element of `Syntax::pastings`.
    Pasted(u32),
}

/// A part of a pasted name.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Value(Expression),
}

/// The operand of an instruction, or an argument.
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

/// Consecutive `Syntax::operations`, in postfix order, and the bytes of the source they stand for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expression {
    pub operations: Range,
    pub start: u32,
    pub end: u32,
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
    /// A name alone in the braces of a pasted one: there a parameter may stand for a text.
    NameOrText(Name),
    /// Takes the values of this pasting's parts from the stack; it means the name that they make.
    Paste(u32),
    Here,
    Gray,
    /// The bytes of RAM from an address to the end of the `.ram` it lies in.
    Size,
    IsConst(Name),
    Prefix(&'static PrefixOperator),
    Infix(&'static Operator),
    /// `&&` and `||` after their left side: if it decides, skip the right side.
    Shortcut {
        decided_by: bool,
        skip: u32,
    },
    /// Anything but 0 becomes 1.
    Truth,
    /// `?` after its condition: if that is 0, skip to the other branch.
    Choose(u32),
    Skip(u32),
}

impl StatementKind {
    /// The name that the statement defines, or was meant to.
    pub fn defines(self) -> Option<WrittenName> {
        match self {
            StatementKind::Label(name)
            | StatementKind::Constant { name, .. }
            | StatementKind::Ram(name, _)
            | StatementKind::Macro(name, _)
            | StatementKind::Routine(name) => Some(name),
            StatementKind::Broken(name) => Some(WrittenName::Plain(name)),
            _ => None,
        }
    }
}

impl Operand {
    pub fn is_text(&self) -> bool {
        matches!(self.value, OperandValue::Text(_))
    }
}

impl WrittenName {
    /// The name, if it is spelled out.
    pub fn plain(self) -> Option<Name> {
        match self {
            WrittenName::Plain(name) => Some(name),
            WrittenName::Pasted(_) => None,
        }
    }
}

impl Range {
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    pub fn indices(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl Expression {
    pub fn span(self, file: u32) -> Span {
        Span { file, start: self.start, end: self.end }
    }
}

impl Syntax {
    pub fn operations(&self, expression: Expression) -> &[Operation] {
        &self.operations[expression.operations.indices()]
    }

    /// The name, spelled out or pasted, that an expression consists of, if it is nothing else.
    pub fn only_written_name(&self, expression: Expression) -> Option<WrittenName> {
        let [parts @ .., Operation { kind: OperationKind::Paste(pasting), .. }] = self.operations(expression)
        else {
            return self.only_name(expression).map(WrittenName::Plain);
        };
        let values = self.pastings[*pasting as usize].iter().filter_map(|part| match part {
            Part::Value(value) => Some(value.operations.len()),
            Part::Text(_) => None,
        });
        (values.sum::<usize>() == parts.len()).then_some(WrittenName::Pasted(*pasting))
    }

    /// The name that an expression consists of, if it is nothing else.
    pub fn only_name(&self, expression: Expression) -> Option<Name> {
        match self.operations(expression) {
            [Operation { kind: OperationKind::Name(name), .. }] => Some(*name),
            _ => None,
        }
    }
}
