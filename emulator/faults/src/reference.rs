//! The run without a fault, which all others are compared with; and when a fault would make a difference in it.
//!
//! A machine with a fault is the machine without it until a chip looks up what the fault changes. The run is divided into
//! stretches. For each fault, a set says in which of them that happens, so that the others need not be run again as long
//! as the two machines are in the same state.

use crate::circuit::{Circuit, Contents, End};
use crate::fault::{Effect, Fault, Model};
use crate::machine::{Event, Machine, Onlooker, State};
use crate::seen::{STRETCHES, Seen, Stretches};
use gray1_build::Role;
use gray1_machine::wires::LOW;
use gray1_machine::{Noise, Script};
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// A stretch has so many cycles at least.
const SHORTEST: u64 = 8;
/// Whether to stop is asked every so many cycles.
pub(crate) const SLICE: u64 = 4096;

/// What a test is: its inputs, what memory wakes up with, and how long it may take.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The noise at power-up.
    pub noise: Noise,
    /// Pads and keys, and when.
    pub script: Script,
    /// A run of the machine without faults ends here, if it has not halted.
    pub most_cycles: u64,
}

/// Why there is no run that others could be compared with.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    /// The board does not settle.
    #[error(
        "without any fault, the board does not settle in some phase of cycle {cycle}; `gray1 run` names the chips"
    )]
    Unsettled {
        /// In this cycle for the first time.
        cycle: u64,
    },
    /// Somebody has asked to stop.
    #[error("interrupted")]
    Stopped,
}

/// The run without a fault.
pub struct Reference<'a> {
    pub(crate) circuit: &'a Circuit,
    pub(crate) conditions: Conditions,
    /// Once this is set, runs are cut anywhere, and what came of them is worth nothing.
    pub(crate) stop: &'a AtomicBool,
    /// Everything that is sent, and the LEDs then.
    pub events: Vec<Event>,
    /// The LEDs at the end.
    pub leds: u128,
    /// The LEDs that do not depend on what memory woke up with, whenever a byte is sent and at the end.
    known: Vec<u128>,
    /// How many cycles it took.
    pub cycles: u64,
    /// Whether it halted; otherwise it was cut.
    pub has_halted: bool,
    /// The state at the beginning of each stretch but the first, the cycle, and how many events were before; and at the end.
    pub(crate) marks: Vec<Mark>,
    seen: Seen,
}

/// A moment between two stretches.
pub(crate) struct Mark {
    pub state: State,
    pub cycle: u64,
    pub events: usize,
}

impl<'a> Reference<'a> {
    /// Runs the machine without a fault. Once `stop` is set, this ends, and so do all runs that are compared with it.
    pub fn run(
        circuit: &'a Circuit,
        conditions: Conditions,
        stop: &'a AtomicBool,
    ) -> Result<Reference<'a>, RunError> {
        // How long it takes has to be known before it can be divided.
        let mut lookout = Machine::new(circuit, Effect::NONE);
        lookout.power_up(conditions.noise, &mut ());
        let has_halted =
            run_on(&mut lookout, &conditions, conditions.most_cycles, stop, &mut (), &mut |_| ());
        lookout.is_sound(stop)?;
        let cycles = lookout.cycle;

