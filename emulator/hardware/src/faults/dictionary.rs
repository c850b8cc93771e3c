//! The fault dictionary: the output of a machine with each fault, and its fit to an observation.

use crate::faults::fault::Fault;
use crate::faults::machine::Event;
use crate::faults::outcome::led;
use crate::faults::place::Place;
use crate::faults::reference::Reference;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::str::FromStr;
use thiserror::Error;

/// A machine that has sent nothing for this many cycles is waiting, because the self-test never computes for that long.
const SILENCE: u64 = 256;

/// A point of a run at which the LEDs are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Checkpoint {
    /// After this many bytes.
    After(usize),
    /// At the end, when no more bytes come.
    End,
}

/// The end of a machine's run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunEnd {
    /// It halts: nothing changes any more.
    Halts,
    /// It has sent nothing for a while when the run is cut off. It may be waiting for a press, and give up later.
    Waits,
    /// It is still sending when the run is cut off.
    Sends,
}

/// The output of a machine with a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The fault.
    pub fault: Fault,
    /// All bytes that it sends.
    pub bytes: Vec<u8>,
    /// The wrong LEDs at each moment.
    pub leds: Vec<(Checkpoint, u128)>,
    /// The end of its run.
    pub then: RunEnd,
}

/// An observation of a machine.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The bytes that the machine has sent.
    pub bytes: Vec<u8>,
    /// The LEDs that were wrong.
    pub leds: Vec<WrongLed>,
}

/// A wrong LED: `30 green 4,7` (after 30 bytes) or `end green 4,7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongLed {
    /// The point of the run.
    pub at: Checkpoint,
    /// The number of the LED, below 128.
    pub led: usize,
}

/// Faults that have the same output, and their fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The first of these faults.
    #[serde(flatten)]
    pub place: Place,
    /// Whether a machine with this fault has exactly the observed output.
    pub exact: bool,
    /// The number of bytes at the beginning that agree with a machine with this fault.
    pub agrees: usize,
    /// The other faults.
    pub cannot_be_told_from: Vec<Place>,
}

/// The quality of an entry as an explanation. Fits are compared field by field, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit {
    /// Whether all bytes and all observed LEDs agree.
    pub is_exact: bool,
    /// Whether all bytes agree.
    has_bytes: bool,
    /// The number of bytes that agree; those before the first difference count twice.
    bytes: usize,
    /// The number of observed LEDs that are wrong with this fault.
    leds: usize,
    /// The number of other LEDs that are wrong with this fault; the fewer, the more likely is the fault.
    fewest_others: Reverse<usize>,
}

impl Reference<'_> {
    /// Runs a machine with this fault, and returns its output.
    pub fn entry(&self, fault: Fault) -> Entry {
        let record = self.record(fault);
        self.entry_of(fault, &record.events, record.leds, record.has_halted)
    }

    /// The entry of a machine with these events, and these LEDs at the end.
    pub(crate) fn entry_of(&self, fault: Fault, events: &[Event], leds: u128, has_halted: bool) -> Entry {
        let mut wrong: Vec<(Checkpoint, u128)> = Vec::new();
        for (index, event) in events.iter().enumerate().take(self.events.len()) {
            wrong.push((Checkpoint::After(index + 1), self.wrong_leds(index, event.leds)));
        }
        wrong.push((Checkpoint::End, self.wrong_leds(self.events.len(), leds)));
        wrong.retain(|(_, leds)| *leds != 0);
        let sent = events.last().map_or(0, |event| event.cycle);
        let then = match has_halted {
            true => RunEnd::Halts,
            false if self.cycles + self.margin() >= sent + SILENCE => RunEnd::Waits,
            false => RunEnd::Sends,
        };
        Entry { fault, bytes: events.iter().map(|event| event.byte).collect(), leds: wrong, then }
    }
}

impl Observed {
    /// Whether a person who sees wrong LEDs did not know what they ask for, and pressed nothing more.
    fn gives_up_at_wrong_leds(&self, entry: &Entry) -> bool {
        let moment = Checkpoint::After(self.bytes.len());
        !self.leds.is_empty()
            && entry.bytes.starts_with(&self.bytes)
            && entry.leds.iter().any(|(at, _)| *at == moment)
    }

    /// Rates an entry. `right` is the number of bytes of a machine without a fault, and `gives_up` are the
    /// bytes of a machine that gives up waiting.
    pub(crate) fn fit(&self, entry: &Entry, right: usize, gives_up: &[u8]) -> Fit {
        let (expected, seen) = (without_repeats(&entry.bytes), without_repeats(&self.bytes));
        let has_bytes = expected == seen
            || self.gives_up_at_wrong_leds(entry)
            || match entry.then {
                RunEnd::Halts => false,
                // The fault may affect the bytes that are sent after giving up, or prevent them.
                RunEnd::Waits => self
                    .bytes
                    .strip_prefix(entry.bytes.as_slice())
                    .is_some_and(|rest| rest.len() <= gives_up.len()),
                // The observer may have recorded for a longer or a shorter time.
                RunEnd::Sends => {
                    !entry.bytes.is_empty() && self.bytes.starts_with(&entry.bytes)
                        || self.bytes.len() >= right && entry.bytes.starts_with(&self.bytes)
                }
            };
        let mut seen_leds: BTreeMap<Checkpoint, u128> = BTreeMap::new();
        for &WrongLed { at, led } in &self.leds {
            // The display does not change while a machine waits and gives up.
            let is_over = entry.then == RunEnd::Waits && at > Checkpoint::After(entry.bytes.len());
            *seen_leds.entry(if is_over { Checkpoint::End } else { at }).or_default() |= 1 << led;
        }
        let wrong = entry.leds.iter().map(|(at, leds)| seen_leds.get(at).map_or(0, |seen| seen & leds));
        let leds = wrong.map(u128::count_ones).sum::<u32>() as usize;
        let all: u32 = entry.leds.iter().map(|(_, leds)| leds.count_ones()).sum();
        let others = if seen_leds.is_empty() { 0 } else { all as usize - leds };
        let equal = expected.iter().zip(seen).filter(|(one, other)| one == other).count();
        Fit {
            is_exact: has_bytes
                && leds == seen_leds.values().map(|leds| leds.count_ones() as usize).sum::<usize>(),
            has_bytes,
            bytes: common(expected, seen) + equal,
            leds,
            fewest_others: Reverse(others),
        }
    }
}

/// The length of the common prefix.
pub(crate) fn common(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Bytes without the repetitions of the last one: a machine that is stuck at a store may send the same byte forever.
pub(crate) fn without_repeats(bytes: &[u8]) -> &[u8] {
    let Some(last) = bytes.last() else { return bytes };
    let repeats = bytes.iter().rev().take_while(|byte| *byte == last).count();
    &bytes[..bytes.len() - repeats + 1]
}

/// The text is not a wrong LED.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "`{0}`: write how many bytes had come and the LED that was wrong, as in `30 green 4,7` or `end red 0,0`"
)]
pub struct WrongLedError(String);

impl FromStr for WrongLed {
    type Err = WrongLedError;

    fn from_str(text: &str) -> Result<WrongLed, WrongLedError> {
        let read = || {
            let words: Vec<&str> = text.split_whitespace().collect();
            let [after, colour, place] = words[..] else { return None };
            let at = match after {
                "end" => Checkpoint::End,
                number => Checkpoint::After(number.parse().ok().filter(|count| *count > 0)?),
            };
            let name = format!("{colour} {place}");
            Some(WrongLed { at, led: (0..128).find(|number| led(*number) == name)? })
        };
        read().ok_or_else(|| WrongLedError(text.to_owned()))
    }
}
