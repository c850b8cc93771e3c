//! The run without a fault, with which all others are compared.
//!
//! A machine with a fault behaves like one without until the fault affects a lookup. The run is divided into segments.
//! For each fault, a set has the segments in which that happens; while the two machines are in the same state, all other
//! segments can be skipped.

use crate::faults::circuit::Circuit;
use crate::faults::fault::{Fault, Model};
use crate::faults::lookups::{LookupLog, MAX_SEGMENTS};
use crate::faults::machine::{Event, Machine, Onlooker, State};
use crate::faults::tester::{Operator, SLICE};
use gray1_machine::wires::LOW;
use gray1_machine::{Noise, Script};
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// The minimum number of cycles of a segment.
const MIN_SEGMENT_CYCLES: u64 = 8;

/// The conditions of a test.
#[derive(Clone, Debug)]
pub struct Conditions {
    /// The noise at power-up.
    pub noise: Noise,
    /// The pads and keys that are pressed.
    pub script: Script,
    /// The run of the machine without a fault is cut off here, if it has not halted.
    pub max_cycles: u64,
}

/// Why there is no run with which others can be compared.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RunError {
    /// The board does not settle.
    #[error(
        "without any fault, the board does not settle in some phase of cycle {cycle}; `gray1 run` names the chips"
    )]
    Unsettled {
        /// The first cycle in which that happens.
        cycle: u64,
    },
    /// The run was interrupted.
    #[error("interrupted")]
    Stopped,
}

/// The run without a fault.
pub struct Reference<'a> {
    pub(crate) circuit: &'a Circuit,
    pub(crate) conditions: Conditions,
    /// Whether the presses follow the LEDs of each machine instead of the script.
    follows: bool,
    /// Once this is set, runs end early, and their results are not valid.
    pub(crate) stop: &'a AtomicBool,
    /// The bytes that are sent, with the LEDs at that time.
    pub events: Vec<Event>,
    /// The LEDs at the end.
    pub leds: u128,
    /// The LEDs that do not depend on the contents of memory at power-up, for each byte that is sent and for the end.
    known: Vec<u128>,
    /// The number of cycles of the run.
    pub cycles: u64,
    /// Whether it has halted; otherwise it was cut off.
    pub has_halted: bool,
    /// The end of each segment, which is the beginning of the next one.
    pub(crate) marks: Vec<Mark>,
    pub(crate) log: LookupLog,
}

/// The state between two segments, with its cycle and the number of events before it.
pub(crate) struct Mark {
    pub state: State,
    pub cycle: u64,
    pub events: usize,
    pub operator: Operator,
}

impl Mark {
    /// Whether a machine that has sent this number of bytes is in this state.
    pub fn is_state_of(&self, machine: &Machine, events: usize, source: &InputSource) -> bool {
        (self.cycle, self.events) == (machine.cycle, events)
            && (matches!(source, InputSource::Script(_)) || self.operator == source.operator())
            && self.state.levels == machine.state.levels
            && self.state.ram == machine.state.ram
    }
}

/// The source of presses of pads and keys.
pub(crate) enum InputSource<'a> {
    /// A script.
    Script(&'a Script),
    /// A person who looks at the LEDs.
    Operator(Operator),
}

