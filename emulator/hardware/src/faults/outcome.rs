//! Runs a machine with a fault, and finds the first difference from the run without a fault.

use crate::faults::effect::Effect;
use crate::faults::fault::Fault;
use crate::faults::machine::{Event, Machine};
use crate::faults::reference::{Reference, run_on};
use crate::faults::tester::Operator;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A machine with a fault gets this many cycles more than the machine without a fault, if that one has halted.
pub const MARGIN: u64 = 1_000;

/// The outputs that can reveal a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// The bytes that are sent.
    Port,
    /// These and the LEDs, whenever a byte is sent and at the end.
    PortAndLeds,
}

/// An output that reveals a fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "by", rename_all = "lowercase")]
pub enum Evidence {
    /// The byte with this number, counted from 0. `expected` or `got` is `null` if there is no such byte.
    Byte {
        #[allow(missing_docs)]
        at: usize,
        #[allow(missing_docs)]
        expected: Option<u8>,
        #[allow(missing_docs)]
        got: Option<u8>,
    },
    /// A number of LEDs, while the byte with this number is sent or at the end; and the name of the first one.
    Leds {
        #[allow(missing_docs)]
        at: usize,
        #[allow(missing_docs)]
        count: u32,
        #[allow(missing_docs)]
        first: String,
    },
}

/// The result for one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The difference that reveals the fault, if any.
    pub difference: Option<Evidence>,
    /// Whether the fault affects any lookup.
    pub acts: bool,
    /// The first cycle with a phase that did not settle.
    pub unsettled: Option<u64>,
    /// The number of cycles that were simulated.
    pub ran: u64,
}

/// The complete output of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The bytes, and the LEDs with each.
    pub events: Vec<Event>,
    /// The LEDs at the end.
    pub leds: u128,
    /// Whether it has halted, so that nothing more would be sent.
    pub has_halted: bool,
    /// The first cycle with a phase that did not settle.
    pub unsettled: Option<u64>,
}

impl Evidence {
    fn leds(at: usize, leds: u128) -> Evidence {
        Evidence::Leds { at, count: leds.count_ones(), first: led(leds.trailing_zeros() as usize) }
    }
}

impl Reference<'_> {
    /// Runs a machine with a fault up to the first difference.
    pub fn find(&self, fault: Fault, watch: Watch) -> Outcome {
        let mut difference = None;
        let run = self.run_with(fault, |index, event| {
            difference = self.compare(index, Some(event), watch);
            difference.is_none()
        });
        let (index, leds) = (run.events, run.leds);
        let difference = difference.or_else(|| {
            let wrong = self.wrong_leds(index, leds);
            // If both runs were cut off, the last byte might have been sent a little later.
            let is_cut = !self.has_halted && !run.has_halted;
            match self.events.get(index) {
                _ if !run.is_over => None,
                Some(_) if is_cut && index + 1 == self.events.len() => None,
                Some(_) => self.compare(index, None, watch),
                None if watch == Watch::Port || wrong == 0 => None,
                None => Some(Evidence::leds(index, wrong)),
            }
        });
        Outcome { difference, acts: run.acts, unsettled: run.unsettled, ran: run.ran }
    }

    /// Runs a machine with a fault to its end.
    pub fn record(&self, fault: Fault) -> Record {
        let mut events: Vec<Event> = Vec::new();
        let run = self.run_with(fault, |index, event| {
            events.extend(self.events.get(events.len()..index).into_iter().flatten());
            events.push(event);
            true
        });
        events.extend(self.events.get(events.len()..run.events).into_iter().flatten());
        let TestRun { leds, has_halted, unsettled, .. } = run;
        Record { events, leds, has_halted, unsettled }
    }

    /// Whether a machine with a fault may have sent these bytes, before it sends others or stops. `leds` are the LEDs
    /// that were wrong when this many bytes had been sent.
    pub fn agrees(&self, fault: Fault, bytes: &[u8], leds: &BTreeMap<usize, u128>) -> bool {
        let mut agrees = true;
        self.run_with(fault, |index, event| {
            let seen = leds.get(&(index + 1)).copied().unwrap_or(0);
            agrees = bytes.get(index).is_none_or(|byte| *byte == event.byte)
                && seen & !self.wrong_leds(index, event.leds) == 0;
            agrees
        });
        agrees
    }

    /// The additional cycles of a machine with a fault: none if the run without a fault was cut off, because then the
    /// correct output after that is not known.
    pub(crate) fn margin(&self) -> u64 {
        if self.has_halted { MARGIN } else { 0 }
    }

    fn compare(&self, index: usize, got: Option<Event>, watch: Watch) -> Option<Evidence> {
        let byte = |event: &Event| event.byte;
        let (expected, sent) = (self.events.get(index).map(byte), got.as_ref().map(byte));
        if expected != sent {
            return Some(Evidence::Byte { at: index, expected, got: sent });
        }
        let leds = self.wrong_leds(index, got?.leds);
        (watch == Watch::PortAndLeds && leds != 0).then(|| Evidence::leds(index, leds))
    }

    /// Runs a machine with a fault wherever it may differ from one without. `sent` is called with each byte that is
    /// sent there and its number, and returns whether to continue.
    fn run_with(&self, fault: Fault, mut sent: impl FnMut(usize, Event) -> bool) -> TestRun {
        let acts = self.acts(fault);
        let mut machine = Machine::new(self.circuit, Effect::all(self.circuit, fault));
        let mut run = TestRun {
            events: self.events.len(),
            leds: self.leds & !machine.dark,
            has_halted: self.has_halted,
            is_over: true,
            acts: acts != 0,
            unsettled: None,
            ran: 0,
        };
        let last = self.marks.len();
        let mut source = self.source(fault, Operator::default());
        let (mut segment, mut is_same) = (0, true);
        loop {
            if is_same {
                // The machines do not differ until the fault acts again.
                match acts.checked_shr(segment as u32) {
                    None | Some(0) => break,
                    Some(rest) => segment += rest.trailing_zeros() as usize,
                }
                if segment >= last {
                    break;
                }
                let before = self.begin(&mut machine, segment);
                source = self.source(fault, before.map_or_else(Operator::default, |mark| mark.operator));
                run.events = before.map_or(0, |mark| mark.events);
            }
            // The margin follows the last segment.
            let mark = self.marks.get(segment);
            let until = mark.map_or(self.cycles + self.margin(), |mark| mark.cycle);
            let begun = machine.cycle;
            let mut goes_on = true;
            let mut events = run.events;
            let has_halted = run_on(&mut machine, &mut source, until, self.stop, &mut (), &mut |event| {
                if goes_on {
                    goes_on = sent(events, event);
                    events += 1;
                }
            });
            run.events = events;
            run.ran += machine.cycle - begun;
            is_same = !has_halted | (segment + 1 == last)
                && mark.is_some_and(|mark| mark.is_state_of(&machine, events, &source));
            segment += 1;
            run.is_over = goes_on;
            if is_same && goes_on {
                (run.events, run.leds, run.has_halted) =
                    (self.events.len(), self.leds & !machine.dark, self.has_halted);
                continue;
            }
            (run.leds, run.has_halted) = (machine.leds(), has_halted);
            if !goes_on || has_halted || segment > last || self.is_stopped() {
                break;
            }
        }
        run.unsettled = machine.unsettled;
        run
    }
}

