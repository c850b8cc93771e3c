//! The limits of searches. Cases beyond a limit are never ignored: either a line is assumed to move in more ways than
//! it does, or the claim is left undecided.

/// The limits of searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Address lines of the clock, which is explored from every combination of their levels. With more, there is no
    /// verdict.
    pub clock_lines: usize,
    /// Ways in which the lines of one chip can move in a phase. Further lines are assumed to glitch.
    pub scenarios: usize,
    /// Lines that together move another line once. With more, it is assumed to glitch.
    pub causes: u32,
    /// Ways in which the lines around a ring can move that are examined one by one. Further lines are explored
    /// together.
    pub surroundings: usize,
    /// States of a ring at rest from which a phase can begin. With more, the ring is not explored.
    pub rests: usize,
    /// States of a ring visited from one initial state. With more, the ring is not explored.
    pub states: usize,
    /// States of a ring visited from all its initial states together. With more, the ring is not explored.
    pub visits: usize,
    /// Nodes of decision diagrams. With more, there is no verdict.
    pub nodes: usize,
    /// Rounds of lookups of all chips in one phase. With more, the board is assumed not to settle.
    pub sweeps: usize,
}

/// The number of states of a ring that may still be visited.
pub(crate) struct Visits {
    /// From one initial state.
    each: usize,
    /// From all together.
    left: usize,
}

impl Visits {
    pub fn new(limits: &Limits) -> Visits {
        Visits { each: limits.states, left: limits.visits }
    }

    /// Returns the number from the next initial state.
    pub fn most(&self) -> usize {
        self.each.min(self.left)
    }

    /// Subtracts states that have been visited.
    pub fn take(&mut self, states: usize) {
        self.left = self.left.saturating_sub(states);
    }
}

impl Limits {
    /// Enough for the built-in boards and for nearly all changes of their cells.
    pub(crate) const QUICK: Limits = Limits {
        clock_lines: 16,
        scenarios: 32,
        causes: 6,
        surroundings: 64,
        rests: 1 << 18,
        states: 1 << 14,
        visits: 1 << 18,
        nodes: 1 << 16,
        sweeps: 64,
    };
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            clock_lines: 20,
            scenarios: 32,
            causes: 6,
            surroundings: 256,
            rests: 1 << 22,
            states: 1 << 18,
            visits: 1 << 23,
            nodes: 1 << 22,
            sweeps: 64,
        }
    }
}
