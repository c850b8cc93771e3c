//! Random numbers for the attack, the same on every computer.

/// A generator of random numbers (SplitMix64).
pub struct Draw(u64);

impl Draw {
    /// The numbers of a seed and of the parts of its name.
    pub fn of(parts: &[u64]) -> Draw {
        let mut draw = Draw(0x6A09_E667_F3BC_C908);
        for part in parts {
            draw.0 ^= part.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            draw.next();
        }
        draw
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// Whether something happens that does so in this many of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn bit(&mut self) -> bool {
        self.next() & 1 == 1
    }

    pub fn byte(&mut self) -> u8 {
        self.next() as u8
    }

    /// One of some things.
    pub fn of_these<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len())]
    }

    /// A number from 0 to 1.
    pub fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
