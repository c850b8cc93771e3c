//! Contracts: what routines, macros and whole programs promise, with every name in their formulas resolved to a byte of
//! RAM, a register or a number. They add no word to the program; the crate `gray1-contracts` proves them.

use crate::source::Span;
use gray1_text::{Operator, PrefixOperator};
use std::ops::Range;

/// What a piece of code promises to whoever runs it.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// The name of the routine or macro; `program` for the whole program.
    pub name: String,
    /// The code that makes the promise.
    pub subject: Subject,
    /// The statement that begins the code: the head of the routine, the call of the macro, or the first directive.
    pub span: Span,
    /// The number of the expansion with this statement, as in [`Program::numbered_chain`](crate::Program); 0 outside all.
    pub expansion: u32,
    /// What has to hold before.
    pub requires: Vec<Promise>,
    /// What holds afterwards.
    pub ensures: Vec<Promise>,
    /// Whether something else holds afterwards that is about an input, which formulas do not describe.
    pub ensures_more: bool,
    /// What holds whenever control is at one of these sequence numbers.
    pub invariants: Vec<(u16, Promise)>,
    /// The same, without a cut: nothing is forgotten there.
    pub checks: Vec<(u16, Promise)>,
    /// Bytes that get smaller each time that control arrives at one of these sequence numbers.
    pub variants: Vec<(u16, Promise)>,
    /// For a macro call: the labels that its arguments name, where it ends, too.
    pub exits: Vec<u16>,
    /// All that may be changed, if that is said.
    pub modifies: Option<Modifies>,
    /// The most cycles that it may take.
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

/// A formula that has to hold: to have a value other than 0.
#[derive(Clone, Debug)]
pub struct Promise {
    /// What has to hold.
    pub formula: Formula,
    /// Where it is written.
    pub span: Span,
}

/// What code may change, besides the bytes of RAM that the assembler has allocated for itself.
#[derive(Clone, Debug, Default)]
pub struct Modifies {
    /// Bytes of RAM, by their addresses.
    pub bytes: Vec<u16>,
    /// Whether A may be changed.
    pub a: bool,
    /// Whether C may be changed.
    pub c: bool,
    /// Where it is written.
    pub span: Option<Span>,
}

/// A formula in postfix form: each term takes the values of its operands from a stack, and leaves its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Formula(pub Vec<Term>);

/// A step of computing a formula. `before`: the value at the entry of the code, as in `old(x)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// A number.
    Number(i64),
    /// A byte of RAM, as 0..255.
    Byte {
        /// Its address.
        address: u16,
        /// At the entry.
        before: bool,
    },
    /// The accumulator, as 0..255.
    A {
        /// At the entry.
        before: bool,
    },
    /// The carry, 0 or 1.
    C {
        /// At the entry.
        before: bool,
    },
    /// What the program has read last from `KEYS`.
    Keys,
    /// Takes a row: the columns of the pad that the program has read last, if it is in this row, else 0.
    Pad,
    /// Whether control is at this sequence number.
    At(u16),
    /// Takes one value.
    Prefix(&'static PrefixOperator),
    /// Takes two values. `&&` and `||` have a value also where only the side that decides has one.
    Infix(&'static Operator),
    /// Takes a condition and two values, and gives the first of these if the condition is not 0, else the second.
    Choose,
}
