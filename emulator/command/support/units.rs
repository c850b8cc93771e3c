//! Parses frequencies and capacitors (`800kHz`, `1.2MHz`, `220pF`, `1nF`, `none`).

use gray1_text::{HERTZ, THOUSANDS, quantity};
use gray1_timed::NANOSECOND;
use std::fmt;

/// An oscillator frequency, in hertz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frequency(pub f64);

/// A capacitor, in picofarads; 0 means none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Capacitor(pub u64);

/// Picoseconds in a second.
const SECOND: f64 = 1e12;
/// The accepted frequencies, in hertz. The useful ones lie well within these limits.
const FREQUENCIES: std::ops::RangeInclusive<f64> = 1e3..=1e9;
/// The largest accepted capacitor, in picofarads. A larger one is probably a typing error.
pub const MAX_PICOFARADS: f64 = 1e6;

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
    pub fn parse(text: &str) -> Result<Frequency, String> {
        let frequency =
            quantity(text, &HERTZ).ok_or("write a frequency, for instance `800kHz` or `1.2MHz`")? as f64;
        if FREQUENCIES.contains(&frequency) {
            Ok(Frequency(frequency))
        } else {
            Err("the frequency must be between 1kHz and 1000MHz".to_owned())
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
    pub fn parse(text: &str) -> Result<Capacitor, String> {
        let picofarads = match text {
            "none" | "0" => 0,
            _ => quantity(text, &[("nF", 3), ("pF", 0)])
                .ok_or("write a capacitor, for instance `1nF` or `220pF`, or `none`")?,
        };
        if picofarads as f64 <= MAX_PICOFARADS {
            Ok(Capacitor(picofarads))
        } else {
            Err("the largest capacitor is 1000nF".to_owned())
        }
    }
}

/// Formats a number of picoseconds.
pub fn nanoseconds(time: i64) -> String {
    format!("{:.1} ns", time as f64 / NANOSECOND as f64)
}

/// Parses a number of machine cycles, such as the value of `--max-cycles`.
pub fn cycles(text: &str) -> Result<u64, String> {
    let usage = "write a number of machine cycles, for instance `5000`, `1.5M` or `1e6`";
    quantity(text, &THOUSANDS).ok_or_else(|| usage.to_owned())
}

impl fmt::Display for Frequency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 1e6 {
            write!(f, "{:.3} MHz", self.0 / 1e6)
        } else {
            write!(f, "{:.1} kHz", self.0 / 1e3)
        }
    }
}

impl fmt::Display for Capacitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.pad("none"),
            pico if pico % 1_000 == 0 => f.pad(&format!("{} nF", pico / 1_000)),
            pico if pico > 1_000 => f.pad(&format!("{} nF", pico as f64 / 1e3)),
            pico => f.pad(&format!("{pico} pF")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_and_capacitors_are_parsed() {
        for (text, hertz) in [
            ("800kHz", 8e5),
            ("1.2MHz", 1.2e6),
            ("1.2 mhz", 1.2e6),
            ("500000", 5e5),
            ("1e6", 1e6),
            ("2000Hz", 2e3),
        ] {
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
