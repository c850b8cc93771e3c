//! Reproducible pseudo-random numbers, computed with integers only, so that they are the same on every computer.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The amount that each number adds to the state.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
/// Lengths of [`Random::fading`] are shorter than this many halves and one.
const MAX_HALVES: u32 = 20;

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
        let whole = u64::from(self.draw().trailing_zeros().min(MAX_HALVES));
        whole * half + self.draw() % half
    }

    /// The probability that [`Random::fading`] gives this length or more, as a multiple of two to the power of -64.
    pub fn exceeding(half: u64, length: u64) -> u64 {
        let (whole, rest) = (length / half, length % half);
        if whole > u64::from(MAX_HALVES) {
            return 0;
        }
        let longer = if whole < u64::from(MAX_HALVES) { half } else { 0 };
        // It has so many halves and the rest, or more halves: both are equally likely.
        let halvings = (whole as u32 + 1).min(MAX_HALVES);
        let chances = u128::from(half - rest + longer) << (u64::BITS - halvings);
        u64::try_from(chances / u128::from(half)).unwrap_or(u64::MAX)
    }

    /// A length as [`Random::fading`] gives it, if it gives this or more, which must be possible.
    pub fn fading_beyond(&mut self, half: u64, length: u64) -> u64 {
        let (whole, rest) = (length / half, length % half);
        let longer = if whole < u64::from(MAX_HALVES) { half } else { 0 };
        let place = self.between(rest, half + longer - 1);
        if place < half {
            return whole * half + place;
        }
        let more = u64::from(self.draw().trailing_zeros());
        (whole + 1 + more).min(u64::from(MAX_HALVES)) * half + (place - half)
    }

    /// An upper bound of [`Random::fading`] for this half.
    pub fn longest_fading(half: u64) -> u64 {
        (u64::from(MAX_HALVES) + 1) * half
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
    fn long_lengths_are_as_likely_as_they_are_among_all() {
        let mut random = Random::new(1, 3);
        let lengths: Vec<u64> = (0..200_000).map(|_| random.fading(1_000)).collect();
        for beyond in [0, 1, 700, 1_000, 2_500, 4_000] {
            let all: Vec<u64> = lengths.iter().copied().filter(|length| *length >= beyond).collect();
            let expected = Random::exceeding(1_000, beyond) as f64 / 2f64.powi(64) * 200_000.0;
            assert!((all.len() as f64 - expected).abs() < 1_000.0, "{} {expected}", all.len());
            let drawn: Vec<u64> = all.iter().map(|_| random.fading_beyond(1_000, beyond)).collect();
            for longer in [beyond, beyond + 500, beyond + 1_300, beyond + 5_000] {
                let [one, other] =
                    [&all, &drawn].map(|all| all.iter().filter(|length| **length < longer).count());
                assert!(one.abs_diff(other) < 1_500, "{beyond} {longer}: {one} {other}");
            }
        }
        let longest = Random::longest_fading(1_000);
        assert_eq!(Random::exceeding(1_000, longest), 0);
        assert!(Random::exceeding(1_000, longest - 1) > 0);
        assert!((0..1_000).all(|_| random.fading_beyond(1_000, longest - 1) == longest - 1));
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