impl<'a> Reference<'a> {
    /// Runs the machine without a fault. Once `stop` is set, this run ends, and so do all runs that are compared with
    /// it.
    pub fn run(
        circuit: &'a Circuit,
        conditions: Conditions,
        stop: &'a AtomicBool,
    ) -> Result<Reference<'a>, RunError> {
        Reference::run_by(circuit, conditions, false, stop)
    }

    /// Runs the machine without a fault. If it `follows`, a person presses what the LEDs of each machine ask for,
    /// whenever they do. A person who sees wrong LEDs on a machine that is right otherwise presses by the script.
    pub(crate) fn run_by(
        circuit: &'a Circuit,
        conditions: Conditions,
        follows: bool,
        stop: &'a AtomicBool,
    ) -> Result<Reference<'a>, RunError> {
        let begin = || match follows {
            true => InputSource::Operator(Operator::default()),
            false => InputSource::Script(&conditions.script),
        };
        // The length of the run has to be known before it can be divided.
        let mut lookout = Machine::new(circuit, Vec::new());
        lookout.power_up(conditions.noise, &mut ());
        let has_halted =
            run_on(&mut lookout, &mut begin(), conditions.max_cycles, stop, &mut (), &mut |_| ());
        lookout.is_sound(stop)?;
        let cycles = lookout.cycle;

        let length = cycles.div_ceil(MAX_SEGMENTS as u64).max(MIN_SEGMENT_CYCLES);
        let mut log = LookupLog::of(circuit);
        let mut machine = Machine::new(circuit, Vec::new());
        log.begin(0, &LOW);
        machine.power_up(conditions.noise, &mut log);
        let (mut events, mut marks, mut source) = (Vec::new(), Vec::new(), begin());
        while machine.cycle < cycles {
            if machine.cycle > 0 {
                log.begin(marks.len(), &machine.state.levels);
            }
            let until = (machine.cycle + length).min(cycles);
            run_on(&mut machine, &mut source, until, stop, &mut log, &mut |event| events.push(event));
            marks.push(Mark {
                state: machine.state.clone(),
                cycle: machine.cycle,
                events: events.len(),
                operator: source.operator(),
            });
            if machine.cycle < until {
                break;
            }
        }
        machine.is_sound(stop)?;
        let known = known_leds(circuit, &conditions, cycles, stop)?;
        log.finish();
        Ok(Reference {
            circuit,
            conditions,
            follows,
            stop,
            leds: machine.leds(),
            cycles,
            has_halted,
            known,
            events,
            marks,
            log,
        })
    }

    /// Puts a machine into the state of this run at the beginning of a segment. Returns the mark there, if any.
    pub(crate) fn begin(&self, machine: &mut Machine, segment: usize) -> Option<&Mark> {
        let mark = segment.checked_sub(1).map(|before| &self.marks[before]);
        match mark {
            None => machine.power_up(self.conditions.noise, &mut ()),
            Some(mark) => machine.resume(&mark.state, mark.cycle),
        }
        mark
    }

    /// The source of presses for a machine with this fault, from a mark on.
    pub(crate) fn source(&self, fault: Fault, operator: Operator) -> InputSource<'_> {
        match self.follows && self.circuit.reaches_port(fault) {
            true => InputSource::Operator(operator),
            false => InputSource::Script(&self.conditions.script),
        }
    }

    /// Whether the stop flag is set.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The LEDs that are wrong while the byte with this number is sent, or at the end. An LED that may show noise is
    /// never wrong.
    pub(crate) fn wrong_leds(&self, index: usize, leds: u128) -> u128 {
        let right = self.events.get(index).map_or(self.leds, |event| event.leds);
        (right ^ leds) & self.known.get(index).copied().unwrap_or(0)
    }

    /// The bytes that are sent.
    pub fn bytes(&self) -> Vec<u8> {
        self.events.iter().map(|event| event.byte).collect()
    }

    /// All faults of a model; for cells, only those that are read.
    pub fn faults(&self, model: Model) -> Vec<Fault> {
        if model == Model::Cells { self.cells() } else { self.circuit.faults(model) }
    }

    /// A fingerprint of the board, the program, the conditions and the choice of faults.
    pub(crate) fn mark(&self, choice: &str) -> String {
        let mut sum = crc32fast::Hasher::new();
        for table in self.circuit.netlist.tables.iter().chain(&self.circuit.image.to_proms()) {
            sum.update(table);
        }
        let Conditions { noise, script, max_cycles } = &self.conditions;
        let pins: Vec<_> =
            self.circuit.pins.iter().map(|pin| (pin.chip, pin.number, &pin.name, pin.net)).collect();
        let text = format!(
            "{choice} {noise:?} {} {max_cycles} {pins:?} {:?} {:?} {:?} {:?}",
            script.to_ron(),
            self.circuit.netlist.chips,
            self.circuit.neighbours,
            self.circuit.opens,
            self.circuit.netlist.panel,
        );
        sum.update(text.as_bytes());
        format!("{:08x}", sum.finalize())
    }

    /// Every bit of every cell that is read.
    fn cells(&self) -> Vec<Fault> {
        let circuit = self.circuit;
        let faults = self.log.cells().into_iter().flat_map(|(bank, address)| {
            let chips = circuit.pack.banks[bank].chips.iter();
            chips.flat_map(move |&chip| {
                let lines = 0..circuit.netlist.chips[chip].data.len() as u32;
                lines.map(move |bit| Fault::Cell { chip, address, bit })
            })
        });
        let mut faults: Vec<Fault> = faults.collect();
        faults.sort_by_key(|fault| match *fault {
            Fault::Cell { chip, address, bit } => (chip, address, bit),
            _ => (0, 0, 0),
        });
        faults
    }

    /// Whether the net on a pin is ever at this level.
    pub(crate) fn pin_is_at(&self, pin: usize, level: bool) -> bool {
        let pin = &self.circuit.pins[pin];
        self.log.at(self.circuit.pack.nets[pin.net], level) != 0
    }
}

