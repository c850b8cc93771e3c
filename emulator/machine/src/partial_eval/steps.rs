//! The steps of a block: as they are joined, and as they are run.

use crate::evaluated::Two;

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) enum Value {
    /// The byte at a place at the beginning of the block.
    Initial(u16),
    /// The result of a step.
    Step(usize),
}

/// The function of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum StepKind {
    Map(u16),
    Two(Two),
    Table(u16),
    /// The value is shown at this address, in this cycle of the block.
    Show(u16, u16),
    /// The value is that of the byte at this place, from now on.
    Keep(u16),
}

/// A step: its function, and the values for which it is computed.
pub(super) type Step = (StepKind, [Value; 3]);

/// An operation of a block on the bytes of the machine. All places are less than `BYTES`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Op {
    pub code: Code,
    /// The place of the result.
    pub to: u16,
    pub a: u16,
    pub b: u16,
    pub c: u16,
    /// The number of a table.
    pub table: u16,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// The byte at `a`.
    Copy,
    /// The entry of the table for the byte at `a`.
    Map,
    /// The function of the bytes at `a` and `b`.
    Two(Two),
    /// Their sum; its carry goes to `c`.
    SumAndCarry,
    /// The entry of a large table for the bytes at `a` and `b` and the bit at `c`.
    Table,
    /// The byte at `a` is shown in cycle `b` of the block, at the address `table`. It also goes to `to` and `c`.
    Show,
}

impl Op {
    /// A copy of the byte at a place.
    pub fn copy(to: u16, a: u16) -> Op {
        Op { code: Code::Copy, to, a, b: 0, c: 0, table: 0 }
    }
}
