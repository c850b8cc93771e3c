//! Words as the expander places them: where each goes is settled, what exactly it holds may depend on names
//! that come later.

use crate::source::Span;
use crate::syntax::{Expression, Operand};
use crate::table::Context;
use gray1_isa::{Opcode, PROGRAM_WORDS, Word};

/// A word with its place.
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
    Instruction {
        opcode: Opcode,
        operand: Operand,
    },
    Raw(Expression),
    Fixed(Word),
    /// `LDA` of the number of a call.
    Site {
        call: u32,
    },
    /// `STA` to the byte that remembers it.
    SiteByte {
        call: u32,
    },
    /// The jump to the routine of a call.
    Enter(u32),
    /// The jump to the way back of a routine.
    Return {
        routine: u32,
    },
    /// A jump to the place behind a call of a routine, by the number of the call.
    Leave {
        opcode: Opcode,
        routine: u32,
        site: u32,
    },
}

/// What a stretch of the listing shows: a statement and the words it made itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    pub span: Span,
    pub expansion: u32,
    pub first_word: u32,
    pub end_word: u32,
    /// The expansion that this statement asked for.
    pub call: Option<u32>,
    /// Whether it is a label that is not local, or a routine.
    pub begins_block: bool,
}

/// Which word, if any, each cell of program memory has got.
pub(crate) struct Occupied(Box<[u32; PROGRAM_WORDS]>);

impl Occupied {
    pub fn new() -> Occupied {
        Occupied(Box::new([0; PROGRAM_WORDS]))
    }

    /// Takes a cell for a word; if it is taken, says by which.
    pub fn take(&mut self, address: u16, word: u32) -> Option<u32> {
        let cell = &mut self.0[usize::from(address)];
        match *cell {
            0 => {
                *cell = word + 1;
                None
            }
            taken => Some(taken - 1),
        }
    }
}
