//! What came of a machine with a fault, and how that differs from what should have come.

use crate::fault::{Effect, Fault};
use crate::machine::{Event, Machine};
use crate::reference::{Reference, run_on};

/// A machine with a fault is given so many cycles more than one without, if that one has halted.
pub const MARGIN: u64 = 1_000;

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watch {
    /// The bytes that are sent.
    Port,
    /// These and the LEDs, whenever a byte is sent and at the end.
    PortAndLeds,
}

/// The first thing that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// How many bytes came before.
    pub index: usize,
    /// What it is.
    pub what: What,
}

/// What is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The byte: what should have come and what came; `None` if none did.
    Byte {
        /// What should have come.
        expected: Option<u8>,
        /// What came.
        got: Option<u8>,
    },
    /// These LEDs, while the byte of this number was sent, or at the end.
    Leds(u128),
}

/// What came of one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What shows the fault.
    pub difference: Option<Difference>,
    /// Whether the fault makes a difference to anything that is looked up.
    pub acts: bool,
    /// The first cycle with a phase that did not settle.
    pub unsettled: Option<u64>,
    /// How many cycles were really run.
    pub ran: u64,
}

/// Everything that a machine sends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The bytes, and the LEDs with each.
    pub events: Vec<Event>,
    /// The LEDs at the end.
    pub leds: u128,
    /// Whether nothing more would come.
    pub has_halted: bool,
    /// The first cycle with a phase that did not settle.
    pub unsettled: Option<u64>,
}

impl Reference<'_> {
    /// Runs a machine with a fault up to what shows the fault.
    pub fn find(&self, fault: Fault, watch: Watch) -> Outcome {
        let mut difference = None;
        let tested = self.tested(fault, |index, event| {
            difference = self.compare(index, Some(event), watch);
            difference.is_none()
        });
        let (index, leds) = (tested.events, tested.leds);
        let difference = difference.or_else(|| {
            let wrong = self.wrong_leds(index, leds);
            // Where both machines were cut, the last byte may have been about to come.
            let is_cut = !self.has_halted && !tested.has_halted;
            match self.events.get(index) {
                _ if !tested.is_over => None,
                Some(_) if is_cut && index + 1 == self.events.len() => None,
                Some(_) => self.compare(index, None, watch),
                None if watch == Watch::Port || wrong == 0 => None,
                None => Some(Difference { index, what: What::Leds(wrong) }),
            }
        });
        Outcome { difference, acts: tested.acts, unsettled: tested.unsettled, ran: tested.ran }
    }

    /// Runs a machine with a fault to its end.
    pub fn record(&self, fault: Fault) -> Record {
        let mut events: Vec<Event> = Vec::new();
        let tested = self.tested(fault, |index, event| {
            events.extend(self.events.get(events.len()..index).into_iter().flatten());
            events.push(event);
            true
        });
        events.extend(self.events.get(events.len()..tested.events).into_iter().flatten());
        let Tested { leds, has_halted, unsettled, .. } = tested;
        Record { events, leds, has_halted, unsettled }
    }

    /// How many cycles more a machine with a fault has. If the one without was cut, nobody knows what it sends then.
    pub(crate) fn margin(&self) -> u64 {
        if self.has_halted { MARGIN } else { 0 }
    }

    fn compare(&self, index: usize, got: Option<Event>, watch: Watch) -> Option<Difference> {
        let expected = self.events.get(index);
        let (expected_byte, got_byte) = (expected.map(|event| event.byte), got.map(|event| event.byte));
        if expected_byte != got_byte {
            return Some(Difference { index, what: What::Byte { expected: expected_byte, got: got_byte } });
        }
        let leds = self.wrong_leds(index, got?.leds);
        (watch == Watch::PortAndLeds && leds != 0).then_some(Difference { index, what: What::Leds(leds) })
    }

    /// Runs a machine with a fault wherever it may differ from one without. `sent` is told of what is sent then, with its
    /// number, and says whether to go on.
    fn tested(&self, fault: Fault, mut sent: impl FnMut(usize, Event) -> bool) -> Tested {
        let acts = self.acts(fault);
        let mut machine = Machine::new(self.circuit, Effect::of(self.circuit, fault));
        let mut tested = Tested {
            events: self.events.len(),
            leds: self.leds,
            has_halted: self.has_halted,
            is_over: true,
            acts: acts != 0,
            unsettled: None,
            ran: 0,
        };
        let last = self.marks.len();
        let mut stretch = 0;
        let mut is_same = true;
        loop {
            if is_same {
                // Nothing differs until the fault acts again.
                stretch += match acts.checked_shr(stretch as u32) {
                    None | Some(0) => last,
                    Some(rest) => rest.trailing_zeros() as usize,
                };
                if stretch >= last {
                    break;
                }
                match stretch {
                    0 => machine.power_up(self.conditions.noise, &mut ()),
                    _ => machine.resume(&self.marks[stretch - 1].state, self.marks[stretch - 1].cycle),
                }
                tested.events = if stretch == 0 { 0 } else { self.marks[stretch - 1].events };
            }
            // Behind the last stretch there is the margin.
            let mark = self.marks.get(stretch);
            let until = mark.map_or(self.cycles + self.margin(), |mark| mark.cycle);
            let begun = machine.cycle;
            let mut goes_on = true;
            let mut events = tested.events;
            let has_halted =
                run_on(&mut machine, &self.conditions, until, self.stop, &mut (), &mut |event| {
                    if goes_on {
                        goes_on = sent(events, event);
                        events += 1;
                    }
                });
            tested.events = events;
            tested.ran += machine.cycle - begun;
            is_same = mark.is_some_and(|mark| {
                mark.cycle == machine.cycle
                    && mark.events == tested.events
                    && !has_halted | (stretch + 1 == last)
                    && mark.state.levels == machine.state.levels
                    && mark.state.ram == machine.state.ram
            });
            stretch += 1;
            tested.is_over = goes_on;
            if is_same && goes_on {
                (tested.events, tested.leds, tested.has_halted) =
                    (self.events.len(), self.leds, self.has_halted);
                continue;
            }
            (tested.leds, tested.has_halted) = (machine.leds(), has_halted);
            if !goes_on || has_halted || stretch > last || self.is_stopped() {
                break;
            }
        }
        tested.unsettled = machine.unsettled;
        tested
    }
}

