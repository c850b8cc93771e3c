//! Which lookups cause a transient: few of very many, so that most are passed over several at once.

use gray1_machine::Random;

/// At most so many draws are looked at ahead.
const AHEAD: u64 = 1 << 12;

/// Decides about transients: a number is drawn for each lookup of a chip that can show one.
pub struct TransientNoise {
    random: Random,
    /// No chip's transients need a number that is not below this.
    below: u64,
    /// So many of the numbers to come are known not to be below that.
    quiet: u64,
}

impl TransientNoise {
    pub fn new(seed: u64, below: u64) -> TransientNoise {
        TransientNoise { random: Random::new(seed, u64::MAX), below, quiet: 0 }
    }

    /// Draws for so many lookups, if none of them causes a transient; otherwise nothing is drawn.
    #[inline]
    pub fn pass(&mut self, lookups: u64) -> bool {
        if self.quiet < lookups {
            self.look_ahead();
        }
        let can_pass = lookups <= self.quiet;
        if can_pass {
            self.quiet -= lookups;
            self.random.skip(lookups);
        }
        can_pass
    }

    /// The numbers themselves, for a lookup that may cause a transient and for what this is like.
    pub fn numbers(&mut self) -> &mut Random {
        self.quiet = 0;
        &mut self.random
    }

    #[inline(never)]
    fn look_ahead(&mut self) {
        let mut ahead = self.random.clone();
        let limit = self.quiet + AHEAD;
        ahead.skip(self.quiet);
        while self.quiet < limit && ahead.draw() >= self.below {
            self.quiet += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several at once or one by one: the same lookups cause transients.
    #[test]
    fn what_is_passed_over_would_have_been_quiet() {
        for (seed, one_in) in [(1, 5), (2, 300), (3, 40_000)] {
            let below = u64::MAX / one_in;
            let (mut noise, mut plain) = (TransientNoise::new(seed, below), Random::new(seed, u64::MAX));
            let mut hits = 0;
            for step in 0..60_000 {
                let lookups = step % 7;
                let numbers: Vec<u64> = (0..lookups).map(|_| plain.draw()).collect();
                if noise.pass(lookups) {
                    assert!(numbers.iter().all(|number| *number >= below), "seed {seed}, step {step}");
                } else {
                    assert!(numbers.iter().any(|number| *number < below), "seed {seed}, step {step}");
                    assert_eq!((0..lookups).map(|_| noise.numbers().draw()).collect::<Vec<_>>(), numbers);
                    hits += 1;
                }
            }
            assert!(hits > 0, "seed {seed}");
        }
    }
}
