//! Many faults, one after the other: each gives a line, which stands for itself, so that parts can be done anywhere and
//! joined in any order.

use crate::fault::{Fault, Model};
use crate::outcome::{Difference, Outcome, Watch, What};
use crate::place::Place;
use crate::reference::Reference;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// What came of one fault, as a line of JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The number of the fault among all of its model.
    pub fault: usize,
    /// How many faults the whole campaign has.
    pub total: usize,
    /// The campaign that it belongs to: the same board, program, inputs and choice of faults.
    pub campaign: String,
    /// `pins`, `bridges` or `cells`.
    pub model: Model,
    /// Where it is.
    #[serde(flatten)]
    pub place: Place,
    /// Whether it shows in what is watched.
    pub detected: bool,
    /// What shows it first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shown: Option<Shown>,
    /// Why it is not detected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The first cycle in which the machine does not settle.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsettled: Option<u64>,
}

/// What shows a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Shown {
    /// The byte of this number, counted from 0: `null` where none came or none should have come.
    Byte {
        #[allow(missing_docs)]
        at: usize,
        #[allow(missing_docs)]
        expected: Option<u8>,
        #[allow(missing_docs)]
        got: Option<u8>,
    },
    /// So many LEDs, while the byte of this number was sent or behind the last; and which is the first of them.
    Leds {
        #[allow(missing_docs)]
        at: usize,
        #[allow(missing_docs)]
        count: u32,
        #[allow(missing_docs)]
        first: String,
    },
}

/// A choice of faults of one model, and how they are looked for.
pub struct Campaign<'a> {
    reference: &'a Reference<'a>,
    model: Model,
    watch: Watch,
    faults: Vec<(usize, Fault)>,
    mark: String,
}

/// Why lines cannot be joined.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum JoinError {
    /// They are of different campaigns.
    #[error("line {0} belongs to another campaign: another board, program, input or choice of faults")]
    Other(usize),
    /// They tell different things of one fault.
    #[error("line {0}: fault {1} has another outcome than in another line")]
    Differs(usize, usize),
    /// It is no line of a campaign.
    #[error("line {0}: not what `gray1 faults --format json` writes: {1}")]
    Syntax(usize, String),
}

impl<'a> Campaign<'a> {
    /// All faults of a model, or so many of them, chosen by a seed.
    pub fn new(
        reference: &'a Reference<'a>,
        model: Model,
        watch: Watch,
        sample: Option<(usize, u64)>,
    ) -> Campaign<'a> {
        let all = reference.faults(model);
        let mut numbers: Vec<usize> = (0..all.len()).collect();
        if let Some((count, seed)) = sample {
            numbers.sort_by_key(|&number| shuffled(seed, number as u64));
            numbers.truncate(count);
            numbers.sort_unstable();
        }
        let faults: Vec<(usize, Fault)> = numbers.into_iter().map(|number| (number, all[number])).collect();
        // Another version may simulate otherwise.
        let version = env!("CARGO_PKG_VERSION");
        let mark = reference.mark(&format!("{version} {model:?} {watch:?} {sample:?}"));
        Campaign { reference, model, watch, faults, mark }
    }

    /// The numbers of its faults.
    pub fn numbers(&self) -> impl Iterator<Item = usize> {
        self.faults.iter().map(|(number, _)| *number)
    }

    /// How many faults there are in all.
    pub fn size(&self) -> usize {
        self.faults.len()
    }

    /// The mark that its lines have.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// Runs a machine with the fault of this number. `None` if there is none, or if somebody has asked to stop.
    pub fn line(&self, number: usize) -> Option<Line> {
        let index = self.faults.binary_search_by_key(&number, |(number, _)| *number).ok()?;
        let fault = self.faults[index].1;
        let outcome = self.reference.find(fault, self.watch);
        let reason = outcome.difference.is_none().then(|| self.reference.reason(fault, &outcome, self.watch));
        let Outcome { difference, unsettled, .. } = outcome;
        // What was cut says nothing.
        (!self.reference.is_stopped()).then(|| Line {
            fault: number,
            total: self.faults.len(),
            campaign: self.mark.clone(),
            model: self.model,
            place: self.reference.circuit.place(fault),
            detected: difference.is_some(),
            shown: difference.map(Shown::of),
            reason,
            unsettled,
        })
    }
}

impl Shown {
    fn of(Difference { index: at, what }: Difference) -> Shown {
        match what {
            What::Byte { expected, got } => Shown::Byte { at, expected, got },
            What::Leds(leds) => {
                Shown::Leds { at, count: leds.count_ones(), first: led(leds.trailing_zeros() as usize) }
            }
        }
    }
}

/// The name of an LED: its colour, row and column.
pub(crate) fn led(number: usize) -> String {
    let (row, column) = (number / 8, number % 8);
    let colour = if row < 8 { "green" } else { "red" };
    format!("{colour} {},{column}", row % 8)
}

/// A number that a seed makes of another: the last step of SplitMix64.
fn shuffled(seed: u64, number: u64) -> u64 {
    let state = seed.wrapping_add(number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mixed = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The lines of a text, by the number of the fault, added to others of the same campaign.
pub fn join(lines: &mut BTreeMap<usize, Line>, text: &str) -> Result<(), JoinError> {
    for (number, text) in (1..).zip(text.lines()).filter(|(_, text)| !text.trim().is_empty()) {
        let line: Line =
            serde_json::from_str(text).map_err(|error| JoinError::Syntax(number, error.to_string()))?;
        let is_other = |first: &Line| (&first.campaign, first.total) != (&line.campaign, line.total);
        if lines.values().next().is_some_and(is_other) {
            return Err(JoinError::Other(number));
        }
        let fault = line.fault;
        if *lines.entry(fault).or_insert_with(|| line.clone()) != line {
            return Err(JoinError::Differs(number, fault));
        }
    }
    Ok(())
}
