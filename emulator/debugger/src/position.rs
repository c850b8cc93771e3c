//! Where in a run: which cycle, and how many of its phases have passed.

use std::fmt;

/// Phases of a machine cycle.
pub const PHASES: u8 = 4;

/// A place in time: the board at rest at the end of a phase. Phase 0 is the beginning of the cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// Cycles run since reset.
    pub cycle: u64,
    /// The phase, 0 to 3.
    pub phase: u8,
}

impl Position {
    /// The end of time.
    pub const NEVER: Position = Position { cycle: u64::MAX, phase: 0 };

    /// The beginning of a cycle.
    pub fn start_of(cycle: u64) -> Position {
        Position { cycle, phase: 0 }
    }

    /// Phases since the beginning of the run.
    pub fn phases(self) -> u128 {
        u128::from(self.cycle) * u128::from(PHASES) + u128::from(self.phase)
    }

    /// The position so many phases after the beginning of the run.
    pub fn after_phases(phases: u128) -> Position {
        let cycle = u64::try_from(phases / u128::from(PHASES)).unwrap_or(u64::MAX);
        Position { cycle, phase: (phases % u128::from(PHASES)) as u8 }
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
