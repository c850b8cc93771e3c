//! A step of a chain of causes, as plain data.

use crate::past::Moment;
use gray1_machine::netlist::{ChipId, NetId};

/// What a chain begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// The level of a net.
    Net(NetId),
    /// A bit that a RAM holds: the chip, the address of the cell, the data line.
    Cell(ChipId, u32, usize),
}

/// A bit, when it got its level, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What got its level.
    pub effect: Effect,
    /// The level.
    pub level: bool,
    /// When it got it.
    pub moment: Moment,
    /// When it still had it: later than `moment` if it was held since.
    pub until: Moment,
    /// How it got it.
    pub how: How,
    /// What the chip looked up; `None` for a net that comes from outside.
    pub lookup: Option<Lookup>,
    /// The lines that fix the level.
    pub reasons: Vec<Reason>,
    /// The lines that have kept the loop closed since, as far as they are not part of it.
    pub keepers: Vec<Reason>,
    /// The number of steps to the effect that was asked for.
    pub depth: usize,
}

/// How a bit got its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// It comes from outside.
    Outside,
    /// Its chip gives it at the levels that it sees.
    Given,
    /// Its chip has made a step, after which it holds: the address is the one that made the step.
    Stepped,
    /// A cell of RAM was written.
    Written,
    /// The run began with it.
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
    /// What the cell holds.
    pub cell: u8,
}

/// A level that a step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The line of the chip that it is on; `None` for the contents of a RAM cell.
    pub line: Option<usize>,
    /// The net, or the cell.
    pub effect: Effect,
    /// Its level.
    pub level: bool,
    /// When it had it.
    pub moment: Moment,
    /// Whether flipping it alone would have changed the step. If not, other lines fix the level as well.
    pub is_decisive: bool,
    /// The step that explains it, if that is part of the chain.
    pub step: Option<usize>,
}