/// The LEDs that do not depend on the contents of memory at power-up, for each byte that is sent and for the end.
fn known_leds(
    circuit: &Circuit,
    conditions: &Conditions,
    cycles: u64,
    stop: &AtomicBool,
) -> Result<Vec<u128>, RunError> {
    let shown = |noise| {
        let mut machine = Machine::new(circuit, Vec::new());
        machine.power_up(noise, &mut ());
        let mut leds = Vec::new();
        let mut source = InputSource::Script(&conditions.script);
        run_on(&mut machine, &mut source, cycles, stop, &mut (), &mut |event: Event| leds.push(event.leds));
        leds.push(machine.leds());
        machine.is_sound(stop).map(|()| leds)
    };
    let (zeros, ones) = (shown(Noise::Zeros)?, shown(Noise::Ones)?);
    Ok(zeros.iter().zip(&ones).map(|(one, other)| !(one ^ other)).collect())
}

impl InputSource<'_> {
    /// The state of the person; the initial one for a script.
    pub fn operator(&self) -> Operator {
        match self {
            InputSource::Script(_) => Operator::default(),
            InputSource::Operator(operator) => *operator,
        }
    }
}

impl Machine<'_> {
    /// Fails if other machines cannot be compared with this one, which has no fault.
    fn is_sound(&self, stop: &AtomicBool) -> Result<(), RunError> {
        match self.unsettled {
            _ if stop.load(Ordering::Relaxed) => Err(RunError::Stopped),
            Some(cycle) => Err(RunError::Unsettled { cycle }),
            None => Ok(()),
        }
    }
}

/// Runs a machine up to a cycle, unless it is stopped. Returns whether it has halted, so that nothing changes any more.
pub(crate) fn run_on(
    machine: &mut Machine,
    source: &mut InputSource,
    until: u64,
    stop: &AtomicBool,
    onlooker: &mut impl Onlooker,
    sent: &mut impl FnMut(Event),
) -> bool {
    let banks = machine.circuit.pack.banks.len();
    // A script is pressed where the run begins, and then at its changes.
    let mut next = Some(machine.cycle);
    while machine.cycle < until {
        if machine.cycle.is_multiple_of(SLICE) && stop.load(Ordering::Relaxed) {
            return false;
        }
        match source {
            InputSource::Script(script) if next == Some(machine.cycle) => {
                machine.press(script.inputs_at(machine.cycle), onlooker);
                next = script.next_change(machine.cycle);
            }
            InputSource::Script(_) => {}
            InputSource::Operator(operator) => {
                if let Some(inputs) = operator.look(machine.leds(), machine.cycle) {
                    machine.press(inputs, onlooker);
                }
                next = operator.next(machine.cycle);
            }
        }
        let before = machine.state.levels;
        machine.has_written = false;
        machine.cycle(onlooker, sent);
        if machine.state.levels[..banks] == before[..banks] && !machine.has_written {
            // Nothing changes until the next press.
            match next {
                Some(cycle) if cycle < until => machine.cycle = cycle,
                Some(_) => machine.cycle = until,
                None => return true,
            }
        }
    }
    false
}
