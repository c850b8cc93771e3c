//! The claim that a program halts: all words are executed for all inputs, until every run has halted, or some run has
//! come back to a state in which it has been.

use crate::levels::{Example, Levels, Outcome};
use crate::repetition::Visits;
use crate::scene::Scene;
use crate::state::State;
use crate::execution::{Arrival, Exit, Going, Watch};
use std::ops::ControlFlow;

/// What is known about the end of all runs.
pub struct Halting<'a, L> {
    /// The words that are heads of loops.
    pub heads: &'a [bool],
    /// The cycles within which the program has to halt.
    pub within: Option<u64>,
    pub visits: Visits<L>,
    pub least: Option<(u64, Example)>,
    pub most: Option<(u64, Example)>,
    /// A run that does not halt, or not in time.
    pub failure: Option<Failure>,
}

/// A run that does not halt as claimed.
pub struct Failure {
    /// The word at which it is.
    pub at: u16,
    /// The cycles before.
    pub cycles: u64,
    /// The cycles before an earlier visit in the same state.
    pub earlier: Option<u64>,
    pub example: Example,
}

impl<L: Copy + Eq> Halting<'_, L> {
    /// Notes a run of these if it takes too long.
    fn is_late<B: Levels<Level = L>>(
        &mut self,
        scene: &mut Scene<B>,
        at: u16,
        state: &State<L>,
    ) -> Outcome<bool> {
        let Some(within) = self.within else { return Ok(false) };
        let late = state.cycles.is_above(within, &mut scene.levels)?;
        let late = scene.levels.and(state.condition, late)?;
        if scene.levels.known(late) == Some(false) {
            return Ok(false);
        }
        if let Some(example) = scene.levels.example(late)? {
            let cycles = state.cycles.value(&example, &scene.levels);
            self.failure = Some(Failure { at, cycles, earlier: None, example });
        }
        Ok(self.failure.is_some())
    }
}

impl<B: Levels> Watch<B> for Halting<'_, B::Level> {
    fn arrive(&mut self, scene: &mut Scene<B>, at: u16, state: &mut State<B::Level>) -> Outcome<Arrival> {
        if self.is_late(scene, at, state)? {
            return Ok(Arrival::EndsAll);
        }
        if !self.heads[usize::from(at)] {
            return Ok(Arrival::Goes);
        }
        let Some(repetition) = self.visits.note(at, state, scene)? else { return Ok(Arrival::Goes) };
        if let Some(example) = scene.levels.example(repetition.condition)? {
            let [earlier, cycles] =
                [&repetition.earlier, state].map(|state| state.cycles.value(&example, &scene.levels));
            self.failure = Some(Failure { at, cycles, earlier: Some(earlier), example });
        }
        Ok(Arrival::EndsAll)
    }

    fn leave(&mut self, scene: &mut Scene<B>, exit: Exit, state: &State<B::Level>) -> Going {
        let (Exit::To(at) | Exit::Halt(at)) = exit;
        if self.is_late(scene, at, state)? {
            return Ok(ControlFlow::Break(()));
        }
        let least = state.cycles.extreme(state.condition, false, &mut scene.levels)?;
        let most = state.cycles.extreme(state.condition, true, &mut scene.levels)?;
        self.least = self.least.take().into_iter().chain(least).min_by_key(|&(cycles, _)| cycles);
        self.most = most.into_iter().chain(self.most.take()).max_by_key(|&(cycles, _)| cycles);
        Ok(ControlFlow::Continue(()))
    }

    fn stay(&mut self, _: &mut Scene<B>, _: u16, _: &State<B::Level>) -> Going {
        Ok(ControlFlow::Continue(()))
    }
}
