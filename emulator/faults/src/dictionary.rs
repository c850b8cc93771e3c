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

/// What a machine with a fault sends and shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The fault.
    pub fault: Fault,
    /// All bytes.
    pub bytes: Vec<u8>,
    /// The LEDs that are not as they should be, after so many bytes; behind the last, at the end.
    pub leds: Vec<(usize, u128)>,
    /// Whether nothing more would come; otherwise it was cut there.
    pub has_halted: bool,
}

/// What somebody has seen of a machine.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    /// The bytes that it has sent.
    pub bytes: Vec<u8>,
    /// LEDs that are not as they should be.
    pub leds: Vec<SeenLed>,
}

/// An LED that is not as it should be: `30 green 4,7`, after so many bytes, or `end green 4,7`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenLed {
    /// How many bytes had come; `None` at the end.
    pub after: Option<usize>,
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

/// What is seen of a machine: its bytes, and the LEDs that are wrong.
type Signature<'a> = (&'a [u8], &'a [(usize, u128)]);

/// How well an entry fits; the first field that differs decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    /// All bytes are these, and all LEDs that somebody has seen.
    is_exact: bool,
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
        let mut wrong: Vec<(usize, u128)> = Vec::new();
        for (index, event) in events.iter().enumerate().take(self.events.len()) {
            wrong.push((index + 1, self.wrong_leds(index, event.leds)));
        }
        wrong.push((usize::MAX, self.wrong_leds(self.events.len(), leds)));
        wrong.retain(|(_, leds)| *leds != 0);
        Entry { fault, bytes: events.iter().map(|event| event.byte).collect(), leds: wrong, has_halted }
    }

    /// The faults that fit best, those that cannot be told from each other together.
    pub fn diagnose(&self, entries: &[Entry], observed: &Observed, most: usize) -> Vec<Answer> {
        let mut seen_leds: BTreeMap<usize, u128> = BTreeMap::new();
        for SeenLed { after, led } in &observed.leds {
            *seen_leds.entry(after.unwrap_or(usize::MAX)).or_default() |= 1 << led;
        }
        let mut groups: BTreeMap<Signature, Vec<&Entry>> = BTreeMap::new();
        for entry in entries {
            let leds: &[(usize, u128)] = if seen_leds.is_empty() { &[] } else { &entry.leds };
            groups.entry((without_repeats(&entry.bytes), leds)).or_default().push(entry);
        }
        let mut fits: Vec<(Fit, Vec<&Entry>)> = groups
            .into_values()
            .map(|group| (observed.fit(group[0], self.events.len(), &seen_leds), group))
            .collect();
        fits.sort_by(|(one, first), (other, second)| {
            other.cmp(one).then_with(|| first.len().cmp(&second.len()))
        });
        let answer = |(fit, group): (Fit, Vec<&Entry>)| {
            let mut places = group.iter().map(|entry| self.circuit.place(entry.fault));
            Some(Answer {
                place: places.next()?,
                exact: fit.is_exact,
                agrees: common(&group[0].bytes, &observed.bytes),
                cannot_be_told_from: places.collect(),
            })
        };
        fits.into_iter().take(most).filter_map(answer).collect()
    }
}

impl Observed {
    /// How well an entry fits, where a machine without a fault sends so many bytes.
    fn fit(&self, entry: &Entry, right: usize, seen_leds: &BTreeMap<usize, u128>) -> Fit {
        let (expected, seen) = (without_repeats(&entry.bytes), without_repeats(&self.bytes));
        // A machine that sends on and on was cut: the observer may have listened for longer, or not for as long.
        let is_endless = !entry.has_halted && entry.bytes.len() > right;
        let is_longer = self.bytes.starts_with(&entry.bytes);
        let is_shorter = self.bytes.len() >= right && entry.bytes.starts_with(&self.bytes);
        let has_bytes = expected == seen || is_endless && (is_longer || is_shorter);
        let wrong = entry.leds.iter().map(|(after, leds)| seen_leds.get(after).map_or(0, |seen| seen & leds));
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
fn common(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}

/// Bytes without the repeats of the last one: a machine that stands at a store may send the same byte for ever.
fn without_repeats(bytes: &[u8]) -> &[u8] {
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
        let after = match after {
            "end" => None,
            number => Some(number.parse().map_err(|_| wrong())?),
        };
        let name = format!("{colour} {place}");
        let led = (0..128).find(|number| led(*number) == name).ok_or_else(wrong)?;
        Ok(SeenLed { after, led })
    }
}
