//! Cut points: the invariants at which executions end and begin, and the cycles between them.

use gray1_assembler::Contract;
use std::collections::{BTreeMap, BTreeSet};

/// The cut points that were reached, and the cycles between them.
#[derive(Default)]
pub struct CutPoints {
    /// The words at which executions have ended.
    pub reached: BTreeSet<u16>,
    /// The most cycles from one cut point to the next; `None` is the entry, or the end of a run.
    steps: BTreeMap<(Option<u16>, Option<u16>), u64>,
    /// Whether some execution from a cut point has no bound.
    pub is_unbounded: bool,
}

impl CutPoints {
    /// Notes the most cycles from a cut point, or from the entry, to the next cut point, or to the end.
    pub fn note(&mut self, from: Option<u16>, to: Option<u16>, most: u64) {
        let known = self.steps.entry((from, to)).or_default();
        *known = most.max(*known);
    }

    /// Returns the steps from a cut point, or from the entry, each with its most cycles.
    fn steps_from(&self, cut: Option<u16>) -> impl Iterator<Item = (Option<u16>, u64)> {
        self.steps.iter().filter(move |((from, _), _)| *from == cut).map(|((_, to), most)| (*to, *most))
    }

    /// Sorts the cut points topologically, each after those to which it leads. Returns `None` if some lead to each other.
    pub fn order(&self) -> Option<Vec<u16>> {
        let mut left = self.reached.clone();
        let mut order = Vec::new();
        while !left.is_empty() {
            let leads_on = |&cut: &u16| {
                let others = self.steps_from(Some(cut)).filter_map(|(to, _)| to).filter(|to| *to != cut);
                others.into_iter().any(|to| left.contains(&to))
            };
            let next = left.iter().copied().find(|cut| !leads_on(cut))?;
            left.remove(&next);
            order.push(next);
        }
        Some(order)
    }

    /// Returns the cycles within which all runs end, if the variants of all loops prove that they do.
    pub fn bound(&self, contract: &Contract) -> Option<u64> {
        if self.is_unbounded {
            return None;
        }
        let mut bounds: BTreeMap<Option<u16>, u64> = BTreeMap::from([(None, 0)]);
        let most_from = |cut: Option<u16>, bounds: &BTreeMap<Option<u16>, u64>| {
            let known = |(to, most)| bounds.get(&to).map(|rest| most + rest);
            self.steps_from(cut).filter_map(known).max()
        };
        for cut in self.order()? {
            let rounds = match self.steps.get(&(Some(cut), Some(cut))) {
                // A byte decreases at most 255 times.
                Some(round) if contract.variants.iter().any(|(place, _)| *place == cut) => 255 * round,
                Some(_) => return None,
                None => 0,
            };
            let rest = most_from(Some(cut), &bounds).unwrap_or_default();
            bounds.insert(Some(cut), rounds + rest);
        }
        most_from(None, &bounds)
    }
}
