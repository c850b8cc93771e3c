//! The output of the expander: words with their addresses, whose contents may depend on names that are defined later,
//! and the statements from which they come.

use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Expression, Operand};
use crate::table::Context;
use gray1_isa::{Opcode, Word};
use hashbrown::HashMap;

/// A word and its address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedWord {
    pub address: u16,
    pub content: Content,
    pub context: Context,
    pub span: Span,
}

/// The contents of a word.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Instruction(Opcode, Operand),
    /// An instruction with the byte after its operand.
    NextByte(Opcode, Operand),
    Raw(Expression),
    /// `ADD` of the negative of a constant plus this number: a comparison.
    AddNegated(Operand, u8),
    Fixed(Word),
    /// `STA` to the byte in which this routine keeps the number of its call. This and what follows becomes
    /// `Fixed` when all calls are known.
    StoreSite(Name),
    /// The jump to this routine.
    Enter(Name),
    /// The jump to the code that returns from a routine.
    Return(u32),
    /// The jump back to the call of a routine that has the number `site`.
    Leave {
        opcode: Opcode,
        routine: u32,
        site: usize,
    },
}

/// A statement as it was expanded, for the listing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpandedStatement {
    pub span: Span,
    pub expansion: u32,
    /// The words that it made itself.
    pub first_word: u32,
    pub end_word: u32,
    /// The expansion, if it is a macro call or an include.
    pub call: Option<u32>,
    /// Whether it is a label that is not local, or a routine.
    pub begins_block: bool,
}

/// An `.assert` that needs names which are defined later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assertion {
    pub condition: Expression,
    pub text: Option<u32>,
    pub context: Context,
}

/// A statement of a contract.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedPromise {
    pub statement: u32,
    pub promiser: Promiser,
    pub context: Context,
}

/// The code that a contract is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Promiser {
    Program,
    /// The routine with this number.
    Routine(u32),
    /// The macro call with this expansion.
    Call(u32),
}

/// A routine, and its return addresses.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub name: Name,
    pub address: u32,
    /// The end of its words, with the code that returns from it.
    pub end: u32,
    /// The statement that begins it, and the expansion with this statement.
    pub span: Span,
    pub expansion: u32,
    /// The return address of each call.
    pub return_addresses: Vec<u32>,
    /// The byte of RAM that holds the number of the call.
    pub site_byte: u16,
    /// The address of the code that returns from it.
    pub way_back: u32,
    /// The number of calls for which it is assembled.
    pub planned: usize,
}

/// A `call` somewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub caller: Option<Name>,
    pub callee: Name,
    /// The return address.
    pub return_address: u32,
    pub span: Span,
    pub context: Context,
}

/// The number of calls of each routine from code that is itself reached; `None` before the first pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallCounts(pub Option<HashMap<Name, usize>>);

/// A place where the program continues after a comparison of a block has changed A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Compared {
    /// The block.
    pub span: Span,
    pub context: Context,
    pub here: u32,
}

/// The results of a pass that the next pass needs, because they affect earlier code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub counts: CallCounts,
    /// For each `.when` that is shorter with its `.else` first, that part, if it is in one piece.
    pub otherwise: Vec<Option<Otherwise>>,
    /// Whether such blocks keep their order, because their lengths do not settle.
    pub keeps_order: bool,
}

/// The part of a `.when` after its `.else`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Otherwise {
    pub words: u32,
    /// Whether the program continues after it.
    pub falls_through: bool,
}

impl CallCounts {
    /// In the first pass every routine is assumed to be called twice.
    pub fn of(&self, name: Name) -> usize {
        self.0.as_ref().map_or(2, |counts| counts.get(&name).copied().unwrap_or(0))
    }
}
