//! Repeated states: a run that comes back to the same state, with inputs that bring it back, can loop for ever.

use crate::contracts::levels::Outcome;
use crate::contracts::scene::Scene;
use crate::contracts::state::State;
use gray1_machine::logic::{FALSE, Function};
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
#[derive(Default)]
pub struct Visits(BTreeMap<u16, Visit<State>>);

/// A state that was visited before.
pub struct Repetition {
    /// The runs that were in the same state at the earlier visit.
    pub condition: Function,
    /// The state at the earlier visit.
    pub earlier: State,
}

impl Visits {
    /// Notes a visit of a word. Returns a repetition if some run is in the same state as at the earlier visit.
    pub fn note(&mut self, at: u16, state: &State, scene: &mut Scene) -> Outcome<Option<Repetition>> {
        let Some(visit) = self.0.get_mut(&at) else {
            self.0.insert(at, Visit::new(state.clone()));
            return Ok(None);
        };
        let condition = equal_states(&visit.kept, state, scene)?;
        if condition != FALSE {
            return Ok(Some(Repetition { condition, earlier: visit.kept.clone() }));
        }
        visit.count(|| state.clone());
        Ok(None)
    }
}

/// Returns the condition of the runs that come by both states, with the same A, C and RAM.
fn equal_states(one: &State, other: &State, scene: &mut Scene) -> Outcome<Function> {
    let mut bits: Vec<(Function, Function)> = one.a.into_iter().zip(other.a).collect();
    bits.push((one.c, other.c));
    for &address in one.ram.keys().chain(other.ram.keys().filter(|address| !one.ram.contains_key(address))) {
        bits.extend(scene.byte(address, one)?.into_iter().zip(scene.byte(address, other)?));
    }
    bits.retain(|(one, other)| one != other);
    let are_constant =
        |&(one, other): &(Function, Function)| one.known().is_some() && other.known().is_some();
    if bits.iter().any(are_constant) {
        return Ok(FALSE);
    }
    let mut equal = scene.levels.and(one.condition, other.condition)?;
    for (one, other) in bits {
        if equal == FALSE {
            break;
        }
        let differ = scene.levels.differ(one, other)?;
        equal = scene.levels.and(equal, !differ)?;
    }
    Ok(equal)
}
