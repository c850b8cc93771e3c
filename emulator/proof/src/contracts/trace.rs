//! Concrete runs: a claim is refuted only if the machine, instruction by instruction, confirms the symbolic execution.

use crate::contracts::access::{input_of, is_visible};
use crate::contracts::state::State as Symbolic;
use gray1_isa::Image;
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::{Engine, Inputs, IsaEngine, Noise, OutputSink};
use std::collections::{BTreeMap, BTreeSet};

/// The inputs of a run. All other bytes and reads are 0.
#[derive(Clone, Debug, Default)]
pub struct Stimulus {
    /// The bytes of RAM at power-up.
    pub ram: BTreeMap<u16, u8>,
    /// The values of the inputs, by the number of the read.
    pub reads: BTreeMap<u64, [u8; 3]>,
    /// The values of the inputs at all later reads.
    pub later: [u8; 3],
}

/// A run up to a limit.
pub struct Trace {
    /// The visible stores: cycle, address and value.
    pub stores: Vec<(u64, u16, u8)>,
    /// The bytes of RAM that were written.
    pub written: BTreeSet<u16>,
    /// The end of the run.
    pub end: End,
    /// A repeated state: its word, and the cycles before its first and its second visit.
    pub repetition: Option<(u16, [u64; 2])>,
    /// The state after the last cycle.
    pub state: gray1_machine::State,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The machine halted.
    Halt,
    /// A state repeats for ever, without visible stores.
    Silence,
    /// The limit was reached first.
    Limit,
}

/// The first difference between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// The visible stores of this number.
    Store(usize),
    /// One run halts, the other does not.
    Halt,
    /// This byte of RAM, which at least one of the runs has written.
    Byte(u16),
}

/// Collects the stores of a run.
#[derive(Default)]
struct Stores {
    visible: Vec<(u64, u16, u8)>,
    written: BTreeSet<u16>,
}

impl OutputSink for Stores {
    fn stored(&mut self, cycle: u64, address: u16, byte: u8) {
        if is_visible(address) {
            self.visible.push((cycle, address, byte));
        }
        if Symbolic::is_ram(address) {
            self.written.insert(address);
        }
    }
}

impl Trace {
    /// Runs a program after a reset.
    pub fn record(image: &Image, stimulus: &Stimulus, cycles: u64) -> Trace {
        let mut engine = IsaEngine::power_up(image, Noise::Zeros);
        let mut state = engine.state();
        stimulus.ram.iter().for_each(|(&address, &byte)| state.ram[usize::from(address) % RAM_BYTES] = byte);
        let _ = engine.set_state(&state); // the engine isa takes every state
        let (mut stores, mut reads, mut end) = (Stores::default(), 0, End::Limit);
        let last_read = stimulus.reads.last_key_value().map_or(0, |(&number, _)| number + 1);
        // An earlier state, replaced at cycles that are powers of two, so every period is found.
        let (mut earlier, mut stores_before, mut reads_before) = (None::<gray1_machine::State>, 0, 0);
        let mut repetition = None;
        while engine.cycle() < cycles {
            let word = engine.word();
            if let Some(input) = input_of(word) {
                let is_later = reads >= last_read;
                let values = stimulus.reads.get(&reads).copied().unwrap_or_default();
                let value = if is_later { stimulus.later } else { values }[input];
                let _ = engine.press(presses(input, value)); // no input is unsettled here
                reads += 1;
            }
            let _ = engine.run(1, &mut stores); // the engine isa does not fail
            if engine.halted() {
                end = End::Halt;
                break;
            }
            // A state repeats for ever if nothing was read since, or only values that never change again.
            let is_free = reads == reads_before || reads_before >= last_read;
            match &earlier {
                Some(earlier) if is_free && repetition.is_none() && is_in_state(&engine, earlier) => {
                    repetition = Some((earlier.pc, [earlier.cycle, engine.cycle()]));
                    if stores.visible.len() == stores_before {
                        end = End::Silence;
                        break;
                    }
                }
                Some(_) if !engine.cycle().is_power_of_two() => {}
                _ => {
                    (earlier, stores_before, reads_before) =
                        (Some(engine.state()), stores.visible.len(), reads);
                }
            }
        }
        Trace { stores: stores.visible, written: stores.written, end, repetition, state: engine.state() }
    }

    /// Returns the number of the first visible store that differs in another run, if there is one within the limit.
    pub fn differing_store(&self, other: &Trace, cycles: bool) -> Option<usize> {
        let is_equal = |(one, other): (&(u64, u16, u8), &(u64, u16, u8))| {
            (one.1, one.2) == (other.1, other.2) && (!cycles || one.0 == other.0)
        };
        let common = self.stores.len().min(other.stores.len());
        let differs = self.stores.iter().zip(&other.stores).position(|pair| !is_equal(pair));
        let shorter = if self.stores.len() < other.stores.len() { self } else { other };
        let ends = matches!(shorter.end, End::Halt | End::Silence) && self.stores.len() != other.stores.len();
        differs.or(ends.then_some(common))
    }

    /// Returns the cycle of a visible store, or the last cycle if there is no store of this number.
    pub fn cycle_of(&self, number: usize) -> u64 {
        self.stores.get(number).map_or(self.state.cycle, |&(cycle, ..)| cycle)
    }

    /// Returns the first difference from a run with other noise, if there is one within the limit.
    pub fn difference(&self, other: &Trace) -> Option<Difference> {
        if let Some(number) = self.differing_store(other, false) {
            return Some(Difference::Store(number));
        }
        let halts = [self, other].map(|trace| trace.end == End::Halt);
        let is_endless = [self, other].map(|trace| trace.end == End::Silence);
        if halts == [true; 2] {
            let mut written = self.written.union(&other.written).copied();
            let differs = |&at: &u16| self.state.ram[usize::from(at)] != other.state.ram[usize::from(at)];
            return written.find(differs).map(Difference::Byte);
        }
        (halts[0] && is_endless[1] || is_endless[0] && halts[1]).then_some(Difference::Halt)
    }
}

/// Whether a machine has the registers and the RAM of a state.
pub fn is_in_state(engine: &IsaEngine, earlier: &gray1_machine::State) -> bool {
    let registers = engine.registers();
    (registers.pc, registers.a, registers.c) == (earlier.pc, earlier.a, earlier.c)
        && engine.state().ram == earlier.ram
}

/// Returns the presses for which an input has a value.
fn presses(input: usize, value: u8) -> Inputs {
    let line = (value != 0).then(|| value.trailing_zeros() as u8);
    match input {
        0 => Inputs { pad: line.map(|column| (0, column)), keys: 0 },
        1 => Inputs { pad: line.map(|row| (row, 0)), keys: 0 },
        _ => Inputs { pad: None, keys: value },
    }
}