        let length = cycles.div_ceil(STRETCHES as u64).max(SHORTEST);
        let mut seen = Seen::of(circuit);
        let mut machine = Machine::new(circuit, Effect::NONE);
        seen.begin(0, &LOW);
        machine.power_up(conditions.noise, &mut seen);
        let (mut events, mut marks) = (Vec::new(), Vec::new());
        while machine.cycle < cycles {
            if machine.cycle > 0 {
                seen.begin(marks.len(), &machine.state.levels);
            }
            let until = (machine.cycle + length).min(cycles);
            run_on(&mut machine, &conditions, until, stop, &mut seen, &mut |event| events.push(event));
            marks.push(Mark { state: machine.state.clone(), cycle: machine.cycle, events: events.len() });
            if machine.cycle < until {
                break;
            }
        }
        machine.is_sound(stop)?;
        let known = known_leds(circuit, &conditions, cycles, stop)?;
        seen.finish();
        Ok(Reference {
            circuit,
            conditions,
            stop,
            leds: machine.leds(),
            cycles,
            has_halted,
            known,
            events,
            marks,
            seen,
        })
    }

    /// Whether somebody has asked to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Which LEDs are not as they should be while the byte of this number is sent, or behind the last. An LED that shows
    /// noise is as it should be.
    pub(crate) fn wrong_leds(&self, index: usize, leds: u128) -> u128 {
        let right = self.events.get(index).map_or(self.leds, |event| event.leds);
        (right ^ leds) & self.known.get(index).copied().unwrap_or(0)
    }

    /// The bytes that are sent.
    pub fn bytes(&self) -> Vec<u8> {
        self.events.iter().map(|event| event.byte).collect()
    }

    /// All faults of a model. Of cells, those that are ever read.
    pub fn faults(&self, model: Model) -> Vec<Fault> {
        match model {
            Model::Pins => self.circuit.stuck_pins(),
            Model::Bridges => self.circuit.bridges(),
            Model::Cells => self.cells(),
        }
    }

    /// A short text that another board, another program or other conditions do not give.
    pub(crate) fn mark(&self, choice: &str) -> String {
        let mut sum = crc32fast::Hasher::new();
        for table in &self.circuit.tables {
            sum.update(table);
        }
        let Conditions { noise, script, most_cycles } = &self.conditions;
        let pins: Vec<_> =
            self.circuit.pins.iter().map(|pin| (pin.chip, pin.number, &pin.name, pin.net)).collect();
        let text = format!(
            "{choice} {noise:?} {} {most_cycles} {pins:?} {:?} {:?} {:?}",
            script.to_ron(),
            self.circuit.netlist.chips,
            self.circuit.neighbours,
            self.circuit.netlist.panel,
        );
        sum.update(text.as_bytes());
        format!("{:08x}", sum.finalize())
    }

    /// Every bit of every cell that is read.
    fn cells(&self) -> Vec<Fault> {
        let circuit = self.circuit;
        let faults = self.seen.cells().into_iter().flat_map(|(bank, address)| {
            let chip = circuit.banks[bank].chip.unwrap_or_default();
            (0..circuit.rom_lines(bank)).map(move |bit| Fault::Cell { chip, address, bit })
        });
        let mut faults: Vec<Fault> = faults.collect();
        faults.sort_by_key(|fault| match *fault {
            Fault::Cell { chip, address, bit } => (chip, address, bit),
            _ => (0, 0, 0),
        });
        faults
    }

    /// The stretches in which a fault makes a difference to something that is looked up.
    pub(crate) fn acts(&self, fault: Fault) -> Stretches {
        let circuit = self.circuit;
        match fault {
            Fault::Stuck { pin, level } => {
                let pin = &circuit.pins[pin];
                match pin.role {
                    Role::Data(_) => self.seen.at(circuit.nets[pin.net], !level),
                    Role::Line { line, .. } => {
                        let bank = circuit.bank_of(pin.chip);
                        match circuit.banks[bank].holds {
                            Contents::Rom { table } => self.seen.looked_at(bank, |address| {
                                let table = &circuit.tables[table];
                                let other = address & !(1 << line) | u32::from(level) << line;
                                table[address as usize] != table[other as usize]
                            }),
                            _ => self.seen.looked_with(bank, line, !level),
                        }
                    }
                }
            }
            Fault::Bridge { pair } => match circuit.neighbours[pair].ends {
                [End::Net(net), End::Rail(level)] | [End::Rail(level), End::Net(net)] => {
                    self.seen.at(circuit.nets[net], !level)
                }
                _ => self.seen.differ(pair),
            },
            Fault::Cell { chip, address, .. } => {
                self.seen.looked_at(circuit.bank_of(chip), |other| other == address)
            }
        }
    }

    /// Whether the net on a pin is ever at this level.
    pub(crate) fn pin_is_at(&self, pin: usize, level: bool) -> bool {
        let pin = &self.circuit.pins[pin];
        self.seen.at(self.circuit.nets[pin.net], level) != 0
    }
}

/// The LEDs that are the same whatever memory wakes up with, as long as the same bytes are sent.
fn known_leds(
    circuit: &Circuit,
    conditions: &Conditions,
    cycles: u64,
    stop: &AtomicBool,
) -> Result<Vec<u128>, RunError> {
    let shown = |noise| {
        let mut machine = Machine::new(circuit, Effect::NONE);
        machine.power_up(noise, &mut ());
        let mut leds = Vec::new();
        run_on(&mut machine, conditions, cycles, stop, &mut (), &mut |event: Event| leds.push(event.leds));
        leds.push(machine.leds());
        machine.is_sound(stop).map(|()| leds)
    };
    let (zeros, ones) = (shown(Noise::Zeros)?, shown(Noise::Ones)?);
    Ok(zeros.iter().zip(&ones).map(|(one, other)| !(one ^ other)).collect())
}

impl Machine<'_> {
    /// Whether others can be compared with this machine, which has no fault.
    fn is_sound(&self, stop: &AtomicBool) -> Result<(), RunError> {
        match self.unsettled {
            _ if stop.load(Ordering::Relaxed) => Err(RunError::Stopped),
            Some(cycle) => Err(RunError::Unsettled { cycle }),
            None => Ok(()),
        }
    }
}

/// Runs a machine up to a cycle, or to where somebody asks to stop; returns whether it has halted: whether nothing changes
/// any more.
pub(crate) fn run_on(
    machine: &mut Machine,
    conditions: &Conditions,
    until: u64,
    stop: &AtomicBool,
    onlooker: &mut impl Onlooker,
    sent: &mut impl FnMut(Event),
) -> bool {
    let script = &conditions.script;
    let banks = machine.circuit.banks.len();
    let mut next = Some(machine.cycle);
    while machine.cycle < until {
        if machine.cycle.is_multiple_of(SLICE) && stop.load(Ordering::Relaxed) {
            return false;
        }
        if next == Some(machine.cycle) {
            machine.press(script.inputs_at(machine.cycle), onlooker);
            next = script.next_change(machine.cycle);
        }
        let before = machine.state.levels;
        machine.has_written = false;
        machine.cycle(onlooker, sent);
        if machine.state.levels[..banks] == before[..banks] && !machine.has_written {
            // It stands until somebody presses something.
            match next {
                Some(cycle) if cycle < until => machine.cycle = cycle,
                Some(_) => machine.cycle = until,
                None => return true,
            }
        }
    }
    false
}
