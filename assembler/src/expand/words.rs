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
    /// `STA` to the byte with the call number of this routine. This variant and the following ones become `Fixed` when all
    /// calls are known.
    StoreSite(Name),
    /// A jump to this routine.
    Enter(Name),
    /// A jump to the code that returns from a routine.
    Return(u32),
    /// A jump back to the call of a routine with the number `site`.
    Leave {
        opcode: Opcode,
        routine: u32,
        site: usize,
    },
}

/// An expanded statement, for the listing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ExpandedStatement {
    pub span: Span,
    pub expansion: u32,
    /// Its own words.
    pub first_word: u32,
    pub end_word: u32,
    /// The expansion that it opened, if it is a macro call or an include.
    pub call: Option<u32>,
    /// Set for a global label or a routine.
    pub begins_block: bool,
}

/// An `.assert` that needs later names.
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
    pub owner: ContractOwner,
    pub context: Context,
}

/// The code that a contract is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ContractOwner {
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
    /// The end of its words, including the code that returns from it.
    pub end: u32,
    /// Its first statement, and the expansion of that.
    pub span: Span,
    pub expansion: u32,
    /// The return address of each call.
    pub return_addresses: Vec<u32>,
    /// The byte of RAM with the call number.
    pub site_byte: u16,
    /// The address of the code that returns from it.
    pub return_code: u32,
    /// The number of calls for which it is assembled.
    pub planned: usize,
}

/// A `call` statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub caller: Option<Name>,
    pub callee: Name,
    /// The return address.
    pub return_address: u32,
    pub span: Span,
    pub context: Context,
}

/// The number of calls of each routine in reached code; `None` before the first pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CallCounts(pub Option<HashMap<Name, usize>>);

/// An end of a comparison that has changed A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ComparisonEnd {
    /// The block with the comparison.
    pub span: Span,
    pub context: Context,
    pub here: u32,
}

/// The results of a pass that the next pass needs, because they affect earlier code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub counts: CallCounts,
    /// The else part of each `.when` that is shorter with its parts swapped, if it is contiguous.
    pub otherwise: Vec<Option<ElsePart>>,
    /// Set if the parts keep their order, because their lengths do not settle.
    pub keeps_order: bool,
}

/// The else part of a `.when`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ElsePart {
    pub words: u32,
    /// Set if control can reach its end.
    pub falls_through: bool,
}

impl CallCounts {
    /// In the first pass every routine is assumed to be called twice.
    pub fn of(&self, name: Name) -> usize {
        self.0.as_ref().map_or(2, |counts| counts.get(&name).copied().unwrap_or(0))
    }
}
