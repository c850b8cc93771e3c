//! The least and the most cycles of runs.

use crate::contracts::levels::{Assignment, Levels, Outcome};
use crate::contracts::scene::Scene;
use crate::contracts::state::State;
use crate::contracts::witness::Witness;

/// The least and the most cycles, and inputs that take them.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// The least.
    pub least: Option<(u64, Witness)>,
    /// The most; `None` if there may be no bound.
    pub most: Option<(u64, Witness)>,
}

/// The least and the most cycles of the runs that have ended so far.
#[derive(Default)]
pub struct CycleRange {
    pub least: Option<(u64, Assignment)>,
    pub most: Option<(u64, Assignment)>,
}

impl CycleRange {
    /// Extends the range by the runs that end in a state.
    pub fn extend(&mut self, state: &State, levels: &mut Levels) -> Outcome<()> {
        let least = state.cycles.extreme(state.condition, false, levels)?;
        let most = state.cycles.extreme(state.condition, true, levels)?;
        self.least = self.least.take().into_iter().chain(least).min_by_key(|&(cycles, _)| cycles);
        self.most = most.into_iter().chain(self.most.take()).max_by_key(|&(cycles, _)| cycles);
        Ok(())
    }

    /// Adds the witnesses of the least and the most cycles.
    pub fn with_witnesses(self, scene: &Scene, entry: u16) -> Cycles {
        let witness = |(cycles, assignment)| (cycles, Witness::new(scene, entry, &assignment, cycles));
        Cycles { least: self.least.map(witness), most: self.most.map(witness) }
    }
}
