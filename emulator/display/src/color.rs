//! From light to screen colours.
//!
//! Light adds up linearly, so all sums are linear. The result is then compressed as by film, so that a very bright lens
//! turns pale in its middle instead of flat, and encoded as sRGB.

use std::sync::LazyLock;

use crate::exposure::Led;

/// Linear light: red, green, blue.
pub type Linear = [f32; 3];

/// The light of a green LED that is fully on.
pub const GREEN: Linear = [0.03, 1.0, 0.045];
/// The light of a red LED that is fully on.
pub const RED: Linear = [1.3, 0.028, 0.016];
/// The background around the board.
pub const BACKGROUND: Linear = [0.0022, 0.0024, 0.0028];
/// The board between the lenses.
pub const BOARD: Linear = [0.0052, 0.0056, 0.0064];
/// An unlit lens.
pub const LENS: Linear = [0.0205, 0.0205, 0.0215];
/// The text of the status lines.
pub const TEXT: Linear = [0.42, 0.43, 0.44];
/// The key names of the help.
pub const BRIGHT_TEXT: Linear = [0.9, 0.91, 0.93];

/// The number of brightness levels of an LED colour, evenly spaced for the eye.
const LEVELS: usize = 256;

/// Brighter light than this makes no difference.
const WHITE: f32 = 5.0;
/// Enough entries that the darkest greys are all distinct.
const TONES: usize = 1 << 15;

/// The green and red light of an LED; 1 is fully on.
pub fn emission(led: Led) -> (f32, f32) {
    let [green, red] = [led.green, led.red].map(|half| EMISSION[usize::from(level(half))]);
    // Both halves share a resistor: the green one gets less current while the red one is lit, and the sum is amber.
    (green * (1.0 - 0.62 * red), red)
}

/// The tones of the screen by linear light.
pub struct Film([u8; TONES]);

/// The shared film. Fetch it once where many pixels are drawn.
pub fn film() -> &'static Film {
    &FILM
}

impl Film {
    /// The colour of light on the screen, 0RGB.
    #[inline]
    pub fn screen(&self, light: Linear) -> u32 {
        light.iter().fold(0, |color, channel| color << 8 | u32::from(self.tone(*channel)))
    }

    /// The tone of one channel of linear light, which must not be negative.
    #[inline]
    fn tone(&self, light: f32) -> u8 {
        // With this much added, the low bits of a float are the nearest whole number. That is much cheaper than a
        // conversion that handles every other case, and it happens three times per pixel.
        const WHOLE: f32 = (1 << 23) as f32;
        let step = (light * (TONES as f32 / WHITE)).min((TONES - 1) as f32) + WHOLE;
        self.0[step.to_bits() as usize % TONES]
    }
}

/// An LED as a single colour on the screen, where there is no room for a picture of it.
pub fn flat(led: Led) -> u32 {
    const GAIN: f32 = 1.6;
    let (green, red) = emission(led);
    film().screen(std::array::from_fn(|channel| {
        2.0 * LENS[channel] + GAIN * (green * GREEN[channel] + red * RED[channel])
    }))
}

/// A fraction of the time as a brightness level. The root makes short flashes visible.
fn level(fraction: f32) -> u8 {
    (fraction.clamp(0.0, 1.0).powf(0.45) * (LEVELS - 1) as f32).round() as u8
}

static EMISSION: LazyLock<[f32; LEVELS]> =
    LazyLock::new(|| std::array::from_fn(|level| (level as f32 / (LEVELS - 1) as f32).powf(1.75)));

static FILM: LazyLock<Box<Film>> = LazyLock::new(|| {
    Box::new(Film(std::array::from_fn(|step| {
        let light = step as f32 * WHITE / TONES as f32;
        let exposed = 1.0 - (-light).exp();
        let encoded =
            if exposed <= 0.003_130_8 { 12.92 * exposed } else { 1.055 * exposed.powf(1.0 / 2.4) - 0.055 };
        (encoded * 255.0).round() as u8
    })))
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_of_the_time_is_clearly_on() {
        let [off, tenth, full] = [0.0, 0.1, 1.0].map(|green| flat(Led { green, red: 0.0 }).to_be_bytes()[2]);
        assert!(tenth > off + 60, "{off} {tenth}");
        assert!(full > tenth + 60, "{tenth} {full}");
    }

    #[test]
    fn the_two_halves_make_amber() {
        let [_, red, green, blue] = flat(Led { green: 1.0, red: 1.0 }).to_be_bytes();
        assert!(red > green + 20 && green > blue + 60, "{red} {green} {blue}");
    }

    #[test]
    fn brightness_never_falls_as_light_grows() {
        for step in 1..1000u16 {
            let (less, more) = (f32::from(step - 1) / 1000.0, f32::from(step) / 1000.0);
            assert!(level(less) <= level(more));
            assert!(film().tone(less) <= film().tone(more));
        }
        assert_eq!(level(f32::NAN), 0);
        assert_eq!((level(-1.0), level(2.0)), (0, 255));
    }
}
