//! Counterexamples as data, one type for each kind.

use crate::mismatch::{Aspect, Mismatch};
use crate::reach::Reached;
use crate::undecided::{ClockError, in_words};
use serde::Serialize;

/// A counterexample to a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Counterexample {
    /// A loop loses a bit.
    Loop(Box<LoopFault>),
    /// A RAM is written while its address or its data move, or by a pulse.
    Writing(Box<WritingFault>),
    /// A ring is open, or its final state depends on the order of events.
    Ring(Box<RingFault>),
    /// The board has no clock of four phases.
    Clock {
        /// The fault.
        #[serde(serialize_with = "in_words")]
        why: ClockError,
    },
    /// A strobe changes in a way that its phase does not allow.
    Strobe {
        /// The line, or the register that opens.
        strobe: String,
        /// The phase, and what is wrong in it.
        phase: usize,
        #[allow(missing_docs)]
        why: StrobeTrouble,
        /// Why it moves, back to the oscillator.
        because: Vec<String>,
    },
    /// A reset leaves something that is not 0.
    Reset(ResetFault),
    /// Pressing the button does harm, or does not start the machine.
    Button {
        /// When, and what is wrong.
        what: String,
    },
    /// An instruction has a wrong effect.
    Instruction {
        /// The aspect that is wrong.
        cases: Aspect,
        /// The case, what should happen, and what does.
        #[serde(flatten)]
        mismatch: Mismatch,
    },
}

/// The fault of a strobe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StrobeTrouble {
    /// It may change more than once in the phase.
    Often,
    /// It may be 1 when the phase ends.
    Open,
    /// It changes in more than two phases.
    ManyPhases,
}

/// A chip that loses a bit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct LoopFault {
    /// The chip, and others with the same table and the same fault.
    pub chip: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The phase.
    pub phase: String,
    /// Its task at that time.
    #[serde(rename = "duty")]
    pub intent: Intent,
    /// The bit that is lost.
    pub lost: String,
    /// A, B, and the address between them.
    pub from: u32,
    pub to: u32,
    pub between: u32,
    /// The data at that address.
    pub data: u8,
    /// The lines that move, with their levels at A, between, and B.
    pub lines: Vec<LineLevels>,
    /// Why the first of them moves, back to the oscillator.
    pub because: Vec<String>,
    /// A run in which it happens.
    pub reached: Option<Reached>,
}

/// The task of a chip when it lost a bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intent {
    /// Hold its value.
    Hold,
    /// Step to another value by itself.
    #[serde(rename = "go")]
    Step,
    /// It is not known: the cell lets the bit neither hold nor take a value, unlike its neighbours.
    Neither,
}

/// A line that moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct LineLevels {
    pub net: String,
    pub from: u8,
    pub between: u8,
    pub to: u8,
}

/// A movement while a RAM may be written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct WritingFault {
    /// The RAM, and others with the same fault.
    pub chip: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The phase.
    pub phase: String,
    /// The line that moves.
    pub line: String,
    /// Why it moves, back to the oscillator.
    pub because: Vec<String>,
    /// The write line, and why it may be 1.
    pub write: String,
    pub write_because: Vec<String>,
    /// The chip that drives the write line, its address before and after, and the one between that writes.
    pub driver: Option<Between>,
    /// A run in which it happens.
    pub reached: Option<Reached>,
}

/// An address between two others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Between {
    pub chip: String,
    pub from: u32,
    pub to: u32,
    pub between: u32,
}

/// A ring in which order matters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct RingFault {
    /// The phase.
    pub phase: String,
    /// The chips of the ring, and single chips with the same table and the same fault.
    pub chips: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// A way around it: each net is driven by a chip that reads the one before.
    pub around: Vec<String>,
    /// The finding, in words.
    pub why: String,
    /// Two orders that lead to two final states, as lists of the lines that moved, and the nets that differ then.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differ: Vec<String>,
    /// Why the first net of the way around moves, back to the oscillator.
    pub because: Vec<String>,
    /// A run in which it happens.
    pub reached: Option<Reached>,
}

/// A net that is wrong after a reset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ResetFault {
    /// When it is wrong.
    pub when: String,
    /// The net that should be 0.
    pub what: String,
    /// Its level in one case.
    pub got: String,
}
