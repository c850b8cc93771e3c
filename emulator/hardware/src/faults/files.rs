//! The fault dictionary as a file, for use without `gray1`: JSON, with one line for each possible observation.

use crate::faults::dictionary::{Checkpoint, Entry, RunEnd, common};
use crate::faults::outcome::led;
use crate::faults::place::Place;
use crate::faults::reference::Reference;
use gray1_text::hex;
use serde::Serialize;
use std::collections::BTreeMap;

/// Maximum number of LEDs listed.
const NAMED: usize = 8;

/// An output, and the faults that cause it.
#[derive(Serialize)]
struct Signature {
    /// The number of correct bytes at the beginning.
    right: usize,
    /// The bytes after that, as two hexadecimal digits each.
    then: String,
    /// Whether nothing follows them.
    halts: bool,
    /// The first LEDs that are wrong.
    leds: Option<Leds>,
    faults: Vec<Place>,
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Leds {
    /// After this many bytes; `null` for the end.
    after: Option<usize>,
    /// The names of the first ones.
    wrong: Vec<String>,
    count: u32,
}

/// The dictionary of a test.
pub fn dictionary(reference: &Reference, entries: &[Entry]) -> String {
    let expected = reference.bytes();
    let mut signatures: BTreeMap<_, Vec<Place>> = BTreeMap::new();
    for entry in entries {
        let right = common(&entry.bytes, &expected);
        let signature =
            (right, &entry.bytes[right..], entry.then == RunEnd::Halts, entry.leds.first().copied());
        signatures.entry(signature).or_default().push(reference.circuit.place(entry.fault));
    }
    let lines: Vec<String> = signatures
        .into_iter()
        .map(|((right, then, halts, leds), faults)| {
            let leds = leds.map(|(at, leds)| Leds {
                after: match at {
                    Checkpoint::After(bytes) => Some(bytes),
                    Checkpoint::End => None,
                },
                wrong: (0..128).filter(|number| leds >> number & 1 == 1).take(NAMED).map(led).collect(),
                count: leds.count_ones(),
            });
            // Serializing plain data cannot fail.
            serde_json::to_string(&Signature { right, then: hex(then), halts, leds, faults })
                .unwrap_or_default()
        })
        .collect();
    format!(
        "{{\"cycles\":{},\"expected\":\"{}\",\"signatures\":[\n{}\n]}}\n",
        reference.cycles,
        hex(&expected),
        lines.join(",\n")
    )
}
