//! The syntax tree: the output of the parser and the input of the expander.
//!
//! It is flat: statements are in one list, in which each statement of a block has the index of the end of the block,
//! and expressions are in one list of postfix operations. So no program, however deeply nested, can overflow the stack.

use crate::kind::SymbolKind;
use crate::names::Name;
use crate::source::Span;
use gray1_isa::Opcode;
use gray1_text::{Operator, PrefixOperator};
use hashbrown::HashSet;
use std::cmp::Ordering;

/// The syntax tree of all files so far.
#[derive(Debug, Default)]
pub(crate) struct Syntax {
    pub statements: Vec<Statement>,
    pub operations: Vec<Operation>,
    pub operands: Vec<Operand>,
    pub pastings: Vec<Vec<Part>>,
    pub conditions: Vec<Condition>,
    pub texts: Vec<String>,
    pub parameters: Vec<Parameter>,
    /// The statements that open blocks which are never closed.
    pub unclosed: HashSet<u32>,
    /// All mentions of names, including those on broken lines, for the index of names.
    pub mentions: Vec<Mention>,
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
    /// The statement that closes the block which this one opens or divides, otherwise 0.
    pub end: u32,
    /// For `.if` and `.elif`, the next branch or the end.
    pub next: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum StatementKind {
    Label(WrittenName),
    /// `default` is set for `?=`, which does not redefine a name.
    Constant {
        name: WrittenName,
        value: Expression,
        default: bool,
    },
    /// `:=`, an assignment.
    Variable(WrittenName, Expression),
    /// The number of parameters, and the value, in which they are [`OperationKind::Argument`].
    Function(WrittenName, u32, Expression),
    /// The values and texts of a table.
    Table(WrittenName, Range),
    /// More values of a table.
    Extend(WrittenName, Range),
    Instruction(Opcode, Operand),
    /// A macro with its arguments, or `call`, `return`, `read_table`.
    Call(WrittenName, Range),
    Ram(WrittenName, Option<Expression>),
    Org(Expression),
    Word(Expression),
    Include(u32),
    Once,
    Assert(Expression, Option<u32>),
    /// A formula of a contract, or the number of cycles in `.within`.
    Promise(Clause, Expression),
    /// The frame condition of a contract.
    Modifies(Range),
    Fail(u32),
    If(Expression),
    /// Without a condition, it is a branch, or a whole block, that was not understood and is never taken.
    Elif(Option<Expression>),
    Else,
    /// `.while`, `.repeat_until` and `.when`, with their conditions, which are evaluated at run time.
    While(u32),
    RepeatUntil(u32),
    When(u32),
    WhenElse,
    /// The end of such a block.
    EndControl,
    Break,
    Continue,
    /// The number of iterations, and the name of the counter.
    Repeat(Expression, Option<WrittenName>),
    /// The counter, and the range or the text.
    For(WrittenName, Range),
    /// The name and the parameters.
    Macro(WrittenName, Range),
    Routine(WrittenName),
    EndRoutine,
    /// The end of any other block.
    End,
    /// A broken statement that probably defines this name.
    Broken(Name),
}

/// The role of an expression in a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    Requires,
    Ensures,
    Invariant,
    Check,
    Variant,
    Within,
}

/// A name in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WrittenName {
    Plain(Name),
    /// Pasted from the parts in this element of `Syntax::pastings`.
    Pasted(u32),
}

/// A name and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    pub name: WrittenName,
    pub span: Span,
    /// Set if it introduces a parameter or a counter.
    pub is_binding: bool,
}

/// A part of a pasted name.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Value(Expression),
}

/// A parameter of a macro.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parameter {
    pub name: Name,
    /// Set if it is in quotes: it stands for the text of its argument, which may be a bare name.
    pub is_text: bool,
    /// Its default value.
    pub default: Option<Operand>,
}

/// The operand of an instruction, or an argument.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand {
    /// Set if there is a `#`.
    pub immediate: bool,
    pub value: OperandValue,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum OperandValue {
    Expression(Expression),
    Text(u32),
}

/// A condition that is evaluated at run time. Numbers are indices of other `Syntax::conditions`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    Carry,
    Zero,
    Compare(Reading, Operand, Comparison, Operand),
    /// Whether the two have a common bit.
    Has(Operand, Operand),
    Not(u32),
    Both(u32, u32),
    Either(u32, u32),
}

/// The type of the sides of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Bytes, as 0..255.
    Bytes,
    /// Bytes, as -128..127.
    Signed,
    /// Numbers of 16 bits, the low byte first.
    Words,
}

/// A comparison: a set of bits for the orders of its sides in which it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comparison(u8);

