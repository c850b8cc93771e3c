//! The claim that a program halts: all words are executed for all inputs, until every run has halted or some run has
//! repeated a state.

use crate::contracts::cycles::CycleRange;
use crate::contracts::execution::{Decision, Exit, Observer, Progress};
use crate::contracts::levels::{Assignment, Outcome};
use crate::contracts::repetition::Visits;
use crate::contracts::scene::Scene;
use crate::contracts::state::State;
use std::ops::ControlFlow;

/// Observes whether all runs halt.
#[derive(Default)]
pub struct Halting {
    /// The cycles within which the program has to halt.
    pub within: Option<u64>,
    pub visits: Visits,
    /// The cycles of the runs that have halted.
    pub cycles: CycleRange,
    /// A run that does not halt, or not in time.
    pub failure: Option<Failure>,
}

/// A run that does not halt as claimed.
pub struct Failure {
    /// The word at which the run is.
    pub at: u16,
    /// The cycles before.
    pub cycles: u64,
    /// The cycles before the earlier visit in the same state; `None` if the run is only too late.
    pub earlier: Option<u64>,
    pub assignment: Assignment,
}

impl Halting {
    /// Whether some run takes too long. Records it as the failure.
    fn is_late(&mut self, scene: &mut Scene, at: u16, state: &State) -> Outcome<bool> {
        let Some(within) = self.within else { return Ok(false) };
        let late = state.cycles.is_above(within, &mut scene.levels)?;
        let late = scene.levels.and(state.condition, late)?;
        let Some(assignment) = scene.levels.assignment(late) else { return Ok(false) };
        let cycles = state.cycles.value(&assignment, &scene.levels);
        self.failure = Some(Failure { at, cycles, earlier: None, assignment });
        Ok(true)
    }
}

impl Observer for Halting {
    fn arrive(&mut self, scene: &mut Scene, at: u16, is_head: bool, state: &mut State) -> Outcome<Decision> {
        if self.is_late(scene, at, state)? {
            return Ok(Decision::EndAll);
        }
        if !is_head {
            return Ok(Decision::Continue);
        }
        let Some(repetition) = self.visits.note(at, state, scene)? else { return Ok(Decision::Continue) };
        if let Some(assignment) = scene.levels.assignment(repetition.condition) {
            let [earlier, cycles] =
                [&repetition.earlier, state].map(|state| state.cycles.value(&assignment, &scene.levels));
            self.failure = Some(Failure { at, cycles, earlier: Some(earlier), assignment });
        }
        Ok(Decision::EndAll)
    }

    fn leave(&mut self, scene: &mut Scene, exit: Exit, state: &State) -> Progress {
        let (Exit::To(at) | Exit::Halt(at)) = exit;
        if self.is_late(scene, at, state)? {
            return Ok(ControlFlow::Break(()));
        }
        self.cycles.extend(state, &mut scene.levels)?;
        Ok(ControlFlow::Continue(()))
    }
}
