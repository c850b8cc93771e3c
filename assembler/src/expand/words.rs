//! What the expander leaves behind: words with their addresses, whose contents may depend on names that come later,
//! and the statements they came from.

use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Expression, Operand};
use crate::table::Context;
use gray1_isa::{Opcode, Word};
use std::collections::HashMap;

/// A word and its address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedWord {
    pub address: u16,
    pub content: Content,
    pub context: Context,
    pub span: Span,
}

/// What a word will hold.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Content {
    Instruction(Opcode, Operand),
    Raw(Expression),
    Fixed(Word),
    /// `STA` to the byte in which this routine keeps the number of its call. This and what follows becomes
    /// `Fixed` when all calls are known.
    StoreSite(Name),
    /// The jump to this routine.
    Enter(Name),
    /// The jump to the way back of a routine.
    Return(u32),
    /// A jump to behind the call of a routine that has the number `site`.
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
    /// The words it made itself.
    pub first_word: u32,
    pub end_word: u32,
    /// The macro call or include that it is.
    pub call: Option<u32>,
    /// Whether it is a label that is not local, or a routine.
    pub begins_block: bool,
}

/// An `.assert` that needs names which come later.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assertion {
    pub condition: Expression,
    pub text: Option<u32>,
    pub context: Context,
}

/// A routine, and where its calls continue.
#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub name: Name,
    pub address: u32,
    /// Where each call continues.
    pub behind_calls: Vec<u32>,
    /// The byte of RAM that says which call it is.
    pub site_byte: u16,
    /// Where its way back begins.
    pub way_back: u32,
    /// How many calls its code is made for.
    pub planned: usize,
}

/// A `call` somewhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub caller: Option<Name>,
    pub callee: Name,
    /// Where it continues.
    pub behind: u32,
    pub span: Span,
    pub context: Context,
}

/// How often each routine is called from code that is itself reached; nothing before that was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallCounts(pub Option<HashMap<Name, usize>>);

impl CallCounts {
    /// Until something is known, every routine is taken to be called twice.
    pub fn of(&self, name: Name) -> usize {
        self.0.as_ref().map_or(2, |counts| counts.get(&name).copied().unwrap_or(0))
    }
}
