//! A step of a chain of causes, as plain data.

use crate::why::past::Moment;
use gray1_machine::netlist::{ChipId, NetId};
use serde::Serialize;

/// A bit whose level can be explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The level of a net.
    Net(NetId),
    /// A bit in a RAM: the chip, the address of the cell, and the data line.
    Cell(ChipId, u32, usize),
}

/// A bit with the moment when it got its level, and the reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The bit.
    pub effect: Effect,
    /// The level.
    pub level: bool,
    /// The moment when it got the level.
    pub moment: Moment,
    /// A moment at which it still had the level: `moment`, or a later one if a loop or a cell has held it since.
    pub until: Moment,
    /// The mechanism that set the level.
    pub how: Mechanism,
    /// The lookup of the chip; `None` for an input.
    pub lookup: Option<Lookup>,
    /// The lines that determine the level.
    pub reasons: Vec<Reason>,
    /// The lines that have kept the loop closed since, except those of the loop itself.
    pub keepers: Vec<Reason>,
    /// The number of steps from the initial effect.
    pub depth: usize,
}

impl Step {
    /// Creates a step without causes and without a lookup.
    pub(crate) fn new(effect: Effect, level: bool, moment: Moment, how: Mechanism) -> Step {
        let (reasons, keepers) = (Vec::new(), Vec::new());
        Step { effect, level, moment, until: moment, how, lookup: None, reasons, keepers, depth: 0 }
    }
}

/// The mechanism that set a bit's level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mechanism {
    /// The bit is an input.
    OutputSink,
    /// It is the output of its chip at the current address.
    Given,
    /// Its chip made a step and has held the level since. The address is the one that caused the step.
    Stepped,
    /// A cell of RAM was written.
    Written,
    /// It had the level when the run began.
    Found,
    /// The user changed it.
    Changed,
}

/// A cell that was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The chip.
    pub chip: ChipId,
    /// The data line.
    pub line: usize,
    /// The address of the cell.
    pub address: u32,
    /// The contents of the cell.
    pub cell: u8,
}

/// A level that is a reason for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The line of the chip; `None` for the contents of a RAM cell.
    pub line: Option<usize>,
    /// The net, or the cell.
    pub effect: Effect,
    /// Its level.
    pub level: bool,
    /// A moment when it had that level.
    pub moment: Moment,
    /// Whether flipping it alone would have changed the step. If not, other lines determine the level as well.
    pub is_decisive: bool,
    /// The step that explains it, if that is part of the chain.
    pub step: Option<usize>,
}
