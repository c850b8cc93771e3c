//! A position in a run: a cycle and the number of its phases that have passed.

use gray1_machine::{ChipsEngine, Engine, PHASES};
use serde::Serialize;
use std::fmt;

/// A moment of a run, with the board settled at the end of a phase. Phase 0 is the start of the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
pub struct Position {
    /// Cycles since reset.
    pub cycle: u64,
    /// The phase, 0 to 3.
    pub phase: u8,
}

impl Position {
    /// A position later than any that a run can reach.
    pub const NEVER: Position = Position { cycle: u64::MAX, phase: 0 };

    /// The position of a machine.
    pub fn of(machine: &ChipsEngine) -> Position {
        Position { cycle: machine.cycle(), phase: machine.phase_number() }
    }

    /// The start of a cycle.
    pub fn start_of(cycle: u64) -> Position {
        Position { cycle, phase: 0 }
    }

    /// The start of the cycle this many cycles later.
    pub fn after_cycles(self, count: u64) -> Position {
        Position::start_of(self.cycle.saturating_add(count))
    }

    /// The start of the cycle this many cycles back; within a cycle, going to its own start counts as one.
    pub fn before_cycles(self, count: u64) -> Position {
        Position::start_of((self.cycle.saturating_add(u64::from(self.phase > 0))).saturating_sub(count))
    }

    /// The position this many phases back.
    pub fn before_phases(self, count: u64) -> Position {
        Position::after_phases(self.phases().saturating_sub(u128::from(count)))
    }

    /// Phases since reset.
    pub fn phases(self) -> u128 {
        u128::from(self.cycle) * PHASES as u128 + u128::from(self.phase)
    }

    /// The position this many phases after reset.
    pub fn after_phases(phases: u128) -> Position {
        let cycle = u64::try_from(phases / PHASES as u128).unwrap_or(u64::MAX);
        Position { cycle, phase: (phases % PHASES as u128) as u8 }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.phase {
            0 => write!(f, "cycle {}", self.cycle),
            phase => write!(f, "cycle {} phase {phase}", self.cycle),
        }
    }
}
