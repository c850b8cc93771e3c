//! The third claim: the board computes the instruction set.
//!
//! Every case there is, on the chips engine: what each data instruction does with all operands, what each address
//! shows, sends and holds, each branch decision, every step of the counter, every jump from everywhere to everywhere, and reset from whatever power-up can
//! leave. What is right is said here, from the definition of the instruction set, and not read off another engine.

mod addresses;
mod data;
mod jumps;
mod resets;

use crate::undecided::Undecided;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, Unsettled};
use serde::Serialize;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

/// A kind of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cases {
    /// Data instructions with every A, operand and C, from RAM and as a constant.
    Data,
    /// A store to each address, and a load from there: RAM, display, port and inputs.
    Addresses,
    /// Jumps with every A and C, with the right and the wrong parity.
    Branches,
    /// Steps of the counter.
    Steps,
    /// Jumps from everywhere to everywhere, with both parities.
    Jumps,
    /// Resets from every state of the nets that control the machine.
    Resets,
}

/// Cases that are tried in one go.
#[derive(Clone, Debug)]
pub(crate) struct Portion {
    pub cases: Cases,
    pub part: Range<u16>,
}

/// A case in which the board does something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// What was tried.
    pub case: String,
    /// What the instruction set says, and what the board does.
    pub expected: String,
    #[allow(missing_docs)]
    pub got: String,
}

impl Cases {
    /// All kinds.
    pub const ALL: [Cases; 6] =
        [Cases::Data, Cases::Addresses, Cases::Branches, Cases::Steps, Cases::Jumps, Cases::Resets];

    /// What one calls them.
    pub fn name(self) -> &'static str {
        match self {
            Cases::Data => "data instructions",
            Cases::Addresses => "stores and loads",
            Cases::Branches => "branch decisions",
            Cases::Steps => "counting steps",
            Cases::Jumps => "jumps",
            Cases::Resets => "resets",
        }
    }

    /// How many there are.
    pub fn count(self) -> u64 {
        match self {
            Cases::Data => 5 * 2 * 256 * 256 * 2,
            Cases::Addresses => 4096 * 2 * 2,
            Cases::Branches => 3 * 256 * 2 * 2,
            Cases::Steps => 4096,
            Cases::Jumps => 4096 * 4096 * 2,
            Cases::Resets => 4096 << 9,
        }
    }

    /// Why not all of them can be tried on this board, if that is so.
    pub(crate) fn too_many(self, board: &Board) -> Option<Undecided> {
        if self == Cases::Resets { resets::too_many(board) } else { None }
    }

    /// All of them, in portions.
    pub(crate) fn portions(self) -> Vec<Portion> {
        let (whole, portion) = match self {
            Cases::Data => (5 * 256u16, 16usize),
            Cases::Addresses => (4096, 256),
            Cases::Branches => (3, 1),
            Cases::Steps => (1, 1),
            Cases::Jumps => (4096, 16),
            Cases::Resets => (4096, 64),
        };
        let parts = (0..whole).step_by(portion);
        parts.map(|first| Portion { cases: self, part: first..(first + portion as u16).min(whole) }).collect()
    }
}

impl Portion {
    /// How many cases it has.
    pub fn count(&self) -> u64 {
        let whole = match self.cases {
            Cases::Data => 5 * 256,
            Cases::Branches => 3,
            Cases::Steps => 1,
            Cases::Addresses | Cases::Jumps | Cases::Resets => 4096,
        };
        self.cases.count() / whole * self.part.len() as u64
    }

    /// Tries its cases; gives how many, or the first in which the board does something else. Nothing if it was stopped.
    pub fn try_all(&self, board: &Board, stop: &AtomicBool) -> Option<Result<u64, Mismatch>> {
        let part = self.part.clone();
        match self.cases {
            Cases::Data => data::instructions(board, part, stop),
            Cases::Addresses => addresses::addresses(board, part, stop),
            Cases::Branches => data::branches(board, part, stop),
            Cases::Steps => jumps::steps(board, stop),
            Cases::Jumps => jumps::jumps(board, part, stop),
            Cases::Resets => resets::resets(board, part, stop),
        }
    }
}

/// A machine to try cases on.
fn machine(board: &Board, image: &Image, noise: Noise) -> Result<ChipsEngine, Mismatch> {
    ChipsEngine::power_up(board, image, noise)
        .map_err(|unsettled| Mismatch::at("the reset after power-up", unsettled))
}

impl Mismatch {
    fn new(case: impl Into<String>, expected: impl Into<String>, got: impl Into<String>) -> Mismatch {
        Mismatch { case: case.into(), expected: expected.into(), got: got.into() }
    }

    /// The board does not settle.
    fn at(case: impl Into<String>, unsettled: Unsettled) -> Mismatch {
        let chips = unsettled.chips.join(", ");
        let got =
            format!("it does not settle in phase {}: {chips} keep changing each other", unsettled.phase);
        Mismatch::new(case, "the board settles in each phase", got)
    }
}
