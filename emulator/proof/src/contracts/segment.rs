//! One of two compared runs: its symbolic execution from one event to the next.

use crate::contracts::Obstacle;
use crate::contracts::access::{input_of, is_visible_store};
use crate::contracts::execution::{Decision, Exit, Observer, Progress};
use crate::contracts::levels::Outcome;
use crate::contracts::repetition::Visits;
use crate::contracts::scene::Scene;
use crate::contracts::state::State;
use gray1_isa::Image;
use gray1_machine::logic::{FALSE, TRUE};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A place at which a run pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pause {
    /// Before a word that reads an input or makes a visible store.
    Before(u16),
    /// At a halt.
    Halted,
    /// In an endless loop without events.
    Silent,
}

/// The offset of the ghost byte that says whether a byte of RAM has been written: all ones if it has.
pub const WRITTEN: u16 = 0x1000;

/// The maximum number of words in a comparison, for both runs together.
pub const MAX_WORDS: u64 = 1_000_000;

/// Observes an execution up to the next pause.
pub struct Segment<'a> {
    pub image: &'a Image,
    /// Whether the first word is executed even if it is an event.
    pub starts_at_event: bool,
    /// The words that may still be executed.
    pub left: &'a mut u64,
    pub visits: Visits,
    /// The states at the pauses.
    pub ends: BTreeMap<Pause, State>,
}

impl Segment<'_> {
    fn pause(&mut self, pause: Pause, state: State, scene: &mut Scene) -> Outcome<()> {
        let state = match self.ends.remove(&pause) {
            Some(other) => scene.join(other, state)?,
            None => state,
        };
        self.ends.insert(pause, state);
        Ok(())
    }
}

impl Observer for Segment<'_> {
    fn arrive(&mut self, scene: &mut Scene, at: u16, is_head: bool, state: &mut State) -> Outcome<Decision> {
        *self.left = self.left.checked_sub(1).ok_or(Obstacle::TooLong(MAX_WORDS))?;
        let word = self.image.word(at);
        let is_event = input_of(word).is_some() || is_visible_store(word);
        if is_event && !std::mem::take(&mut self.starts_at_event) {
            self.pause(Pause::Before(at), state.clone(), scene)?;
            return Ok(Decision::EndPath);
        }
        if is_head && !is_event {
            // Nothing is read here, so a state that repeats repeats for ever.
            if let Some(repetition) = self.visits.note(at, state, scene)? {
                let silent = State { condition: repetition.condition, ..state.clone() };
                self.pause(Pause::Silent, silent, scene)?;
                state.condition = scene.levels.and(state.condition, !repetition.condition)?;
                if state.condition == FALSE {
                    return Ok(Decision::EndPath);
                }
            }
        }
        Ok(Decision::Continue)
    }

    fn store(&mut self, _: &mut Scene, _: u16, address: u16, state: &mut State) -> Progress {
        state.ram.entry(address + WRITTEN).and_modify(|written| *written = [TRUE; 8]);
        Ok(ControlFlow::Continue(()))
    }

    fn leave(&mut self, scene: &mut Scene, _: Exit, state: &State) -> Progress {
        self.pause(Pause::Halted, state.clone(), scene)?;
        Ok(ControlFlow::Continue(()))
    }
}
