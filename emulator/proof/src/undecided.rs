//! The reasons why a claim is neither proved nor refuted, and why a board has no clock, which may be either.

use gray1_machine::PHASES;
use gray1_machine::names::runs;
use serde::{Serialize, Serializer};
use thiserror::Error;

/// The reason why a claim is neither proved nor refuted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages explain them
pub enum Undecided {
    #[error("no clock was found, so nothing says what moves in which phase: see the claim `order`")]
    NoClock,
    #[error("{0}: it is a RAM that reads its own output")]
    RamReadsItself(String),
    #[error("{0}: it is the program, and reads its own output")]
    ProgramReadsItself(String),
    #[error("the clock cannot be explored: {0}")]
    Clock(ClockError),
    #[error(
        "{chip} has no cell that keeps its own lines as they are, for some levels of its other lines in phase {phase}"
    )]
    NeverRests { chip: String, phase: String },
    #[error(
        "the loop through {} is not cut in phase {phase}: what it does is not in the table of any one chip",
        chips.join(" ")
    )]
    LoopAcross { chips: Vec<String>, phase: String },
    #[error(
        "the ring {} in phase {phase}: nothing cuts it while {levels}, and it goes through RAM or the program or has \
         too many states to visit",
        chips.join(" ")
    )]
    RingNotExplored { chips: Vec<String>, phase: String, levels: String },
    #[error(
        "the ring {} in phase {phase}: a line of it moves more than once, or it cannot be explored",
        chips.join(" ")
    )]
    RingOfPaths { chips: Vec<String>, phase: String },
    #[error("{nodes} nodes of decision diagrams are not enough for all states of this board at once")]
    Diagrams { nodes: usize },
    #[error("{} keep changing each other in some states", chips.join(" "))]
    Unsettled { chips: Vec<String> },
    #[error(
        "{case} would give {got} instead of {expected}; but no run was found that gets there and in which it \
         can be seen from outside"
    )]
    Unseen { case: String, expected: String, got: String },
    #[error("by the tables, {fault}; but in {runs} runs with as many draws of delays it made no difference")]
    Harmless { fault: String, runs: u64 },
    #[error(
        "when the button moves in phase {phase}, the chips outside the clock can see levels or pulses of it that they \
         see neither while the machine runs nor during a reset"
    )]
    ButtonSeen { phase: usize },
    #[error(
        "in phase {phase}, the lines of the clock that stand still do not keep {} from changing",
        runs(nets).join(" ")
    )]
    ResetOpens { phase: String, nets: Vec<String> },
    #[error(
        "if the button bounces, a reset can end in phase {phase} when {phases} of its phases have passed, which is not \
         enough to start at 0"
    )]
    ShortReset { phase: usize, phases: usize },
    #[error("{} can move at any time, and then so can {}, in phase {phase}", runs(inputs).join(" "), runs(nets).join(" "))]
    Reached { inputs: Vec<String>, phase: String, nets: Vec<String> },
    #[error("by the tables, {fault}; but in no order of lines, from no state of rest, it makes a difference")]
    NoOrder { fault: String },
    #[error(
        "RAM {ram}: {write} writes while it is 1, and the parts in the board's `hardware` are written while a line is 0; \
         no data line is the opposite of {write} in every cell of its chip"
    )]
    NoWriteLine { ram: String, write: String },
    #[error("it goes through RAM, or has too many lines or states to visit them all")]
    NotExplored,
    #[error("the board has no CPU")]
    NoCpu,
    #[error("it was stopped")]
    Stopped,
}

/// The reason why a board has no clock of four phases.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages explain them
pub enum ClockError {
    #[error("no chip depends on the oscillator and itself alone: there is no clock")]
    NoChips,
    #[error("the clock has {0} address lines, too many to try")]
    TooManyLines(usize),
    #[error("the sequencer depends on more than the oscillator and itself")]
    Sequencer,
    #[error(
        "the clock, {chips}, depends on the order of its lines: when lines move in the order {one} it ends elsewhere \
         than after {other}"
    )]
    TwoEnds { chips: String, one: String, other: String },
    #[error("the clock, {chips}, depends on the order of its lines: it keeps moving forever, after {order}")]
    Endless { chips: String, order: String },
    #[error("the clock, {chips}, has too many states to visit")]
    TooLarge { chips: String },
    #[error("the clock has more than one cycle: which it takes depends on power-up")]
    SeveralCycles,
    #[error("the clock has {0} phases, it must have {PHASES}")]
    Phases(usize),
    #[error("the sequencer never comes to the state in which a cycle begins")]
    NeverBegins,
}

impl ClockError {
    /// Whether there may be a clock all the same: the limits were too low to decide.
    pub fn is_undecided(&self) -> bool {
        matches!(self, ClockError::TooManyLines(_) | ClockError::TooLarge { .. })
    }
}

impl Serialize for Undecided {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        in_words(self, serializer)
    }
}

pub(crate) fn in_words<S: Serializer>(
    error: &dyn std::error::Error,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&error.to_string())
}
