//! Diagnosis. The observed machine may have run with a person who pressed the requested inputs, or without; only the
//! bytes show which. The person may have followed the script, or the LEDs of a machine that was late or stuck. So faults
//! are tried under all three conditions.

use crate::faults::dictionary::{Answer, Checkpoint, Entry, Fit, Observed, RunEnd, common, without_repeats};
use crate::faults::fault::Fault;
use crate::faults::reference::{Conditions, Reference, RunError};
use gray1_machine::Script;
use std::collections::BTreeMap;

/// The runs without a fault with which an observation may be compared.
pub struct Trials<'a> {
    /// The run with presses.
    pressed: Reference<'a>,
    /// The run without presses, if that is a different one.
    alone: Option<Reference<'a>>,
    /// The run with a person who presses when the LEDs of the machine itself ask for it.
    followed: Option<Reference<'a>>,
    /// The bytes that a correct machine sends after giving up waiting for a press.
    gives_up: Vec<u8>,
}

/// The correct output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether it is that of the run without presses.
    pub is_alone: bool,
}

/// The properties that distinguish faults: the bytes, and the LEDs if any were observed.
type Signature<'a> = (Fit, &'a [u8], &'a [(Checkpoint, u128)]);

impl<'a> Trials<'a> {
    /// Diagnosis when it is known what was pressed.
    pub fn known(pressed: Reference<'a>) -> Trials<'a> {
        Trials { pressed, alone: None, followed: None, gives_up: Vec::new() }
    }

    /// Diagnosis when the requested inputs were pressed, or nothing. Without presses, a correct machine `sends` these
    /// bytes. Running a machine with each fault until it gives up waiting would take too long, so those runs are cut
    /// off.
    pub fn either(pressed: Reference<'a>, sends: &[u8]) -> Result<Trials<'a>, RunError> {
        let conditions = Conditions {
            script: Script::default(),
            max_cycles: pressed.cycles + pressed.margin(),
            ..pressed.conditions.clone()
        };
        if conditions.script == pressed.conditions.script {
            return Ok(Trials::known(pressed));
        }
        let alone = Reference::run(pressed.circuit, conditions, pressed.stop)?;
        let following = pressed.conditions.clone();
        let followed = Reference::run_by(pressed.circuit, following, true, pressed.stop)?;
        let gives_up = sends.strip_prefix(alone.bytes().as_slice()).unwrap_or_default().to_vec();
        Ok(Trials { pressed, alone: Some(alone), followed: Some(followed), gives_up })
    }

    /// The runs. [`Trials::diagnose`] needs the entries of each.
    pub fn references(&self) -> impl Iterator<Item = &Reference<'a>> {
        std::iter::once(&self.pressed).chain(&self.alone).chain(&self.followed)
    }

    /// Whether a fault may explain an observation exactly. That takes much less time than its entries.
    pub fn may_explain(&self, fault: Fault, observed: &Observed) -> bool {
        let mut leds: BTreeMap<usize, u128> = BTreeMap::new();
        for seen in &observed.leds {
            if let Checkpoint::After(bytes) = seen.at {
                *leds.entry(bytes).or_default() |= 1 << seen.led;
            }
        }
        self.can_explain(fault, observed)
            && self.references().any(|reference| reference.agrees(fault, &observed.bytes, &leds))
    }

    /// Whether a fault can show in what was observed at all: without LEDs, only if it affects the bytes.
    pub fn can_explain(&self, fault: Fault, observed: &Observed) -> bool {
        !observed.leds.is_empty() || self.pressed.circuit.reaches_port(fault)
    }

    /// The correct output for an observation: that of the run with which it agrees for longer.
    pub fn expected(&self, seen: &[u8]) -> Expected {
        let pressed = Expected { bytes: self.pressed.bytes(), is_alone: false };
        let alone = self
            .alone
            .as_ref()
            .map(|alone| Expected { bytes: [alone.bytes(), self.gives_up.clone()].concat(), is_alone: true });
        match alone {
            Some(alone) if common(&alone.bytes, seen) > common(&pressed.bytes, seen) => alone,
            _ => pressed,
        }
    }

    /// The faults that fit best; faults with the same output are one answer. `entries` has the entries of each run, for
    /// the same faults.
    pub fn diagnose(&self, entries: &[Vec<Entry>], observed: &Observed, most: usize) -> Vec<Answer> {
        let completed = self.completed(entries);
        let mut best: Vec<Option<(Fit, &Entry)>> = vec![None; completed.first().map_or(0, Vec::len)];
        for (reference, entries) in self.references().zip(&completed) {
            for (best, entry) in best.iter_mut().zip(entries) {
                let fit = observed.fit(entry, reference.events.len(), &self.gives_up);
                if best.is_none_or(|(other, _)| fit > other) {
                    *best = Some((fit, entry));
                }
            }
        }
        let mut groups: BTreeMap<Signature, Vec<&Entry>> = BTreeMap::new();
        for (fit, entry) in best.into_iter().flatten() {
            let leds: &[(Checkpoint, u128)] = if observed.leds.is_empty() { &[] } else { &entry.leds };
            groups.entry((fit, without_repeats(&entry.bytes), leds)).or_default().push(entry);
        }
        let mut fits: Vec<(Fit, Vec<&Entry>)> =
            groups.into_iter().map(|((fit, ..), group)| (fit, group)).collect();
        fits.sort_by(|(one, first), (other, second)| {
            other.cmp(one).then_with(|| first.len().cmp(&second.len()))
        });
        let answer = |(fit, group): (Fit, Vec<&Entry>)| {
            let mut places = group.iter().map(|entry| self.pressed.circuit.place(entry.fault));
            Some(Answer {
                place: places.next()?,
                exact: fit.is_exact,
                agrees: common(&group[0].bytes, &observed.bytes),
                cannot_be_told_from: places.collect(),
            })
        };
        fits.into_iter().take(most).filter_map(answer).collect()
    }

    /// Completes the entries of faults that do not affect the port: such a machine gives up waiting like a correct one.
    fn completed(&self, entries: &[Vec<Entry>]) -> Vec<Vec<Entry>> {
        let mut completed = entries.to_vec();
        if let (Some(alone), Some(entries)) = (&self.alone, completed.get_mut(1))
            && !self.gives_up.is_empty()
        {
            for entry in entries.iter_mut().filter(|entry| !alone.circuit.reaches_port(entry.fault)) {
                entry.bytes.extend(&self.gives_up);
                entry.then = RunEnd::Halts;
            }
        }
        completed
    }
}
