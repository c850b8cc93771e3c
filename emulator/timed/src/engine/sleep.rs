//! When the timed engine sleeps, and what passes meanwhile.

use super::{LATEST, TimedEngine};
use gray1_machine::{Engine, Failure, OutputSink, PHASES};

/// The number of cycles in which transients are looked for at a time.
const LOOKAHEAD: u64 = 1 << 20;

impl TimedEngine {
    /// At the end of the gap: whether nothing is left of a transient, and no other comes before the next gap.
    pub(super) fn may_sleep(&mut self) -> bool {
        let TimedEngine { board, flow, reference, cycle, .. } = self;
        let gives = |chip: usize| reference.gives(chip) as u8;
        if !self.can_sleep || flow.is_watched() || !flow.is_at_rest_with(&board.circuit, gives) {
            return false;
        }
        let next = flow.noise.as_mut().and_then(|noise| noise.candidate((*cycle, 2), *cycle + 1));
        next.is_none_or(|next| next >= (*cycle + 1, 2))
    }

    /// The number of cycles, up to a maximum, that can be slept through.
    pub(super) fn calm(&mut self, most: u64) -> u64 {
        if !self.sleeps {
            return 0;
        }
        let Some(noise) = &mut self.flow.noise else { return most };
        let most = most.min(LOOKAHEAD);
        match noise.candidate((self.cycle, 0), self.cycle.saturating_add(most)) {
            // To be awake in the gap before the transient, the engine wakes in the cycle of that gap.
            Some((cycle, phase)) => {
                cycle.saturating_sub(u64::from(phase < 2)).saturating_sub(self.cycle).min(most)
            }
            None => most,
        }
    }

    /// Lets the reference run alone.
    pub(super) fn sleep(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<(), Failure> {
        let before = self.cycle;
        let result = self.reference.run(cycles, outside);
        self.follow_cycle();
        let time = (self.cycle - before).wrapping_mul(PHASES as u64).wrapping_mul(self.half_period);
        self.edge_at = self.edge_at.wrapping_add(time) % LATEST;
        result.map(drop)
    }
}
