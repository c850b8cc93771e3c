//! Decides which lookups cause a transient. Few of very many do, so most lookups are handled several at a time.

use gray1_machine::Random;

/// The maximum number of random numbers that are examined ahead.
const AHEAD: u64 = 1 << 12;

/// The source of transients: a random number is drawn for each lookup of a chip that can show one.
pub struct TransientNoise {
    random: Random,
    /// No chip shows a transient for a number that is not below this.
    below: u64,
    /// This many of the next numbers are known not to be below that.
    quiet: u64,
}

impl TransientNoise {
    pub fn new(seed: u64, below: u64) -> TransientNoise {
        TransientNoise { random: Random::new(seed, u64::MAX), below, quiet: 0 }
    }

    /// Draws the numbers for this many lookups if none of them causes a transient; otherwise draws nothing.
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

    /// The random numbers, to decide about a lookup that may cause a transient, and about the kind of transient.
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

    /// The same lookups cause transients, whether they are handled several at a time or one by one.
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
