//! Contracts of routines, macros and whole programs. Every name in their formulas is resolved to a byte of RAM, a register
//! or a number. Contracts add no words to the program; the crate `gray1-proof` proves them.

use crate::source::Span;
use gray1_text::{Operator, PrefixOperator};
use std::ops::Range;

/// The contract of a piece of code.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// The name of the routine or macro; `program` for the whole program.
    pub name: String,
    /// The code that it describes.
    pub subject: Subject,
    /// The statement that begins the code: the head of the routine, the call of the macro, or the first directive.
    pub span: Span,
    /// The number of the expansion with this statement, as in [`Program::numbered_chain`](crate::Program); 0 outside all.
    pub expansion: u32,
    /// The preconditions.
    pub requires: Vec<Promise>,
    /// The postconditions.
    pub ensures: Vec<Promise>,
    /// Set if there are other postconditions, about inputs, which formulas cannot express.
    pub ensures_more: bool,
    /// The invariants, each with the sequence number at which it holds. The proof forgets everything else there.
    pub invariants: Vec<(u16, Promise)>,
    /// The assertions, each with its sequence number. The proof forgets nothing there.
    pub checks: Vec<(u16, Promise)>,
    /// The loop variants, each with its sequence number. They decrease each time that control arrives there.
    pub variants: Vec<(u16, Promise)>,
    /// For a macro call, its other exits: labels that its arguments name.
    pub exits: Vec<u16>,
    /// The frame condition, if there is one.
    pub modifies: Option<Modifies>,
    /// The maximum number of cycles, if there is one.
    pub within: Option<(u64, Span)>,
}

/// The code that a contract is about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Subject {
    /// A routine, by its index in `Program::routines`. It begins at its first word, and ends at the word after its call.
    Routine(usize),
    /// A macro call. It begins at the first of these words, and ends at the word after them, or at one of `exits`. A call
    /// without words has an empty range.
    Call(Range<u16>),
    /// The whole program, from a reset to each halt.
    #[default]
    Program,
}

/// A formula that must hold, which means that its value is not 0.
#[derive(Clone, Debug)]
pub struct Promise {
    /// The formula.
    pub formula: Formula,
    /// Its position.
    pub span: Span,
}

/// The state that code may change, apart from the bytes of RAM that the assembler has allocated for itself.
#[derive(Clone, Debug, Default)]
pub struct Modifies {
    /// Bytes of RAM, by their addresses.
    pub bytes: Vec<u16>,
    /// Whether A may be changed.
    pub a: bool,
    /// Whether C may be changed.
    pub c: bool,
    /// Its position.
    pub span: Option<Span>,
}

/// A formula in postfix form: each term takes the values of its operands from a stack, and leaves its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Formula(pub Vec<Term>);

/// An operation of a formula. `before` means the value at the entry of the code, as in `old(x)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// A number.
    Number(i64),
    /// A byte of RAM, as 0..255.
    Byte {
        /// Its address.
        address: u16,
        /// Set if its value at the entry is meant.
        before: bool,
    },
    /// The accumulator, as 0..255.
    A {
        /// Set if its value at the entry is meant.
        before: bool,
    },
    /// The carry, 0 or 1.
    C {
        /// Set if its value at the entry is meant.
        before: bool,
    },
    /// The last byte that the program has read from `KEYS`.
    Keys,
    /// Takes a row; gives the columns of the last pad that the program has read, or 0 if that is in another row.
    Pad,
    /// Whether control is at this sequence number.
    At(u16),
    /// Takes one value.
    Prefix(&'static PrefixOperator),
    /// Takes two values. `&&` and `||` have a value even if only the deciding side has one.
    Infix(&'static Operator),
    /// Takes a condition and two values; gives the first value if the condition is not 0, otherwise the second.
    Choose,
}
