//! The opposite direction: the effects of a bit.

use crate::follower::Follower;
use crate::past::{Moment, Past};
use crate::phase::Origin;
use crate::step::{Effect, Step};
use gray1_machine::netlist::{Holds, NetId};
use std::collections::{BTreeSet, HashMap};

/// The effects of some bits.
#[derive(Clone, Debug, Default)]
pub struct Influence {
    /// The steps that they have caused, directly or indirectly. Each comes after its causes; the bits themselves come
    /// first.
    pub steps: Vec<Step>,
    /// The bits whose level is still caused by them at the end.
    pub left: Vec<Effect>,
    /// The moment up to which effects were followed: the end, the moment when nothing was left, or the moment when the
    /// maximum number of steps was reached.
    pub until: Moment,
    /// Whether it ended because of the maximum number of steps.
    pub is_cut_short: bool,
}

impl<P: Past> Follower<'_, P> {
    /// The effects of the levels of these bits at one moment, up to another moment, in about `most` steps. The control
    /// nets are followed only if `follows_control` is set.
    pub fn influence(
        &mut self,
        effects: &[Effect],
        [at, end]: [Moment; 2],
        most: usize,
        follows_control: bool,
    ) -> Result<Influence, P::Error> {
        let mut spread = Spread::default();
        for &effect in effects {
            let origin = self.origin(effect, at)?;
            let step = self.step(effect, origin, at, 0)?;
            spread.add(step);
        }
        let mut until = at;
        for moment in at..=end {
            self.spread(&mut spread, moment, if moment == at { effects } else { &[] }, follows_control)?;
            until = moment;
            if spread.steps.len() >= most || spread.now.is_empty() {
                break;
            }
        }
        let is_cut_short = until < end && !spread.now.is_empty();
        Ok(Influence { steps: spread.steps, left: spread.now.into_iter().collect(), until, is_cut_short })
    }

    /// Follows effects through one phase. In the first phase, the bits in `given` keep their levels.
    fn spread(
        &mut self,
        spread: &mut Spread,
        moment: Moment,
        given: &[Effect],
        follows_control: bool,
    ) -> Result<(), P::Error> {
        let (circuit, ordered) = (self.circuit, self.ordered(moment)?);
        let netlist = circuit.netlist();
        spread.before.clone_from(&spread.now);
        let mut nets: Vec<NetId> = (0..netlist.nets.len()).collect();
        nets.sort_by_key(|&net| ordered.phase.rank(net));
        for net in nets {
            let effect = Effect::Net(net);
            if given.contains(&effect) || ordered.phase.origin(net) == Origin::Held {
                continue;
            }
            spread.now.remove(&effect);
            let Some(pin) = circuit.driver(net).filter(|_| follows_control || !self.control[net]) else {
                continue;
            };
            let chip = &netlist.chips[pin.chip];
            let is_read = match chip.holds {
                Holds::Ram { .. } => {
                    let cell = Effect::Cell(pin.chip, ordered.after.number(chip.address()), pin.line);
                    spread.now.contains(&cell)
                }
                Holds::Table(_) | Holds::Program { .. } => false,
            };
            if is_read || chip.reads.iter().any(|&read| spread.is_near(read)) {
                let step = self.step(effect, moment, moment, 0)?;
                spread.add_if_influenced(step);
            }
        }
        for (id, chip) in netlist.chips.iter().enumerate() {
            let lines = ordered.after.number(&chip.reads);
            if !matches!(chip.holds, Holds::Ram { .. }) || lines >> (chip.reads.len() - 1) & 1 == 0 {
                continue;
            }
            for line in 0..chip.data.len() {
                let effect = Effect::Cell(id, ordered.after.number(chip.address()), line);
                if given.contains(&effect) {
                    continue;
                }
                spread.now.remove(&effect);
                if chip.reads.iter().any(|&read| spread.is_near(read)) {
                    let step = self.step(effect, moment, moment, 0)?;
                    spread.add_if_influenced(step);
                }
            }
        }
        Ok(())
    }
}

/// The effects so far.
#[derive(Default)]
struct Spread {
    steps: Vec<Step>,
    /// The bits whose level is caused by the given ones, now and one phase ago.
    now: BTreeSet<Effect>,
    before: BTreeSet<Effect>,
    /// The latest step of each bit.
    latest: HashMap<Effect, usize>,
}

impl Spread {
    /// Whether a step that reads this net can be influenced.
    fn is_near(&self, net: NetId) -> bool {
        let effect = Effect::Net(net);
        self.now.contains(&effect) || self.before.contains(&effect)
    }

    /// Adds a step if one of its reasons is influenced.
    fn add_if_influenced(&mut self, mut step: Step) {
        let mut is_influenced = false;
        for reason in &mut step.reasons {
            let influenced = if reason.moment == step.moment { &self.now } else { &self.before };
            if influenced.contains(&reason.effect) {
                is_influenced = true;
                reason.step = self.latest.get(&reason.effect).copied();
            }
        }
        if is_influenced {
            self.add(step);
        }
    }

    fn add(&mut self, step: Step) {
        self.now.insert(step.effect);
        self.latest.insert(step.effect, self.steps.len());
        self.steps.push(step);
    }
}
