//! The interface of every engine, so that front ends, tests and benchmarks can treat them alike.

use crate::state::{Inputs, State};
use gray1_isa::Word;
use gray1_isa::memory_map::{GREEN, OUT};
use thiserror::Error;

/// The phases of a machine cycle; each begins with an edge of the oscillator.
pub const PHASES: usize = 4;
/// Phases for which the reset line is held at least: four cycles, one more than the registers need.
pub const RESET_PHASES: usize = 4 * PHASES;
/// The state of the sequencer in phase 3, when the slaves take their masters' values.
pub const LAST_PHASE: u16 = 0b10;

/// A machine that runs, however it is implemented.
pub trait Engine {
    /// Runs up to `cycles` machine cycles; stops early only at a halt. Returns how many were run. A machine that has
    /// failed fails again in the same way until its state is set.
    fn run(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure>;

    /// The cycles run since reset.
    fn cycle(&self) -> u64;

    /// Whether a jump has landed on itself.
    fn halted(&self) -> bool;

    /// The registers, at the beginning of a cycle.
    fn registers(&self) -> Registers;

    /// The program word that the next cycle runs.
    fn word(&self) -> Word;

    /// The instruction counts since power-up, by opcode.
    fn executed(&self) -> [u64; 8];

    /// Presses and releases pads and keys, from the next cycle on.
    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled>;

    /// The whole machine, at the beginning of a cycle.
    fn state(&self) -> State;

    /// Puts the machine in a state.
    fn set_state(&mut self, state: &State) -> Result<(), Unsettled>;
}

/// The CPU as a programmer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Registers {
    /// The program counter, as a sequence number.
    pub pc: u16,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub c: bool,
}

/// The receiver of everything that leaves the machine. Cycles count from 0 at reset.
pub trait OutputSink {
    /// A byte was sent to the output port.
    fn output(&mut self, cycle: u64, byte: u8) {
        let _ = (cycle, byte);
    }

    /// A row of the display was stored to: 0 to 7 green, 8 to 15 red, from the top; bit 0 is the leftmost LED.
    fn display(&mut self, cycle: u64, row: usize, leds: u8) {
        let _ = (cycle, row, leds);
    }

    /// The program has stored a byte: reports those effects of the store that can be seen from outside.
    fn stored(&mut self, cycle: u64, address: u16, byte: u8) {
        match address {
            GREEN..OUT => self.display(cycle, usize::from(address - GREEN), byte),
            OUT => self.output(cycle, byte),
            _ => {}
        }
    }

    /// The program has stored several bytes, in this order, in a run towards cycle `end`. An engine that has run ahead
    /// reports them all in one call, which costs nothing if the receiver ignores stores.
    fn all_stored(&mut self, end: u64, stores: &[Store]) {
        for store in stores {
            self.stored(end - u64::from(store.left) + u64::from(store.since), store.address, store.byte);
        }
    }
}

/// A store that an engine has recorded, to report it later.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Store {
    /// The number of cycles from the beginning of the stretch of instructions that contains it to the end of the run.
    pub left: u32,
    #[allow(missing_docs)]
    pub address: u16,
    /// The number of cycles from the beginning of the stretch to the store.
    pub since: u8,
    #[allow(missing_docs)]
    pub byte: u8,
}

/// Ignores everything.
impl OutputSink for () {}

/// The reason why a machine cannot continue.
#[derive(Debug, Error)]
pub enum Failure {
    /// Its board does not settle.
    #[error(transparent)]
    Unsettled(#[from] Unsettled),
    /// Its program counter does not move, though its program has not halted.
    #[error(transparent)]
    Stuck(#[from] Stuck),
    /// An error that only some engines can have: one with delays, or one whose run is being recorded.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

impl Failure {
    /// Wraps an error of such an engine.
    pub fn other(error: impl std::error::Error + Send + Sync + 'static) -> Failure {
        Failure::Other(Box::new(error))
    }
}

/// The program counter does not move, at a word that is not a jump to itself.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Stuck {
    /// No instruction is run.
    #[error("the board has no clock: the oscillator does not move its sequencer, so no instruction is run")]
    NoClock,
    /// One instruction repeats.
    #[error(
        "the board is stuck: its program counter stays at {pc:03X}, though `{word}` is not a jump to itself"
    )]
    Counter {
        /// The sequence number.
        pc: u16,
        /// The word there.
        word: Word,
    },
}

/// Nets of the board keep changing within one phase.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "the board does not settle in phase {phase} of cycle {cycle}: these chips keep changing each other: {}",
    chips.join(", ")
)]
pub struct Unsettled {
    /// The cycle.
    pub cycle: u64,
    /// The phase, 0 to 3.
    pub phase: u8,
    /// The chips of the loop.
    pub chips: Vec<String>,
}
