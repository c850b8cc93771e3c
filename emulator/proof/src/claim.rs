//! The five claims, and the text about each in reports: the statement, its meaning, and its assumptions.

use gray1_machine::{PHASES, RESET_PHASES};
use serde::Serialize;

/// The cycles for which the button has to be held so that the machine starts at 0.
pub const HOLD_CYCLES: usize = RESET_PHASES / PHASES;
/// The phases that lie between two edges of the button's line, at least.
pub const APART_PHASES: usize = 5;
/// Cycles for which RST is 1 when the button is held for as long as it has to be, at least.
pub const RESET_CYCLES: usize = HOLD_CYCLES - 1;

/// A property of a board that can be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// Every loop holds over T(A,B).
    Loops,
    /// In whatever order chips and lines react, each phase ends in the same state.
    Order,
    /// The board computes the instruction set.
    Instructions,
    /// Lines that open a latch, write to RAM or send a byte change only as their phase allows.
    Strobes,
    /// Pressed at any moment, the button loses nothing, and a reset leads to 0.
    Reset,
}

/// The texts about a claim.
pub struct Wording {
    /// Its name.
    pub name: &'static str,
    /// The statement about a board.
    pub statement: &'static str,
    /// The meaning for a machine.
    pub meaning: &'static str,
    /// The numbers of the assumptions, as docs/hazards.md lists them. A number keeps its meaning.
    pub assumptions: &'static [u8],
    /// The assumptions in words.
    pub assumes: &'static str,
}

const MOTION: &[u8] = &[1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14];
const ANY_DELAY: &str = "any delay of each chip and line, but not of each path through a chip; phases long enough to settle; an ideal RAM; a clean oscillator; the panel";

/// By the number of the claim.
const WORDINGS: [Wording; 5] = [
    Wording {
        name: "loops",
        statement: "Every loop holds over T(A,B)",
        meaning: "A register that is to hold a bit keeps it, whatever its chip passes through on the way.",
        assumptions: MOTION,
        assumes: ANY_DELAY,
    },
    Wording {
        name: "order",
        statement: "Order does not matter",
        meaning: "Each phase ends in one state, in whatever order chips and lines react.",
        assumptions: MOTION,
        assumes: ANY_DELAY,
    },
    Wording {
        name: "instructions",
        statement: "The board computes the instruction set",
        meaning: "Each instruction does what the instruction set says, in every state.",
        assumptions: &[1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 14],
        assumes: "the claims loops and order: chips are looked up in one order here",
    },
    Wording {
        name: "strobes",
        statement: "Nothing is opened, written or sent by accident",
        meaning: "What opens a latch, writes to RAM or sends a byte rises once and falls once, when it is due.",
        assumptions: MOTION,
        assumes: ANY_DELAY,
    },
    Wording {
        name: "reset",
        statement: "A reset leads to 0",
        meaning: "Pressed at any moment, the button stores, shows and sends nothing, and the machine starts at 0.",
        assumptions: &[1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14],
        assumes: "as for loops and order, and these claims; the button is held for 4 cycles, its edges are 5 phases apart and are decided once; after a press the board comes to rest",
    },
];

impl Claim {
    /// All claims.
    pub const ALL: [Claim; 5] =
        [Claim::Loops, Claim::Order, Claim::Instructions, Claim::Strobes, Claim::Reset];

    /// Returns the texts about it.
    pub const fn wording(self) -> &'static Wording {
        &WORDINGS[self as usize]
    }
}
