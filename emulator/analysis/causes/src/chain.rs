//! Chains of causes: follows an effect back through the chips, breadth first.

use crate::past::{Moment, Past};
use crate::step::{Effect, Reason, Step};
use crate::tracer::Follower;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

/// The limits for following causes.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    /// The maximum number of steps from the effect.
    pub depth: usize,
    /// The maximum total number of steps.
    pub steps: usize,
    /// Whether to follow the control nets too, which are the reasons why these instructions ran.
    pub follows_control: bool,
}

/// The causes of some bits, from effect to cause.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// The steps; each comes before the steps that explain it.
    pub steps: Vec<Step>,
    /// How many causes were not followed because of the limits.
    pub further: usize,
}

/// An open question: why an effect had its level at a moment.
struct Asked {
    /// The step that asks, and the index of its reason.
    by: Option<(usize, usize)>,
    effect: Effect,
    moment: Moment,
    depth: usize,
}

impl<P: Past> Follower<'_, P> {
    /// The causes of the levels of these bits at a moment.
    pub fn chain(&mut self, effects: &[Effect], at: Moment, reach: Reach) -> Result<Chain, P::Error> {
        let mut known: HashMap<(Effect, Moment), usize> = HashMap::new();
        let mut chain = Chain::default();
        let mut ranks = Vec::new();
        let first = effects.iter().map(|&effect| Asked { by: None, effect, moment: at, depth: 0 });
        let mut queue: VecDeque<Asked> = first.collect();
        while let Some(Asked { by, effect, moment, depth }) = queue.pop_front() {
            let origin = self.origin(effect, moment)?;
            let index = match known.get(&(effect, origin)) {
                Some(&index) => index,
                None if chain.steps.len() >= reach.steps => {
                    chain.further += 1;
                    continue;
                }
                None => {
                    let index = chain.steps.len();
                    let step = self.step(effect, origin, moment, depth)?;
                    let reasons = step.reasons.iter().enumerate();
                    let wanted = reasons.filter(|(_, reason)| match reason.effect {
                        Effect::Net(net) => {
                            self.circuit.driver(net).is_some()
                                && (reach.follows_control || !self.control[net])
                        }
                        Effect::Cell(..) => true,
                    });
                    if depth < reach.depth {
                        queue.extend(wanted.map(|(number, &Reason { effect, moment, .. })| Asked {
                            by: Some((index, number)),
                            effect,
                            moment,
                            depth: depth + 1,
                        }));
                    } else {
                        chain.further += wanted.count();
                    }
                    ranks.push(self.rank(&step)?);
                    known.insert((effect, origin), index);
                    chain.steps.push(step);
                    index
                }
            };
            let step = &mut chain.steps[index];
            if moment > step.until {
                step.until = moment;
                step.keepers = self.keepers(effect, moment)?;
            }
            if let Some((step, reason)) = by {
                chain.steps[step].reasons[reason].step = Some(index);
            }
        }
        sort(&mut chain.steps, &ranks);
        Ok(chain)
    }
}

/// Sorts effects before their causes: later moments first, and within a moment the higher rank first.
fn sort(steps: &mut Vec<Step>, ranks: &[u16]) {
    let mut order: Vec<usize> = (0..steps.len()).collect();
    order.sort_by_key(|&index| {
        let Step { moment, lookup, effect, .. } = &steps[index];
        (Reverse((*moment, ranks[index])), lookup.map(|lookup| lookup.chip), *effect, index)
    });
    let mut places = vec![0; order.len()];
    order.iter().enumerate().for_each(|(place, &index)| places[index] = place);
    for reason in steps.iter_mut().flat_map(|step| &mut step.reasons) {
        reason.step = reason.step.map(|index| places[index]);
    }
    let mut sorted: Vec<(usize, Step)> = places.into_iter().zip(steps.drain(..)).collect();
    sorted.sort_by_key(|(place, _)| *place);
    steps.extend(sorted.into_iter().map(|(_, step)| step));
}
