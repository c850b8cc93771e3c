//! The fault dictionary: what a machine with each fault sends, and which faults fit what somebody has seen.

use crate::campaign::led;
use crate::fault::Fault;
use crate::machine::Event;
use crate::place::Place;
use crate::reference::Reference;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::str::FromStr;

/// A machine that has sent nothing for so many cycles waits: the self-test is never busy for that long.
const SILENCE: u64 = 256;

/// When something is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// So many bytes had come.
    After(usize),
    /// Nothing more comes.
    End,
}

/// What becomes of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Then {
    /// Nothing changes any more.
    Halts,
    /// It has sent nothing for a while when it is cut. It may wait for somebody, and give up later.
    Waits,
    /// It is still sending when it is cut.
    Sends,
}

/// What a machine with a fault sends and shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The fault.
    pub fault: Fault,
    /// All bytes.
    pub bytes: Vec<u8>,
    /// The LEDs that are not as they should be.
    pub leds: Vec<(Moment, u128)>,
    /// What comes then.
    pub then: Then,
}

/// What somebody has seen of a machine.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The bytes that it has sent.
    pub bytes: Vec<u8>,
    /// LEDs that are not as they should be.
    pub leds: Vec<SeenLed>,
}

/// An LED that is not as it should be: `30 green 4,7`, after 30 bytes, or `end green 4,7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenLed {
    /// When.
    pub at: Moment,
    /// Which of the 128.
    pub led: usize,
}

/// Faults that cannot be told from each other, and how well they fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// The first of them.
    #[serde(flatten)]
    pub place: Place,
    /// Whether a machine with this fault sends and shows exactly this.
    pub exact: bool,
    /// So many bytes at the beginning are those of a machine with this fault.
    pub agrees: usize,
    /// The others.
    pub cannot_be_told_from: Vec<Place>,
}

/// How well an entry fits; the first field that differs decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fit {
    /// All bytes are these, and all LEDs that somebody has seen.
    pub is_exact: bool,
    /// All bytes are these.
    has_bytes: bool,
    /// Bytes at the beginning that are these, and all others that are.
    bytes: usize,
    /// LEDs that somebody has seen and that are wrong with this fault.
    leds: usize,
    /// Of faults that show what was seen, one that shows little beside it is likelier.
    fewest_others: Reverse<usize>,
}

impl Reference<'_> {
    /// What a machine with this fault sends and shows.
    pub fn entry(&self, fault: Fault) -> Entry {
        let record = self.record(fault);
        self.told(fault, &record.events, record.leds, record.has_halted)
    }

    /// The entry of a machine that sends this, and shows these LEDs at the end.
    pub(crate) fn told(&self, fault: Fault, events: &[Event], leds: u128, has_halted: bool) -> Entry {
        let mut wrong: Vec<(Moment, u128)> = Vec::new();
        for (index, event) in events.iter().enumerate().take(self.events.len()) {
            wrong.push((Moment::After(index + 1), self.wrong_leds(index, event.leds)));
        }
        wrong.push((Moment::End, self.wrong_leds(self.events.len(), leds)));
        wrong.retain(|(_, leds)| *leds != 0);
        let sent = events.last().map_or(0, |event| event.cycle);
        let then = match has_halted {
            true => Then::Halts,
            false if self.cycles + self.margin() >= sent + SILENCE => Then::Waits,
            false => Then::Sends,
        };
        Entry { fault, bytes: events.iter().map(|event| event.byte).collect(), leds: wrong, then }
    }
}

impl Observed {
    /// How well an entry fits, where a machine without a fault sends so many bytes and one that gives up waiting sends
    /// `gives_up`.
    pub(crate) fn fit(&self, entry: &Entry, right: usize, gives_up: &[u8]) -> Fit {
        let (expected, seen) = (without_repeats(&entry.bytes), without_repeats(&self.bytes));
        let has_bytes = expected == seen
            || match entry.then {
                Then::Halts => false,
                // A fault may change what it sends then, and whether it ever does.
                Then::Waits => self
                    .bytes
                    .strip_prefix(entry.bytes.as_slice())
                    .is_some_and(|rest| rest.len() <= gives_up.len()),
                // The observer may have listened for longer, or not for as long.
                Then::Sends => {
                    !entry.bytes.is_empty() && self.bytes.starts_with(&entry.bytes)
                        || self.bytes.len() >= right && entry.bytes.starts_with(&self.bytes)
                }
            };
        let mut seen_leds: BTreeMap<Moment, u128> = BTreeMap::new();
        for &SeenLed { at, led } in &self.leds {
            // Nothing moves on a display while a machine waits and gives up.
            let is_over = entry.then == Then::Waits && at > Moment::After(entry.bytes.len());
            *seen_leds.entry(if is_over { Moment::End } else { at }).or_default() |= 1 << led;
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

/// How many bytes at the beginning are equal.
pub(crate) fn common(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Bytes without the repeats of the last one: a machine that stands at a store may send the same byte for ever.
pub(crate) fn without_repeats(bytes: &[u8]) -> &[u8] {
    let Some(last) = bytes.last() else { return bytes };
    let repeats = bytes.iter().rev().take_while(|byte| *byte == last).count();
    &bytes[..bytes.len() - repeats + 1]
}

impl FromStr for SeenLed {
    type Err = String;

    fn from_str(text: &str) -> Result<SeenLed, String> {
        let wrong = || {
            format!(
                "`{text}`: write how many bytes had come and the LED that was wrong, as in `30 green 4,7` or `end red 0,0`"
            )
        };
        let words: Vec<&str> = text.split_whitespace().collect();
        let [after, colour, place] = words[..] else { return Err(wrong()) };
        let at = match after {
            "end" => Moment::End,
            number => Moment::After(number.parse().ok().filter(|count| *count > 0).ok_or_else(wrong)?),
        };
        let name = format!("{colour} {place}");
        let led = (0..128).find(|number| led(*number) == name).ok_or_else(wrong)?;
        Ok(SeenLed { at, led })
    }
}
