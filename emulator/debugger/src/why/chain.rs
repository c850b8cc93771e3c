//! Chains of causes: traces an effect back through the chips, breadth first.

use crate::why::past::{Moment, Past};
use crate::why::step::{Effect, Reason, Step};
use crate::why::tracer::Tracer;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

/// The limits of a chain.
#[derive(Clone, Copy, Debug)]
pub struct ChainLimits {
    /// The maximum number of steps from the effect.
    pub depth: usize,
    /// The maximum total number of steps.
    pub steps: usize,
    /// Whether the chain includes control nets, which are the reasons why these instructions ran.
    pub follows_control: bool,
}

/// The causes of some bits.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// The steps, each before the steps that explain it.
    pub steps: Vec<Step>,
    /// The number of causes that were not followed because of the limits.
    pub further: usize,
}

/// An open question: why an effect had its level at a moment.
struct Question {
    /// The step that raises the question, and the index of its reason; `None` for the initial effects.
    asker: Option<(usize, usize)>,
    effect: Effect,
    moment: Moment,
    depth: usize,
}

impl<P: Past> Tracer<'_, P> {
    /// Traces the causes of the levels of these bits at a moment.
    pub fn chain(&mut self, effects: &[Effect], at: Moment, limits: ChainLimits) -> Result<Chain, P::Error> {
        let mut known: HashMap<(Effect, Moment), usize> = HashMap::new();
        let mut chain = Chain::default();
        let mut ranks = Vec::new();
        let first = effects.iter().map(|&effect| Question { asker: None, effect, moment: at, depth: 0 });
        let mut queue: VecDeque<Question> = first.collect();
        while let Some(Question { asker, effect, moment, depth }) = queue.pop_front() {
            let origin = self.origin(effect, moment)?;
            let index = match known.get(&(effect, origin)) {
                Some(&index) => index,
                None if chain.steps.len() >= limits.steps => {
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
                                && (limits.follows_control || !self.control[net])
                        }
                        Effect::Cell(..) => true,
                    });
                    if depth < limits.depth {
                        queue.extend(wanted.map(|(number, &Reason { effect, moment, .. })| Question {
                            asker: Some((index, number)),
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
            if let Some((step, reason)) = asker {
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
    let mut positions = vec![0; order.len()];
    order.iter().enumerate().for_each(|(position, &index)| positions[index] = position);
    for reason in steps.iter_mut().flat_map(|step| &mut step.reasons) {
        reason.step = reason.step.map(|index| positions[index]);
    }
    let mut sorted: Vec<(usize, Step)> = positions.into_iter().zip(steps.drain(..)).collect();
    sorted.sort_by_key(|(position, _)| *position);
    steps.extend(sorted.into_iter().map(|(_, step)| step));
}
