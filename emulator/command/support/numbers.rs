//! Parses the numbers of all options: counts, frequencies, capacitors, numbers of cycles.

use clap::builder::TypedValueParser;
use gray1_text::{HERTZ, THOUSANDS, quantity};
use gray1_timed::NANOSECOND;
use std::fmt;
use std::ops::RangeInclusive;

/// An oscillator frequency, in hertz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frequency(pub f64);

/// A capacitor, in picofarads; 0 means none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capacitor(pub u64);

/// Picoseconds in a second.
const SECOND: f64 = 1e12;
/// The accepted frequencies, in hertz. The useful ones lie well within these limits.
const FREQUENCIES: RangeInclusive<u64> = 1_000..=1_000_000_000;
/// The largest accepted capacitor, in picofarads. A larger one is probably a typing error.
pub const MAX_PICOFARADS: u64 = 1_000_000;

/// Makes a parser for a number in this range, which has to be one of `T`.
pub fn number<T: TryFrom<u64> + Clone + Send + Sync + 'static>(
    range: RangeInclusive<u64>,
) -> impl TypedValueParser<Value = T> {
    move |text: &str| {
        let number = quantity(text, &THOUSANDS).filter(|number| range.contains(number));
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| match (range.start(), range.end()) {
            (0, &u64::MAX) => "write a number, for instance `26`, `0x1A`, `8k` or `1e6`".to_owned(),
            (first, &u64::MAX) => format!("write a number, at least {first}"),
            (first, last) => format!("write a number from {first} to {last}"),
        })
    }
}

/// Parses a number of machine cycles, such as the value of `--max-cycles`.
pub fn cycles(text: &str) -> Result<u64, &'static str> {
    quantity(text, &THOUSANDS).ok_or("write a number of machine cycles, for instance `5000`, `1.5M` or `1e6`")
}

impl Frequency {
    /// Converts half a period, in picoseconds.
    pub fn from_half_period(half_period: u64) -> Frequency {
        Frequency(SECOND / 2.0 / half_period as f64)
    }

    /// Returns half a period, in picoseconds.
    pub fn half_period(self) -> u64 {
        (SECOND / 2.0 / self.0).round() as u64
    }

    /// Parses the value of `--osc`.
    pub fn parse(text: &str) -> Result<Frequency, &'static str> {
        match quantity(text, &HERTZ) {
            None => Err("write a frequency, for instance `800kHz` or `1.2MHz`"),
            Some(hertz) if FREQUENCIES.contains(&hertz) => Ok(Frequency(hertz as f64)),
            Some(_) => Err("the frequency must be between 1kHz and 1000MHz"),
        }
    }
}

impl Capacitor {
    /// Describes the capacitor as the filter of the registers.
    pub fn describe_filter(self) -> String {
        match self.0 {
            0 => "no capacitors".to_owned(),
            _ => format!("{self} on each output of a register chip"),
        }
    }

    /// Parses the value of `--capacitor`.
    pub fn parse(text: &str) -> Result<Capacitor, &'static str> {
        let picofarads = match text {
            "none" | "0" => Some(0),
            _ => quantity(text, &[("nF", 3), ("pF", 0)]),
        };
        match picofarads {
            None => Err("write a capacitor, for instance `1nF` or `220pF`, or `none`"),
            Some(picofarads @ ..=MAX_PICOFARADS) => Ok(Capacitor(picofarads)),
            Some(_) => Err("the largest capacitor is 1000nF"),
        }
    }
}

/// Formats a number of picoseconds.
pub fn nanoseconds(time: i64) -> String {
    format!("{:.1} ns", time as f64 / NANOSECOND as f64)
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1e6.. => write!(f, "{:.3} MHz", self.0 / 1e6),
            _ => write!(f, "{:.1} kHz", self.0 / 1e3),
        }
    }
}

impl fmt::Display for Capacitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("none"),
            pico @ ..1_000 => f.pad(&format!("{pico} pF")),
            pico => f.pad(&format!("{} nF", pico as f64 / 1e3)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_and_capacitors_are_parsed() {
        for (text, hertz) in
            [("800kHz", 8e5), ("1.2 mhz", 1.2e6), ("500000", 5e5), ("1e6", 1e6), ("2000Hz", 2e3)]
        {
            assert_eq!(Frequency::parse(text), Ok(Frequency(hertz)), "{text}");
        }
        for text in ["", "fast", "-1MHz", "10Hz", "2000MHz", "1.2.3MHz", "é", "inf", "MHz"] {
            assert!(Frequency::parse(text).is_err(), "{text}");
        }
        for (text, pico) in [("1nF", 1000), ("220pF", 220), ("none", 0), ("0", 0), ("4.7nF", 4700)] {
            assert_eq!(Capacitor::parse(text), Ok(Capacitor(pico)), "{text}");
        }
        for text in ["", "1", "1F", "-1nF", "2000nF", "nanF"] {
            assert!(Capacitor::parse(text).is_err(), "{text}");
        }
        let shown = [0, 220, 1000, 4700].map(|pico| Capacitor(pico).to_string());
        assert_eq!(shown, ["none", "220 pF", "1 nF", "4.7 nF"]);
        assert_eq!(Frequency::from_half_period(1_000_000).to_string(), "500.0 kHz");
        assert_eq!(Frequency(4e5).half_period(), 1_250_000);
    }
}
