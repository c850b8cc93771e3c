//! Repeated states: a run that comes back to the same state, with inputs that bring it back, can go round for ever.

use crate::levels::{Levels, Outcome};
use crate::scene::Scene;
use crate::state::State;
use std::collections::BTreeMap;

/// Something of an earlier visit, whose number doubles each time it is replaced. So a repetition is found whatever its
/// period (Brent's method).
pub struct Visit<T> {
    pub kept: T,
    count: u64,
    next: u64,
}

impl<T> Visit<T> {
    /// A first visit.
    pub fn new(kept: T) -> Visit<T> {
        Visit { kept, count: 1, next: 2 }
    }

    /// Counts a visit, and keeps what is new at some of them.
    pub fn count(&mut self, new: impl FnOnce() -> T) {
        self.count += 1;
        if self.count >= self.next {
            self.next *= 2;
            self.kept = new();
        }
    }
}

/// An earlier state at each word.
pub struct Visits<L>(BTreeMap<u16, Visit<State<L>>>);

/// A state that comes back.
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

    /// Notes a visit of a word. Returns the repetition if some run is in the state in which the same run was at the
    /// earlier visit.
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
        let condition = same_in_both(&visit.kept, state, scene)?;
        if scene.levels.is_possible(condition)? {
            return Ok(Some(Repetition { condition, earlier: visit.kept.clone() }));
        }
        visit.count(|| state.clone());
        Ok(None)
    }
}

/// The runs that come by both states and have the same A, C and RAM in them.
fn same_in_both<B: Levels>(
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
    let constant = |levels: &B, bit| levels.known(bit);
    if bits.iter().any(|&(one, other)| {
        matches!((constant(&scene.levels, one), constant(&scene.levels, other)), (Some(_), Some(_)))
    }) {
        return Ok(scene.levels.constant(false));
    }
    let mut same = scene.levels.and(one.condition, other.condition)?;
    for (one, other) in bits {
        if !scene.levels.is_possible(same)? {
            break;
        }
        let differ = scene.levels.differ(one, other)?;
        let equal = scene.levels.not(differ);
        same = scene.levels.and(same, equal)?;
    }
    Ok(same)
}
