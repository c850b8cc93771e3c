//! The beginning of a program, before its first read of an input. By its end, most programs have written the bytes that
//! they use, so few bytes still depend on what RAM held at power-up.

use crate::contracts::access::input_of;
use crate::contracts::execution::{Decision, Exit, Observer, Progress};
use crate::contracts::levels::Outcome;
use crate::contracts::scene::Scene;
use crate::contracts::state::State;
use crate::contracts::taint::depends_on_noise;
use gray1_isa::Image;
use std::ops::ControlFlow;

/// Observes the execution of a program's prefix.
pub struct Prefix<'a> {
    pub image: &'a Image,
    /// The word after the prefix, unless the machine halts before. The state is missing if the path to this word depends
    /// on noise.
    pub end: Option<(u16, Option<State>)>,
    /// The words that may still be executed.
    pub left: u64,
    /// The word that stores a value that depends on noise, if any.
    pub stored: Option<u16>,
}

/// The maximum number of words in a prefix.
pub const MAX_PREFIX_WORDS: u64 = 1_500_000;

impl Observer for Prefix<'_> {
    fn arrive(&mut self, _: &mut Scene, at: u16, _: bool, state: &mut State) -> Outcome<Decision> {
        let is_certain = state.condition.known() == Some(true);
        self.left = self.left.saturating_sub(1);
        if is_certain && input_of(self.image.word(at)).is_none() && self.left > 0 {
            return Ok(Decision::Continue);
        }
        self.end = Some((at, is_certain.then(|| state.clone())));
        Ok(Decision::EndAll)
    }

    fn store(&mut self, scene: &mut Scene, at: u16, _: u16, state: &mut State) -> Progress {
        if !depends_on_noise(&state.a, scene) {
            return Ok(ControlFlow::Continue(()));
        }
        self.stored = Some(at);
        Ok(ControlFlow::Break(()))
    }

    fn leave(&mut self, _: &mut Scene, _: Exit, _: &State) -> Progress {
        Ok(ControlFlow::Continue(()))
    }
}
