//! The fault dictionary as a file, for people who have no `gray1` at hand: JSON, a line for each thing that can be seen.

use crate::campaign::led;
use crate::dictionary::{Entry, Moment, Then};
use crate::place::Place;
use crate::reference::Reference;
use serde::Serialize;
use std::collections::BTreeMap;

/// So many LEDs are named.
const NAMED: usize = 8;

/// What faults that cannot be told from each other give.
#[derive(Serialize)]
struct Signature {
    /// So many bytes at the beginning are as they should be.
    right: usize,
    /// What comes then, two hexadecimal digits each.
    then: String,
    /// Whether nothing comes after that.
    halts: bool,
    /// The first LEDs that are wrong.
    leds: Option<Leds>,
    faults: Vec<Place>,
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
struct Leds {
    /// After so many bytes; `null` is at the end.
    after: Option<usize>,
    /// Some of them.
    wrong: Vec<String>,
    count: u32,
}

/// The dictionary of a test.
pub fn dictionary(reference: &Reference, entries: &[Entry]) -> String {
    let expected = reference.bytes();
    let mut signatures: BTreeMap<_, Vec<Place>> = BTreeMap::new();
    for entry in entries {
        let right = entry.bytes.iter().zip(&expected).take_while(|(one, other)| one == other).count();
        let signature =
            (right, &entry.bytes[right..], entry.then == Then::Halts, entry.leds.first().copied());
        signatures.entry(signature).or_default().push(reference.circuit.place(entry.fault));
    }
    let lines: Vec<String> = signatures
        .into_iter()
        .map(|((right, then, halts, leds), faults)| {
            let leds = leds.map(|(at, leds)| Leds {
                after: match at {
                    Moment::After(bytes) => Some(bytes),
                    Moment::End => None,
                },
                wrong: (0..128).filter(|number| leds >> number & 1 == 1).take(NAMED).map(led).collect(),
                count: leds.count_ones(),
            });
            // Plain data can always be written.
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

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
