//! The conditions a board runs under: the oscillator's frequency, the delay of each line, transients, and the
//! capacitors that filter them.

use gray1_machine::board::{self, Board, Timing};
use gray1_machine::netlist::{Net, NetId, Netlist};
use gray1_machine::{Random, Stuck, Unsettled};
use std::collections::HashSet;
use thiserror::Error;

/// Picoseconds in a nanosecond.
pub const NANOSECOND: u64 = 1_000;
/// Ohms times picofarads is picoseconds; the output of a filter reaches half of the swing after ln 2 of that.
const LN_2: (u64, u64) = (693_147, 1_000_000);

/// The conditions a board runs under.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The time between two edges of the oscillator, in picoseconds.
    pub half_period: u64,
    /// The delay of each line of each chip.
    pub delays: Delays,
    /// The seed for transients; without one there are none.
    pub transients: Option<u64>,
    /// The capacitor on each data line of each chip with a storage loop, in picofarads.
    pub capacitor: u64,
}

/// The delay of each line of each chip.
#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq)]
pub enum Delays {
    /// Each line has its own delay, between the shortest and the longest of its part; the number is the seed.
    Random(u64),
    /// The longest, except for the lines that a slow line races against: these have the shortest.
    Worst,
    /// The shortest.
    Best,
    /// Each path from an address line of a chip to one of its data lines has its own delay, the shortest or the longest
    /// of its part, so that the data lines of a chip see a change of the address at different times; the number is the
    /// seed.
    Paths(u64),
    /// The longest for one path through a chip, from the address line of one net to the data line of another; the
    /// shortest for all other paths.
    LatePath {
        /// The net on the address line.
        from: NetId,
        /// The net on the data line.
        to: NetId,
    },
}

impl Delays {
    /// Whether each path through a chip has its own delay.
    pub fn are_by_path(self) -> bool {
        matches!(self, Delays::Paths(_) | Delays::LatePath { .. })
    }
}

/// The reason why a board cannot run on the timed engine.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ConditionsError {
    /// The board file has no timing data for a part.
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
    /// The board has no clock, so it cannot be too slow.
    #[error(transparent)]
    Stuck(#[from] Stuck),
    /// The board does not even settle without delays.
    #[error(transparent)]
    Unsettled(#[from] Unsettled),
}

/// The delays of a data line, in picoseconds. If each path has its own delay, these are added to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LineTiming {
    /// From a change of the address to a rise of this line.
    pub rise: u64,
    /// From a change of the address to a fall of this line.
    pub fall: u64,
    /// Shorter pulses vanish.
    pub inertia: u64,
}

/// The timing of each chip, by its number.
pub fn timings(board: &Board) -> Result<Vec<Timing>, ConditionsError> {
    let error = |chip: &board::Chip| ConditionsError::NoTiming {
        chip: chip.name().to_owned(),
        part: chip.part().to_owned(),
    };
    let timing = |chip| board.timing_of(chip).copied().ok_or_else(|| error(chip));
    board.chips.iter().map(timing).collect()
}

/// The delay in picoseconds that a filter with a capacitor of so many picofarads adds to a net, if there is one. Shorter
/// pulses do not pass.
pub fn filter_delay(net: &Net, timing: &Timing, capacitor: u64) -> u64 {
    if net.has_filter { capacitor * u64::from(timing.resistance) * LN_2.0 / LN_2.1 } else { 0 }
}

/// The delays of every net; inputs of the board have none. `fast` are the lines that [`Delays::Worst`] makes fast.
pub fn line_timings(
    netlist: &Netlist,
    timings: &[Timing],
    conditions: &Conditions,
    fast: &HashSet<NetId>,
) -> Vec<LineTiming> {
    let mut lines = vec![LineTiming::default(); netlist.nets.len()];
    for (chip, timing) in netlist.chips.iter().zip(timings) {
        let (shortest, longest) = span(timing);
        let skew = skew(timing);
        for &net in &chip.data {
            let filter = filter_delay(&netlist.nets[net], timing, conditions.capacitor);
            let (rise, fall) = match conditions.delays {
                Delays::Worst if !fast.contains(&net) => (longest, longest),
                Delays::Worst | Delays::Best => (shortest, shortest),
                Delays::Random(seed) => {
                    let mut random = Random::new(seed, net as u64);
                    let rise = random.between(shortest, longest);
                    // The two edges of one line differ a little.
                    let fall = (rise + random.between(0, 2 * skew)).saturating_sub(skew);
                    (rise, fall.clamp(shortest, longest))
                }
                Delays::Paths(seed) => {
                    let mut random = Random::new(seed, net as u64);
                    (random.between(0, skew), random.between(0, skew))
                }
                Delays::LatePath { .. } => (0, 0),
            };
            let inertia = filter.max(u64::from(timing.inertia) * NANOSECOND);
            lines[net] = LineTiming { rise: rise + filter, fall: fall + filter, inertia };
        }
    }
    lines
}

/// The delay of a path from the address line of one net to the data line of another, if each path has its own. The sum
/// of it and the delay of the output is between the shortest and the longest delay of the part.
pub fn path_delay(timing: &Timing, delays: Delays, (from, to): (NetId, NetId)) -> u64 {
    let (shortest, longest) = span(timing);
    match delays {
        Delays::Paths(seed) => {
            // These streams are different from those of nets, whose numbers are much smaller.
            let mut random = Random::new(seed, (to as u64 + 1) << 32 | from as u64);
            if random.between(0, 1) == 0 { shortest } else { longest - skew(timing) }
        }
        Delays::LatePath { from: late, to: line } if (late, line) == (from, to) => longest,
        _ => shortest,
    }
}

/// The shortest and the longest delay of a part, in picoseconds.
fn span(timing: &Timing) -> (u64, u64) {
    let (shortest, longest) = timing.access;
    (u64::from(shortest) * NANOSECOND, u64::from(longest) * NANOSECOND)
}

/// The maximum difference between the delays of the two edges of one line.
fn skew(timing: &Timing) -> u64 {
    let (shortest, longest) = span(timing);
    (longest - shortest) / 16
}
