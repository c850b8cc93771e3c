//! Reproducible pseudo-random numbers, computed with integers only, so that they are the same on every computer.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The amount that each number adds to the state.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
/// Lengths of [`Random::fading`] are shorter than this many halves and one.
const MOST_HALVES: u32 = 20;

impl Random {
    /// One of the streams of random numbers of a seed. All streams of a seed begin at different states.
    pub fn new(seed: u64, stream: u64) -> Random {
        let mut random = Random::from_state(seed);
        let start = random.draw();
        Random(start ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    /// The generator in this state: the numbers are those of its reference implementation with this seed.
    pub fn from_state(state: u64) -> Random {
        Random(state)
    }

    /// Any number.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Skips this many numbers.
    #[inline]
    pub fn skip(&mut self, count: u64) {
        self.0 = self.0.wrapping_add(STEP.wrapping_mul(count));
    }

    /// A number from `from` to `to`, both included.
    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.draw() % (to - from + 1)
    }

    /// A length that exceeds `half` in one half of the cases, twice that in a quarter, and so on.
    pub fn fading(&mut self, half: u64) -> u64 {
        let whole = u64::from(self.draw().trailing_zeros().min(MOST_HALVES));
        whole * half + self.draw() % half
    }

    /// An upper bound of [`Random::fading`] for this half.
    pub fn longest_fading(half: u64) -> u64 {
        (u64::from(MOST_HALVES) + 1) * half
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_fade_by_half() {
        let mut random = Random::new(1, 2);
        let lengths: Vec<u64> = (0..80_000).map(|_| random.fading(1_000)).collect();
        for (halvings, expected) in [(1, 40_000), (2, 20_000), (3, 10_000)] {
            let longer = lengths.iter().filter(|&&length| length >= halvings * 1_000).count();
            assert!(
                longer.abs_diff(expected) < 600,
                "{longer} of 80,000 are longer than {halvings} half-lives"
            );
        }
    }

    #[test]
    fn streams_of_a_seed_differ_and_repeat() {
        let draws = |seed, stream| {
            let mut random = Random::new(seed, stream);
            [(); 4].map(|()| random.between(10, 1_000_000))
        };
        assert_eq!(draws(1, 2), draws(1, 2));
        assert_ne!(draws(1, 2), draws(1, 3));
        assert_ne!(draws(1, 2), draws(2, 2));
    }
}
