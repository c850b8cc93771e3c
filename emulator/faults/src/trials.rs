//! How the test may have been done, which bytes alone have to tell: with somebody who pressed what it asked for, or with
//! nobody there. A fault is looked for in both.

use crate::dictionary::{Answer, Entry, Fit, Moment, Observed, Then, common, without_repeats};
use crate::reference::{Conditions, Reference, RunError};
use gray1_machine::Script;
use std::collections::BTreeMap;

/// The runs without a fault that a machine may be compared with.
pub struct Trials<'a> {
    /// With what was pressed.
    pressed: Reference<'a>,
    /// With nobody there, if that is another test.
    alone: Option<Reference<'a>>,
    /// What comes of a machine that has waited for too long.
    gives_up: Vec<u8>,
}

/// What should have come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// These bytes.
    pub bytes: Vec<u8>,
    /// If nobody presses anything.
    pub is_alone: bool,
}

/// What tells faults apart: bytes, and LEDs if somebody has seen any.
type Signature<'a> = (Fit, &'a [u8], &'a [(Moment, u128)]);

impl<'a> Trials<'a> {
    /// What was pressed is known.
    pub fn known(pressed: Reference<'a>) -> Trials<'a> {
        Trials { pressed, alone: None, gives_up: Vec::new() }
    }

    /// Somebody has pressed this, or nobody anything. In the latter case the right machine `sends` these bytes; it takes too
    /// long to run one with each fault until it gives up waiting, so those are cut.
    pub fn either(pressed: Reference<'a>, sends: &[u8]) -> Result<Trials<'a>, RunError> {
        let conditions = Conditions {
            script: Script::default(),
            most_cycles: pressed.cycles + pressed.margin(),
            ..pressed.conditions.clone()
        };
        if conditions.script == pressed.conditions.script {
            return Ok(Trials::known(pressed));
        }
        let alone = Reference::run(pressed.circuit, conditions, pressed.stop)?;
        let gives_up = sends.strip_prefix(alone.bytes().as_slice()).unwrap_or_default().to_vec();
        Ok(Trials { pressed, alone: Some(alone), gives_up })
    }

    /// The runs; what machines with faults send is wanted of each.
    pub fn references(&self) -> impl Iterator<Item = &Reference<'a>> {
        std::iter::once(&self.pressed).chain(&self.alone)
    }

    /// What should have come where this did: the run that it agrees with for longer.
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

    /// The faults that fit best, those that cannot be told from each other together. `entries` has those of each run, of the
    /// same faults.
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
            let leds: &[(Moment, u128)] = if observed.leds.is_empty() { &[] } else { &entry.leds };
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

    /// A machine whose fault does not reach the port gives up as one without does.
    fn completed(&self, entries: &[Vec<Entry>]) -> Vec<Vec<Entry>> {
        let mut completed = entries.to_vec();
        if let (Some(alone), Some(entries)) = (&self.alone, completed.get_mut(1))
            && !self.gives_up.is_empty()
        {
            for entry in entries.iter_mut().filter(|entry| !alone.circuit.reaches_port(entry.fault)) {
                entry.bytes.extend(&self.gives_up);
                entry.then = Then::Halts;
            }
        }
        completed
    }
}
