//! The whole machine at the beginning of a cycle, and what affects it from outside: inputs and power-up noise.

mod file;
mod noise;

pub use file::StateError;
pub use noise::{Noise, NoiseError};

use gray1_isa::memory_map::RAM_BYTES;

/// The whole machine at the beginning of a cycle.
///
/// Besides the state that a programmer sees, there are two parts that no program can see: the target latch and the jump
/// master, which keep values of the previous instruction. Every other net of the board follows from these fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Cycles run since reset.
    pub cycle: u64,
    /// The program counter, as a sequence number.
    pub pc: u16,
    /// The accumulator.
    pub a: u8,
    /// The carry.
    pub c: bool,
    /// Whether a jump has landed on itself.
    pub halted: bool,
    /// The target latch: the operand field of the previous instruction.
    pub target: u16,
    /// Whether the previous instruction jumped.
    pub jumped: bool,
    /// RAM, including the display and the output port, whose latches show the contents of RAM at their addresses.
    pub ram: Box<[u8; RAM_BYTES]>,
}

impl State {
    /// The machine after reset.
    pub fn after_reset(noise: Noise) -> State {
        State { cycle: 0, pc: 0, a: 0, c: false, halted: false, target: 0, jumped: true, ram: noise.ram() }
    }
}

/// The pad and the keys that are held down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Inputs {
    /// The pad being pressed: row and column, each 0 to 7 from the top left.
    pub pad: Option<(u8, u8)>,
    /// The keys held, one bit each, in the order of [`gray1_isa::memory_map::KEY_NAMES`].
    pub keys: u8,
}

impl Inputs {
    /// These inputs and others at once. Only one pad can be pressed: that of `self` has priority.
    pub fn and(self, others: Inputs) -> Inputs {
        Inputs { pad: self.pad.or(others.pad), keys: self.keys | others.keys }
    }

    /// The column byte of the pads.
    pub fn pad_column(&self) -> u8 {
        self.pad.map_or(0, |(_, column)| 1 << (column % 8))
    }

    /// The row byte of the pads.
    pub fn pad_row(&self) -> u8 {
        self.pad.map_or(0, |(row, _)| 1 << (row % 8))
    }
}