/// Consecutive `Syntax::operations`, in postfix order, and their range in the source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Expression {
    pub operations: Range,
    pub start: u32,
    pub end: u32,
}

/// An operation of an expression.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    pub kind: OperationKind,
    pub start: u32,
    pub end: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum OperationKind {
    /// `hexadecimal` numbers are usually addresses.
    Number {
        value: i64,
        hexadecimal: bool,
    },
    Name(Name),
    /// A name alone in the braces of a pasted name, where a parameter may stand for a text.
    NameOrText(Name),
    /// A name where a text, a table or a value is allowed: before an index, or as an argument.
    ValueOrText(Name),
    /// An argument of the enclosing function.
    Argument {
        index: u32,
        may_be_text: bool,
    },
    Text(u32),
    /// Takes a text or a table, and an index; gives the element.
    Index,
    /// The length of a text or a table.
    Length,
    /// Takes a value and a number; gives that byte of a constant, or the byte of RAM at that distance.
    Byte {
        /// Set if there is a `#` before the value.
        constant: bool,
        /// The name that the value consists of, if it is nothing else.
        name: Option<Name>,
    },
    /// Calls a function with this many arguments. If its name is pasted, the values of the parts are below them.
    Call(WrittenName, u32),
    /// Takes the values of the parts of this pasting, and looks up the resulting name.
    Paste {
        pasting: u32,
        /// Set if it may be the name of a table.
        may_be_text: bool,
    },
    Here,
    Gray,
    /// The number of bytes of RAM from an address to the end of its `.ram`.
    Size,
    IsConst(Name),
    /// Whether the argument of a parameter has a `#`, and its value is known.
    IsKnown(Name),
    Prefix(&'static PrefixOperator),
    Infix(&'static Operator),
    /// `&&` and `||` after their left side: if it decides the result, skip the right side.
    Shortcut {
        decided_by: bool,
        skip: u32,
    },
    /// Converts a value to 0 or 1.
    Truth,
    /// `?` after its condition: if it is 0, skip to the other branch.
    Choose(u32),
    Skip(u32),
}

impl StatementKind {
    /// The name that the statement defines, and its kind; without a kind, it only probably defines the name.
    fn definition(self) -> Option<(WrittenName, Option<SymbolKind>)> {
        let (name, kind) = match self {
            StatementKind::Label(name) => (name, SymbolKind::Label),
            StatementKind::Constant { name, .. } => (name, SymbolKind::Constant),
            StatementKind::Variable(name, _) => (name, SymbolKind::Variable),
            StatementKind::Function(name, ..) => (name, SymbolKind::Function),
            StatementKind::Table(name, _) => (name, SymbolKind::Table),
            StatementKind::Ram(name, _) => (name, SymbolKind::Ram),
            StatementKind::Macro(name, _) => (name, SymbolKind::Macro),
            StatementKind::Routine(name) => (name, SymbolKind::Routine),
            StatementKind::Broken(name) => return Some((WrittenName::Plain(name), None)),
            _ => return None,
        };
        Some((name, Some(kind)))
    }

    /// Whether it is part of a contract.
    pub fn is_promise(self) -> bool {
        matches!(self, StatementKind::Promise(..) | StatementKind::Modifies(_))
    }

    /// The name that the statement defines, or probably defines.
    pub fn defines(self) -> Option<WrittenName> {
        self.definition().map(|(name, _)| name)
    }

    /// The kind of name that the statement defines.
    pub fn symbol_kind(self) -> Option<SymbolKind> {
        self.definition()?.1
    }
}

impl Comparison {
    pub const LESS: Comparison = Comparison(0b001);
    pub const EQUAL: Comparison = Comparison(0b010);
    pub const GREATER: Comparison = Comparison(0b100);
    pub const LESS_OR_EQUAL: Comparison = Comparison(0b011);
    pub const NOT_EQUAL: Comparison = Comparison(0b101);
    pub const GREATER_OR_EQUAL: Comparison = Comparison(0b110);

    /// Whether it holds for two sides in this order.
    pub fn holds(self, order: Ordering) -> bool {
        self.0 >> (order as i8 + 1) & 1 == 1
    }

    pub fn negated(self) -> Comparison {
        Comparison(!self.0 & 0b111)
    }

    /// The comparison with its sides swapped.
    pub fn mirrored(self) -> Comparison {
        Comparison(self.0 >> 2 & 0b001 | self.0 & 0b010 | self.0 << 2 & 0b100)
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
        let [parts @ .., Operation { kind: OperationKind::Paste { pasting, .. }, .. }] =
            self.operations(expression)
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
