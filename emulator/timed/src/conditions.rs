//! Under which conditions a board runs: how fast its oscillator is, how slow its chips are, what spoils its outputs
//! and what filters them.

use crate::circuit::{Circuit, Net};
use crate::random::Chance;
use gray1_machine::Unsettled;
use std::collections::HashSet;
use thiserror::Error;

/// Picoseconds of a nanosecond.
pub const NANOSECOND: u64 = 1_000;
/// Ohms times picofarads are picoseconds; a filter passes half of the swing after ln 2 of that.
const LN_2: (u64, u64) = (693_147, 1_000_000);

/// What a board runs under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The time between two edges of the oscillator, in picoseconds.
    pub half_period: u64,
    /// How slow each line of each chip is.
    pub delays: Delays,
    /// Whether lines show transients; the number decides which and when.
    pub transients: Option<u64>,
    /// The capacitor on each data line of each chip that holds itself, in picofarads.
    pub capacitor: u64,
}

/// How slow each line of each chip is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delays {
    /// Each line on its own somewhere between the shortest and the longest time of its part.
    Random(u64),
    /// All at the longest, but those that a slow line has to race against at the shortest.
    Worst,
    /// All at the shortest.
    Best,
}

/// Why a board cannot run in time.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConditionsError {
    /// The board file says nothing of the part.
    #[error(
        "chip {chip}: the board file has no timing data for its part {part}; add it to `timing`, for instance \
         \"{part}\": (access: (60, 150), inertia: 4, resistance: 100)"
    )]
    NoTiming {
        /// The chip.
        chip: String,
        /// Its part.
        part: String,
    },
    /// The board does not even settle without delays.
    #[error(transparent)]
    Unsettled(#[from] Unsettled),
}

/// One output line of a chip, in picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// From an input's change to this line's rise.
    pub rise: u64,
    /// From an input's change to this line's fall.
    pub fall: u64,
    /// Shorter pulses vanish.
    pub inertia: u64,
}

/// What a capacitor of so many picofarads at an output of so many ohms adds to a line's delay; shorter pulses do not
/// come through. In picoseconds.
pub fn filter(capacitor: u64, resistance: u32) -> u64 {
    capacitor * u64::from(resistance) * LN_2.0 / LN_2.1
}

/// Every line of a board; nets driven from outside have no delay. `early` are the lines that worst delays make fast.
pub fn lines(circuit: &Circuit, conditions: &Conditions, early: &HashSet<Net>) -> Vec<Line> {
    let mut lines = vec![Line::default(); circuit.nets.len()];
    for chip in &circuit.chips {
        let timing = &chip.timing;
        let (shortest, longest) =
            (u64::from(timing.access.0) * NANOSECOND, u64::from(timing.access.1) * NANOSECOND);
        for net in chip.gives() {
            let filter =
                if circuit.has_capacitor(net) { filter(conditions.capacitor, timing.resistance) } else { 0 };
            let (rise, fall) = match conditions.delays {
                Delays::Worst if early.contains(&net) => (shortest, shortest),
                Delays::Worst => (longest, longest),
                Delays::Best => (shortest, shortest),
                Delays::Random(seed) => {
                    let mut chance = Chance::new(seed, net as u64);
                    let rise = chance.between(shortest, longest);
                    // The two edges of one line differ a little.
                    let skew = (longest - shortest) / 16;
                    let fall = (rise + chance.between(0, 2 * skew)).saturating_sub(skew);
                    (rise, fall.clamp(shortest, longest))
                }
            };
            let inertia = filter.max(u64::from(timing.inertia) * NANOSECOND);
            lines[net] = Line { rise: rise + filter, fall: fall + filter, inertia };
        }
    }
    lines
}
