//! The words at which a walk ends and begins anew, and the cycles between them.

use gray1_assembler::Contract;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Default)]
pub struct Cuts {
    /// The words that were reached by a walk that ended there.
    pub reached: BTreeSet<u16>,
    /// The most cycles from one cut to the next; none is the entry, or the end of a run.
    steps: BTreeMap<(Option<u16>, Option<u16>), u64>,
    /// Whether a walk from a cut has no bound.
    pub is_unbounded: bool,
}

impl Cuts {
    /// Notes the most cycles of a walk from a cut, or from the entry, to another cut, or to the end.
    pub fn note(&mut self, from: Option<u16>, to: Option<u16>, most: u64) {
        let known = self.steps.entry((from, to)).or_default();
        *known = most.max(*known);
    }

    /// The steps from a cut, or from the entry, each with its most cycles.
    fn steps_from(&self, cut: Option<u16>) -> impl Iterator<Item = (Option<u16>, u64)> {
        self.steps.iter().filter(move |((from, _), _)| *from == cut).map(|((_, to), most)| (*to, *most))
    }

    /// The cuts, each after all others to which it leads. `None` if some lead to each other.
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

    /// The cycles within which all runs end, if the variants of all loops show that they do.
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
                // A byte gets smaller 255 times at most.
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
