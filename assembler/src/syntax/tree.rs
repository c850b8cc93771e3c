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

/// The syntax of all files so far.
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
    /// All mentions of names, also on lines that were not understood, for the index of names.
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
    /// The statement that closes the block which this one opens or divides; otherwise 0.
    pub end: u32,
    /// For `.if` and `.elif`: the next branch, or the end.
    pub next: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum StatementKind {
    Label(WrittenName),
    /// `default` is for `?=`, which does not change a name that is already defined.
    Constant {
        name: WrittenName,
        value: Expression,
        default: bool,
    },
    /// `:=`, which gives a name a value from here on.
    Variable(WrittenName, Expression),
    /// How many parameters, and the value. In it, parameters are [`OperationKind::Argument`].
    Function(WrittenName, u32, Expression),
    /// The values and texts of a table.
    Table(WrittenName, Range),
    /// More values of a table.
    Extend(WrittenName, Range),
    Instruction(Opcode, Operand),
    /// A macro and its arguments, or `call` and `return`.
    Call(WrittenName, Range),
    Ram(WrittenName, Option<Expression>),
    Org(Expression),
    Word(Expression),
    Include(u32),
    Once,
    Assert(Expression, Option<u32>),
    /// A formula of a contract, or the number of cycles in `.within`.
    Promise(Clause, Expression),
    /// What code with a contract may change.
    Modifies(Range),
    Fail(u32),
    If(Expression),
    /// Without a condition: a branch, or a whole block, that was not understood and is never taken.
    Elif(Option<Expression>),
    Else,
    /// `.while`, `.repeat_until` and `.when`, with their conditions, which are evaluated at run time.
    While(u32),
    RepeatUntil(u32),
    When(u32),
    WhenElse,
    /// The end of one of these.
    EndControl,
    Break,
    Continue,
    /// The number of iterations, and the name of the counter.
    Repeat(Expression, Option<WrittenName>),
    /// The counter, and the first and last values, or one text.
    For(WrittenName, Range),
    /// The name and the parameters.
    Macro(WrittenName, Range),
    Routine(WrittenName),
    EndRoutine,
    /// The end of any other block.
    End,
    /// A statement that was not understood, but probably defines this name.
    Broken(Name),
}

/// What an expression means in a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    Requires,
    Ensures,
    Invariant,
    Check,
    Variant,
    Within,
}

/// A name as it is written in the source.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WrittenName {
    Plain(Name),
    /// Put together from the parts of this element of `Syntax::pastings`.
    Pasted(u32),
}

/// A name and its position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mention {
    pub name: WrittenName,
    pub span: Span,
    /// Whether it names a parameter or a counter, where the statement introduces that.
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
    /// Whether it is in quotes: then it stands for the text of its argument, which may be a bare name.
    pub is_text: bool,
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

/// A condition that is evaluated at run time. Numbers are indices of other `Syntax::conditions`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Condition {
    Carry,
    Zero,
    Compare(Reading, Operand, Comparison, Operand),
    /// Whether the two have a bit in common.
    Has(Operand, Operand),
    Not(u32),
    Both(u32, u32),
    Either(u32, u32),
}

/// What the sides of a comparison are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Bytes, as 0..255.
    Bytes,
    /// Bytes, as -128..127.
    Signed,
    /// Numbers of 16 bits, the low byte first.
    Words,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
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
    /// `hexadecimal`: written in the form that is usual for addresses.
    Number {
        value: i64,
        hexadecimal: bool,
    },
    Name(Name),
    /// A name alone in the braces of a pasted one: there a parameter may stand for a text.
    NameOrText(Name),
    /// A name where a function or an index takes a text as well as a value.
    ValueOrText(Name),
    /// An argument of the function whose value this is part of.
    Argument {
        index: u32,
        may_be_text: bool,
    },
    Text(u32),
    /// Takes a text and a number; gives the byte of the text with this number.
    Index,
    /// The bytes of a text.
    Length,
    /// Takes a value and a number; gives that byte of a constant, or the byte of RAM at that distance.
    Byte {
        /// Whether there is a `#` before the value.
        constant: bool,
        /// The name that the value consists of, which may be a parameter given with `#`.
        name: Option<Name>,
    },
    /// A function with this many arguments. If the name is pasted, the values of its parts are below them.
    Call(WrittenName, u32),
    /// Takes the values of the parts of this pasting from the stack, and looks up the name that they make.
    Paste(u32),
    Here,
    Gray,
    /// The number of bytes of RAM from an address to the end of its `.ram`.
    Size,
    IsConst(Name),
    /// Whether a parameter was given with `#` and already has a value.
    IsKnown(Name),
    Prefix(&'static PrefixOperator),
    Infix(&'static Operator),
    /// `&&` and `||` after their left side: if it determines the result, skip the right side.
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
    /// The name that the statement defines, and the kind of thing; without a kind, it only probably defines the name.
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

    /// Whether it is part of a contract, so that it makes no difference to the program.
    pub fn is_promise(self) -> bool {
        matches!(self, StatementKind::Promise(..) | StatementKind::Modifies(_))
    }

    /// The name that the statement defines, or probably defines.
    pub fn defines(self) -> Option<WrittenName> {
        self.definition().map(|(name, _)| name)
    }

    /// What kind of thing the statement defines.
    pub fn symbol_kind(self) -> Option<SymbolKind> {
        self.definition()?.1
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