/// The result of a run.
struct TestRun {
    events: usize,
    leds: u128,
    has_halted: bool,
    /// Whether it was completed, and not ended by `sent`.
    is_over: bool,
    acts: bool,
    unsettled: Option<u64>,
    ran: u64,
}

/// The name of an LED: its colour, row and column.
pub(crate) fn led(number: usize) -> String {
    let (row, column) = (number / 8, number % 8);
    let colour = if row < 8 { "green" } else { "red" };
    format!("{colour} {},{column}", row % 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::circuit::Circuit;
    use crate::faults::fault::Model;
    use crate::faults::reference::Conditions;
    use crate::faults::tester::presses;
    use gray1_machine::Noise;
    use gray1_machine::board::Board;
    use std::sync::atomic::AtomicBool;
    use test_support::programs::assembled;

    /// Skipping segments without a difference does not change the results.
    #[test]
    fn every_cycle_from_power_up_gives_the_same() {
        let (image, noise) = (assembled("selftest", &[]).image, Noise::Random(3));
        let circuit = Circuit::new(&Board::built(), &image).unwrap();
        let stop = AtomicBool::new(false);
        let script = presses(&image, noise, 100_000, &stop);
        let conditions = Conditions { noise, script, max_cycles: 100_000 };
        let reference = Reference::run(&circuit, conditions, &stop).unwrap();
        let faults = Model::DIAGNOSED.map(|model| reference.faults(model)).concat();
        let sample: Vec<Fault> = faults.iter().copied().step_by(37).collect();
        for fault in sample {
            let entry = reference.entry(fault);
            let mut machine = Machine::new(&circuit, Effect::all(&circuit, fault));
            machine.power_up(noise, &mut ());
            let mut events = Vec::new();
            let until = reference.cycles + MARGIN;
            let has_halted = run_on(
                &mut machine,
                &mut reference.source(fault, Operator::default()),
                until,
                &stop,
                &mut (),
                &mut |event| {
                    events.push(event);
                },
            );
            let place = circuit.place(fault);
            assert_eq!(entry, reference.entry_of(fault, &events, machine.leds(), has_halted), "{place}");
            let is_found = entry.bytes != reference.bytes() || !entry.leds.is_empty();
            assert_eq!(reference.find(fault, Watch::PortAndLeds).difference.is_some(), is_found, "{place}");
        }
    }
}
