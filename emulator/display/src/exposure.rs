//! The time for which each LED was lit.
//!
//! A program changes the display far more often than pictures can be shown. Pictures of single instants would flicker,
//! while a real LED that is lit a third of the time looks a third as bright. [`Exposure`] computes the same sum
//! exactly. A store costs only as much as the bits it changes, however many cycles lie between two stores.

use gray1_isa::memory_map::DISPLAY_SIZE;

/// The rows that the machine can store to: eight green ones, then eight red ones.
pub const LINES: usize = 2 * DISPLAY_SIZE;

/// The brightness of one two-colour LED: the fraction of the time, 0 to 1, that each colour was lit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Led {
    /// The green half.
    pub green: f32,
    /// The red half.
    pub red: f32,
}

/// The brightness of the whole matrix. Row 0 is at the top, column 0 at the left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Light {
    /// The LEDs, row by row.
    pub leds: [[Led; DISPLAY_SIZE]; DISPLAY_SIZE],
}

impl Light {
    /// The light of a display that shows these rows, first green, then red, and does not change.
    pub fn steady(lines: &[u8; LINES]) -> Self {
        let mut light = Self::default();
        for (line, bits) in lines.iter().enumerate() {
            for column in 0..DISPLAY_SIZE {
                *light.half(line, column) = f32::from(bits >> column & 1);
            }
        }
        light
    }

    /// This light for `weight` of the time and `other` for the rest.
    pub fn mixed_with(&self, other: &Self, weight: f32) -> Self {
        let mut mixed = *self;
        for (led, there) in mixed.leds.iter_mut().flatten().zip(other.leds.iter().flatten()) {
            led.green = led.green * weight + there.green * (1.0 - weight);
            led.red = led.red * weight + there.red * (1.0 - weight);
        }
        mixed
    }

    fn half(&mut self, line: usize, column: usize) -> &mut f32 {
        let led = &mut self.leds[line % DISPLAY_SIZE][column];
        if line < DISPLAY_SIZE { &mut led.green } else { &mut led.red }
    }
}

/// Adds up the cycles that each LED was lit in each colour since the last [`take`](Exposure::take).
#[derive(Clone, Debug)]
pub struct Exposure {
    lines: [u8; LINES],
    /// The cycle since which a lit LED has not been added up.
    since: [[u64; DISPLAY_SIZE]; LINES],
    lit: [[u64; DISPLAY_SIZE]; LINES],
    start: u64,
}

impl Exposure {
    /// Begins at `cycle` with what the display holds then; at power-up that is noise.
    pub fn new(cycle: u64, lines: [u8; LINES]) -> Self {
        Self { lines, since: [[cycle; DISPLAY_SIZE]; LINES], lit: [[0; DISPLAY_SIZE]; LINES], start: cycle }
    }

    /// From `cycle` on, `line` shows `bits`. Lines 0 to 7 are the green rows, 8 to 15 the red ones.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn store(&mut self, cycle: u64, line: usize, bits: u8) {
        let mut changed = self.lines[line] ^ bits;
        self.lines[line] = bits;
        while changed != 0 {
            let column = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            if bits >> column & 1 == 1 {
                self.since[line][column] = cycle;
            } else {
                self.lit[line][column] += cycle.saturating_sub(self.since[line][column]);
            }
        }
    }

    /// The current LEDs.
    pub fn leds(&self) -> [u8; LINES] {
        self.lines
    }

    /// The light from the last take up to, but not including, cycle `until`, where the next one begins. If no cycle has
    /// passed, the light is what the display shows now.
    pub fn take(&mut self, until: u64) -> Light {
        let cycles = until.saturating_sub(self.start);
        if cycles == 0 {
            return Light::steady(&self.lines);
        }
        let mut light = Light::default();
        for line in 0..LINES {
            for column in 0..DISPLAY_SIZE {
                let mut lit = self.lit[line][column];
                if self.lines[line] >> column & 1 == 1 {
                    lit += until.saturating_sub(self.since[line][column]);
                }
                *light.half(line, column) = (lit as f64 / cycles as f64).min(1.0) as f32;
            }
        }
        *self = Self::new(until, self.lines);
        light
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bit_zero_is_the_leftmost_column_and_line_eight_the_top_red_row() {
        let mut exposure = Exposure::new(0, [0; LINES]);
        exposure.store(0, 0, 0b0000_0001);
        exposure.store(0, 15, 0b1000_0000);
        let light = exposure.take(0);
        assert_eq!(light.leds[0][0], Led { green: 1.0, red: 0.0 });
        assert_eq!(light.leds[7][7], Led { green: 0.0, red: 1.0 });
        assert_eq!(light.leds.iter().flatten().filter(|led| **led != Led::default()).count(), 2);
    }

    #[test]
    fn a_thousand_million_cycles_lose_nothing() {
        let start = u64::MAX - 2_000_000_000;
        let mut exposure = Exposure::new(start, [0; LINES]);
        exposure.store(start + 250_000_000, 3, 1);
        exposure.store(start + 500_000_000, 3, 0);
        let light = exposure.take(start + 1_000_000_000);
        assert_eq!(light.leds[3][0].green, 0.25);
    }

    /// Taking the current state when no cycle has passed must not lose a store that is still to be counted.
    #[test]
    fn looking_twice_at_the_same_cycle_changes_nothing() {
        let mut exposure = Exposure::new(10, [0; LINES]);
        exposure.store(10, 0, 1);
        assert_eq!(exposure.take(10), exposure.take(10));
        assert_eq!(exposure.take(20).leds[0][0].green, 1.0);
    }

    proptest! {
        #[test]
        fn the_sum_is_that_of_a_model_that_looks_every_cycle(
            noise in any::<[u8; LINES]>(),
            stores in prop::collection::vec((0u64..40, 0..LINES, any::<u8>()), 0..60),
            frames in prop::collection::vec(0u64..120, 1..6),
        ) {
            let mut exposure = Exposure::new(0, noise);
            let mut shown = noise;
            let mut pending = stores.iter().scan(0, |cycle, &(gap, line, bits)| {
                *cycle += gap / 4;
                Some((*cycle, line, bits))
            }).peekable();
            let mut cycle = 0;
            for length in frames {
                let mut seen = [[0u32; DISPLAY_SIZE]; LINES];
                let end = cycle + length;
                for now in cycle..end {
                    while let Some((_, line, bits)) = pending.next_if(|store| store.0 <= now) {
                        exposure.store(now, line, bits);
                        shown[line] = bits;
                    }
                    for (line, row) in seen.iter_mut().enumerate() {
                        for (column, count) in row.iter_mut().enumerate() {
                            *count += u32::from(shown[line] >> column & 1);
                        }
                    }
                }
                cycle = end;
                let mut expected = Light::steady(&shown);
                if length > 0 {
                    for (line, row) in seen.iter().enumerate() {
                        for (column, count) in row.iter().enumerate() {
                            *expected.half(line, column) = (f64::from(*count) / length as f64) as f32;
                        }
                    }
                }
                prop_assert_eq!(exposure.take(end), expected);
            }
        }
    }
}