/// Where a run has led.
struct Tested {
    events: usize,
    leds: u128,
    has_halted: bool,
    /// Whether it was not broken off.
    is_over: bool,
    acts: bool,
    unsettled: Option<u64>,
    ran: u64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Circuit;
    use crate::fault::Model;
    use crate::reference::Conditions;
    use crate::tester::presses;
    use gray1_machine::Noise;
    use gray1_machine::board::Board;
    use std::sync::atomic::AtomicBool;
    use test_support::programs::assembled;

    /// What is left out because nothing differs makes no difference, and neither do other machines at once.
    #[test]
    fn every_cycle_from_power_up_gives_the_same() {
        let (image, noise) = (assembled("selftest", &[]).image, Noise::Random(3));
        let circuit = Circuit::new(&Board::built(), &image).unwrap();
        let stop = AtomicBool::new(false);
        let script = presses(&image, noise, 100_000, &stop);
        let conditions = Conditions { noise, script, most_cycles: 100_000 };
        let reference = Reference::run(&circuit, conditions, &stop).unwrap();
        let faults = [reference.faults(Model::Pins), reference.faults(Model::Bridges)].concat();
        let sample: Vec<Fault> = faults.iter().copied().step_by(17).collect();
        let mut entries: Vec<_> =
            reference.groups(&sample).iter().flat_map(|group| reference.entries(&sample, group)).collect();
        entries.sort_by_key(|(number, _)| *number);
        assert_eq!(entries.len(), sample.len());
        for (&fault, (_, entry)) in sample.iter().zip(&entries) {
            let mut machine = Machine::new(&circuit, Effect::of(&circuit, fault));
            machine.power_up(noise, &mut ());
            let mut events = Vec::new();
            let until = reference.cycles + MARGIN;
            let has_halted =
                run_on(&mut machine, &reference.conditions, until, &stop, &mut (), &mut |event| {
                    events.push(event);
                });
            let place = circuit.place(fault);
            assert_eq!(*entry, reference.told(fault, &events, machine.leds(), has_halted), "{place}");
            let is_found = entry.bytes != reference.bytes() || !entry.leds.is_empty();
            assert_eq!(reference.find(fault, Watch::PortAndLeds).difference.is_some(), is_found, "{place}");
        }
    }
}
