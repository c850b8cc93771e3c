//! The delay that a filter and a load add at the thresholds of inputs, with the tolerances of the parts.
//!
//! ```text
//!   5 V ┤ ╲                      ╱‾‾‾        A filter falls and rises towards its end, ever more slowly. An input
//!   2 V ┤┈┈┈╲┈┈┈┈┈┈┈┈┈┈┈┈┈┈┈╱┈┈┈┈┈ 1          takes anything above 2.0 V for 1 and below 0.8 V for 0, and most
//! 0.8 V ┤┈┈┈┈┈╲┈┈┈┈┈┈┈┈┈┈╱┈┈┈┈┈┈┈ 0          switch near 1.4 V. So a fall takes much longer than a rise.
//!   0 V ┤        ‾‾‾___╱
//! ```
//!
//! The timed engine and the delays of [`Paths`](super::Paths) without these take ln 2 of a time constant for both.

use crate::conditions::NANOSECOND;
use gray1_machine::board::Timing;
use gray1_machine::netlist::{Net, NetId, Netlist};

/// The load in picofarads with which the delays of parts are guaranteed.
const TESTED: u64 = 30;
/// The capacitance of pins that read a line, and of one that drives it, in picofarads.
const READER: u64 = 6;
const DRIVER: u64 = 12;
/// The length of track in micrometres that adds one picofarad.
const PICOFARAD: u64 = 8_000;

/// The levels and the parts that an analysis counts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The shortest and the longest time in which a line rises far enough, in millionths of its time constant.
    rise: (u64, u64),
    /// The shortest and the longest time in which a line falls far enough.
    fall: (u64, u64),
    /// The tolerances of resistors and capacitors, in percent.
    resistor: u64,
    capacitor: u64,
    /// The shorter part of the oscillator's period, in percent.
    half: u64,
}

impl Levels {
    /// Inputs that switch at 1.4 V, and parts without tolerances.
    pub const TYPICAL: Levels = Levels {
        rise: (328_504, 328_504),
        fall: (1_272_966, 1_272_966),
        resistor: 0,
        capacitor: 0,
        half: 50,
    };
    /// Inputs that switch anywhere between 0.8 V and 2.0 V; resistors of 5 %, capacitors of 10 %; an oscillator whose
    /// halves are 45 % and 55 %.
    pub const GUARANTEED: Levels =
        Levels { rise: (174_353, 510_826), fall: (916_291, 1_832_581), resistor: 5, capacitor: 10, half: 45 };

    /// The shortest and the longest time in picoseconds until a resistor, in ohms, has brought a capacitor and a load, in
    /// picofarads, to another level. Where there is no capacitor, delays include the load with which they are guaranteed.
    pub fn filter(&self, resistance: u32, capacitor: u64, load: u64) -> (u64, u64) {
        let time = |constant: u64, hundredths: u64, tolerance: u64| {
            let factors = [constant, hundredths, tolerance, resistance.into()].map(u128::from);
            // Ohms times picofarads is picoseconds.
            (factors.iter().product::<u128>() / 10_000_000_000) as u64
        };
        let (least, most) = match capacitor {
            0 => (0, 100 * load.saturating_sub(TESTED)),
            _ => (capacitor * (100 - self.capacitor), capacitor * (100 + self.capacitor) + 100 * load),
        };
        (
            time(self.rise.0.min(self.fall.0), least, 100 - self.resistor),
            time(self.rise.1.max(self.fall.1), most, 100 + self.resistor),
        )
    }

    /// The shortest and the longest delay of a net in picoseconds, with this capacitor if it has a filter.
    pub(super) fn span(&self, net: &Net, timing: &Timing, capacitor: u64, load: u64) -> (u64, u64) {
        let capacitor = if net.has_filter { capacitor } else { 0 };
        let (shortest, longest) = self.filter(timing.resistance, capacitor, load);
        let access = |nanoseconds: u32| u64::from(nanoseconds) * NANOSECOND;
        (access(timing.access.0) + shortest, access(timing.access.1) + longest)
    }

    /// Half of the shortest period whose shorter half is this long.
    pub(super) fn half_period(&self, shorter: u64) -> u64 {
        (shorter * 50).div_ceil(self.half)
    }
}

/// The load on each net in picofarads: the pins on it, and its track if its length is known, in micrometres.
pub(super) fn loads(netlist: &Netlist, length: impl Fn(NetId) -> u64) -> Vec<u64> {
    let mut loads: Vec<u64> =
        (0..netlist.nets.len()).map(|net| DRIVER + length(net).div_ceil(PICOFARAD)).collect();
    for &net in netlist.chips.iter().flat_map(|chip| &chip.reads) {
        loads[net] += READER;
    }
    loads
}

#[cfg(test)]
mod tests {
    use super::Levels;

    /// The constants are those of a filter between 0 and 5 V.
    #[test]
    fn the_constants_are_logarithms() {
        let rise = |volts: f64| -(1.0 - volts / 5.0).ln();
        let fall = |volts: f64| (5.0 / volts).ln();
        let Levels { rise: typical_rise, fall: typical_fall, .. } = Levels::TYPICAL;
        let Levels { rise: guaranteed_rise, fall: guaranteed_fall, .. } = Levels::GUARANTEED;
        for (constant, logarithm) in [
            (typical_rise.0, rise(1.4)),
            (typical_rise.1, rise(1.4)),
            (typical_fall.0, fall(1.4)),
            (typical_fall.1, fall(1.4)),
            (guaranteed_rise.0, rise(0.8)),
            (guaranteed_rise.1, rise(2.0)),
            (guaranteed_fall.0, fall(2.0)),
            (guaranteed_fall.1, fall(0.8)),
        ] {
            assert!((constant as f64 / 1e6 - logarithm).abs() < 1e-6, "{constant} {logarithm}");
        }
    }
}
