//! The timing of parts, and how their outputs behave while they change. The timed engine and the timing analysis use
//! it.

use super::Part;
use super::place::Fault;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The timing of a kind of memory chip. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// The shortest and the longest delay from a change of an input to the change of an output.
    pub access: (u32, u32),
    /// Shorter pulses do not pass the chip, and a RAM does not store inputs that are stable for a shorter time.
    pub inertia: u32,
    /// The resistance of an output in ohms; with a capacitor it forms a filter.
    pub resistance: u32,
    /// Wrong levels on outputs that should not change.
    #[serde(default)]
    pub transients: Transients,
}

/// The rate and the length of transients: wrong levels on lines that should be stable, when an address line moves.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transients {
    /// The number of transients in a billion changes of the address, for each output line.
    pub in_a_billion: u32,
    /// The length in nanoseconds that half of them exceed; a quarter of them is longer than twice that, and so on.
    pub half_longer: u32,
}

/// Longer times are rejected as mistakes.
const MAX_ACCESS: u32 = 100_000;

pub(super) fn check(timing: &BTreeMap<String, Timing>, parts: &BTreeMap<String, Part>) -> Result<(), Fault> {
    for (name, timing) in timing {
        let fault =
            |message: String| Err(Fault::new(["timing", name], format!("timing of {name}: {message}")));
        let (shortest, longest) = timing.access;
        if !parts.contains_key(name) {
            return fault(format!("there is no part {name} in `parts`"));
        }
        if shortest == 0 || shortest > longest || longest > MAX_ACCESS {
            return fault(format!(
                "access ({shortest}, {longest}): write the shorter time first, from 1 to {MAX_ACCESS} ns"
            ));
        }
        if timing.inertia == 0 || timing.inertia > shortest {
            return fault(format!(
                "inertia {}: it must be from 1 to the shortest access time, {shortest} ns",
                timing.inertia
            ));
        }
        if timing.resistance > 1_000_000 {
            return fault(format!("resistance {}: at most 1000000 ohms", timing.resistance));
        }
        let Transients { in_a_billion, half_longer } = timing.transients;
        if in_a_billion > 0 && !(1..=1_000).contains(&half_longer) {
            return fault(format!("transients: half_longer {half_longer}: it must be from 1 to 1000 ns"));
        }
        if in_a_billion > 100_000_000 {
            return fault(format!("transients: in_a_billion {in_a_billion}: at most 100000000"));
        }
    }
    Ok(())
}
