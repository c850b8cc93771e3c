//! Repeated states: a run that comes back to the same state, with inputs that bring it back, can loop for ever.

use crate::levels::{Levels, Outcome};
use crate::scene::Scene;
use crate::state::State;
use std::collections::BTreeMap;

/// A remembered visit. It is replaced at visit 2, 4, 8 and so on, so a repetition of any period is found (Brent's
/// method).
pub struct Visit<T> {
    /// The data of the remembered visit.
    pub kept: T,
    count: u64,
    next: u64,
}

impl<T> Visit<T> {
    /// Creates a first visit.
    pub fn new(kept: T) -> Visit<T> {
        Visit { kept, count: 1, next: 2 }
    }

    /// Counts a visit, and remembers it if its number is a power of two.
    pub fn count(&mut self, new: impl FnOnce() -> T) {
        self.count += 1;
        if self.count >= self.next {
            self.next *= 2;
            self.kept = new();
        }
    }
}

/// The remembered visits of all words.
pub struct Visits<L>(BTreeMap<u16, Visit<State<L>>>);

/// A state that was visited before.
pub struct Repetition<L> {
    /// The runs that were in the same state at the earlier visit.
    pub condition: L,
    /// The state at the earlier visit.
    pub earlier: State<L>,
}

impl<L: Copy + Eq> Visits<L> {
    pub fn new() -> Visits<L> {
        Visits(BTreeMap::new())
    }

    /// Notes a visit of a word. Returns a repetition if some run is in the same state as at the earlier visit.
    pub fn note<B: Levels<Level = L>>(
        &mut self,
        at: u16,
        state: &State<L>,
        scene: &mut Scene<B>,
    ) -> Outcome<Option<Repetition<L>>> {
        let Some(visit) = self.0.get_mut(&at) else {
            self.0.insert(at, Visit::new(state.clone()));
            return Ok(None);
        };
        let condition = equal_states(&visit.kept, state, scene)?;
        if scene.levels.is_possible(condition)? {
            return Ok(Some(Repetition { condition, earlier: visit.kept.clone() }));
        }
        visit.count(|| state.clone());
        Ok(None)
    }
}

/// Returns the condition of the runs that come by both states, with the same A, C and RAM.
fn equal_states<B: Levels>(
    one: &State<B::Level>,
    other: &State<B::Level>,
    scene: &mut Scene<B>,
) -> Outcome<B::Level> {
    let mut bits: Vec<(B::Level, B::Level)> = one.a.into_iter().zip(other.a).collect();
    bits.push((one.c, other.c));
    for &address in one.ram.keys().chain(other.ram.keys().filter(|address| !one.ram.contains_key(address))) {
        bits.extend(scene.byte(address, one)?.into_iter().zip(scene.byte(address, other)?));
    }
    bits.retain(|(one, other)| one != other);
    let are_constant = |&(one, other): &(B::Level, B::Level)| {
        scene.levels.known(one).is_some() && scene.levels.known(other).is_some()
    };
    if bits.iter().any(are_constant) {
        return Ok(scene.levels.constant(false));
    }
    let mut equal = scene.levels.and(one.condition, other.condition)?;
    for (one, other) in bits {
        if !scene.levels.is_possible(equal)? {
            break;
        }
        let differ = scene.levels.differ(one, other)?;
        let same = scene.levels.not(differ);
        equal = scene.levels.and(equal, same)?;
    }
    Ok(equal)
}
