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

impl Claim {
    /// All claims.
    pub const ALL: [Claim; 5] =
        [Claim::Loops, Claim::Order, Claim::Instructions, Claim::Strobes, Claim::Reset];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Claim::Loops => "loops",
            Claim::Order => "order",
            Claim::Instructions => "instructions",
            Claim::Strobes => "strobes",
            Claim::Reset => "reset",
        }
    }

    /// The statement about a board.
    pub fn says(self) -> &'static str {
        match self {
            Claim::Loops => "Every loop holds over T(A,B)",
            Claim::Order => "Order does not matter",
            Claim::Instructions => "The board computes the instruction set",
            Claim::Strobes => "Nothing is opened, written or sent by accident",
            Claim::Reset => "A reset leads to 0",
        }
    }

    /// Its meaning for a machine.
    pub fn means(self) -> &'static str {
        match self {
            Claim::Loops => {
                "A register that is to hold a bit keeps it, whatever its chip passes through on the way."
            }
            Claim::Order => "Each phase ends in one state, in whatever order chips and lines react.",
            Claim::Instructions => "Each instruction does what the instruction set says, in every state.",
            Claim::Strobes => {
                "What opens a latch, writes to RAM or sends a byte rises once and falls once, when it is due."
            }
            Claim::Reset => {
                "Pressed at any moment, the button stores, shows and sends nothing, and the machine starts at 0."
            }
        }
    }

    /// The numbers of the assumptions, as docs/hazards.md lists them. A number keeps its meaning.
    pub fn assumptions(self) -> &'static [u8] {
        match self {
            Claim::Loops | Claim::Order | Claim::Strobes => &[1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 14],
            Claim::Instructions => &[1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 14],
            Claim::Reset => &[1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14],
        }
    }

    /// The assumptions.
    pub fn assumes(self) -> &'static str {
        match self {
            Claim::Loops | Claim::Order | Claim::Strobes => {
                "any delay of each chip and line, but not of each path through a chip; phases long enough to settle; an ideal RAM; a clean oscillator; the panel"
            }
            Claim::Instructions => "the claims loops and order: chips are looked up in one order here",
            Claim::Reset => {
                "as for loops and order, and these claims; the button is held for 4 cycles, its edges are 5 phases apart and are decided once; after a press the board comes to rest"
            }
        }
    }
}
