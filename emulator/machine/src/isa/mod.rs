//! The engine `isa`: runs the program instruction by instruction, with the same results as the chips engine.
//!
//! It is derived from the instruction set, not from the board, so comparing the two is a real test.
//! [`step`] defines the effect of each instruction.

mod bytes;

use crate::engine::{Engine, Failure, OutputSink, Registers, Unsettled};
use crate::state::{Inputs, Noise, State};
use bytes::{BEHIND_INPUTS, BYTES, CONSTANTS, operand, stored_at};
use gray1_isa::memory_map::{INPUTS, KEYS, PADCOL, PADROW, RAM_BYTES};
use gray1_isa::{Domain, Image, PROGRAM_WORDS, Word, step};
use std::convert::Infallible;

/// The machine, instruction by instruction.
#[derive(Clone)]
pub struct IsaEngine {
    image: Image,
    /// The instructions before which [`IsaEngine::run_until`] may stop.
    is_stop: Box<[bool; PROGRAM_WORDS]>,
    bytes: Box<[u8; BYTES]>,
    registers: Registers,
    cycle: u64,
    halted: bool,
    target: u16,
    jumped: bool,
    /// The instructions run, by opcode.
    executed: [u64; 8],
}

impl IsaEngine {
    /// The machine after power-up and reset.
    pub fn power_up(image: &Image, noise: Noise) -> IsaEngine {
        let mut bytes = Box::new([0; BYTES]);
        for (constant, byte) in (0..=255).zip(&mut bytes[usize::from(CONSTANTS)..]) {
            *byte = constant;
        }
        let mut engine = IsaEngine {
            image: image.clone(),
            is_stop: Box::new([false; PROGRAM_WORDS]),
            bytes,
            registers: Registers::default(),
            cycle: 0,
            halted: false,
            target: 0,
            jumped: false,
            executed: [0; 8],
        };
        engine.put(&State::after_reset(noise));
        engine
    }

    /// Runs as [`Engine::run`] does, but only until `stop` returns true at the beginning of a later cycle that runs one
    /// of the instructions given by [`IsaEngine::stop_at`].
    pub fn run_until(
        &mut self,
        cycles: u64,
        outside: &mut dyn OutputSink,
        mut stop: impl FnMut(&IsaEngine) -> bool,
    ) -> u64 {
        let start = self.cycle;
        while self.cycle - start < cycles && !self.halted {
            self.step(outside);
            if self.is_stop[usize::from(self.registers.pc)] && stop(self) {
                break;
            }
        }
        self.cycle - start
    }

    /// Chooses the instructions, by sequence number, at which [`IsaEngine::run_until`] may stop.
    pub fn stop_at(&mut self, is_stop: &[bool; PROGRAM_WORDS]) {
        *self.is_stop = *is_stop;
    }

    /// Reads an address as a program does: RAM, or an input in its place.
    pub fn reads(&self, address: u16) -> u8 {
        self.bytes[usize::from(address) % RAM_BYTES]
    }

    /// A byte of RAM. Only the lowest 12 bits of the address are used.
    pub fn ram(&self, address: u16) -> u8 {
        self.bytes[stored_at(address & 0xFFF)]
    }

    /// Runs one instruction.
    fn step(&mut self, outside: &mut dyn OutputSink) {
        let Registers { pc, mut a, mut c } = self.registers;
        let word = self.image.word(pc);
        let mut cycle = Cycle { word, number: self.cycle, bytes: &mut self.bytes, outside };
        let Ok(condition) = step(word.opcode(), &mut a, &mut c, &mut cycle);
        let jumps = condition == Some(true);
        let landing = word.landing().filter(|_| jumps);
        let pc_after = landing.unwrap_or((pc + 1) % PROGRAM_WORDS as u16);
        self.registers = Registers { pc: pc_after, a, c };
        self.halted = landing == Some(pc);
        self.cycle += 1;
        self.executed[word.opcode() as usize] += 1;
        (self.target, self.jumped) = (word.x(), jumps);
    }

    fn put(&mut self, state: &State) {
        let (ram, behind_inputs) = state.ram.split_at(usize::from(INPUTS));
        self.bytes[..ram.len()].copy_from_slice(ram);
        self.bytes[BEHIND_INPUTS..][..behind_inputs.len()].copy_from_slice(behind_inputs);
        self.registers = Registers { pc: state.pc, a: state.a, c: state.c };
        (self.cycle, self.halted) = (state.cycle, state.halted);
        (self.target, self.jumped) = (state.target, state.jumped);
    }
}

/// The memory as one cycle accesses it.
struct Cycle<'a> {
    word: Word,
    number: u64,
    bytes: &'a mut [u8; BYTES],
    outside: &'a mut dyn OutputSink,
}

impl Domain for Cycle<'_> {
    type Byte = u8;
    type Bit = bool;
    type Error = Infallible;

    #[inline(always)]
    fn operand(&mut self) -> Result<u8, Infallible> {
        Ok(self.bytes[operand(self.word)])
    }

    #[inline(always)]
    fn store(&mut self, byte: u8) -> Result<(), Infallible> {
        self.bytes[stored_at(self.word.x())] = byte;
        self.outside.stored(self.number, self.word.x(), byte);
        Ok(())
    }

    #[inline(always)]
    fn add(&mut self, one: u8, other: u8) -> Result<(u8, bool), Infallible> {
        Ok(one.overflowing_add(other))
    }

    #[inline(always)]
    fn nor(&mut self, one: u8, other: u8) -> Result<u8, Infallible> {
        Ok(!(one | other))
    }

    #[inline(always)]
    fn shift(&mut self, byte: u8) -> (u8, bool) {
        (byte >> 1, byte & 1 == 1)
    }

    #[inline(always)]
    fn is_zero(&mut self, byte: u8) -> Result<bool, Infallible> {
        Ok(byte == 0)
    }

    fn always(&self) -> bool {
        true
    }
}

impl Engine for IsaEngine {
    fn run(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        Ok(self.run_until(cycles, outside, |_| false))
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn halted(&self) -> bool {
        self.halted
    }

    fn registers(&self) -> Registers {
        self.registers
    }

    fn executed(&self) -> [u64; 8] {
        self.executed
    }

    fn word(&self) -> Word {
        self.image.word(self.registers.pc)
    }

    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled> {
        self.bytes[usize::from(INPUTS)..RAM_BYTES].fill(0);
        self.bytes[usize::from(PADCOL)] = inputs.pad_column();
        self.bytes[usize::from(PADROW)] = inputs.pad_row();
        self.bytes[usize::from(KEYS)] = inputs.keys;
        Ok(())
    }

    fn state(&self) -> State {
        let mut ram = Box::new([0; RAM_BYTES]);
        ram.copy_from_slice(&self.bytes[..RAM_BYTES]);
        let behind_inputs = &mut ram[usize::from(INPUTS)..];
        behind_inputs.copy_from_slice(&self.bytes[BEHIND_INPUTS..][..behind_inputs.len()]);
        let Registers { pc, a, c } = self.registers;
        State {
            cycle: self.cycle,
            pc,
            a,
            c,
            halted: self.halted,
            target: self.target,
            jumped: self.jumped,
            ram,
        }
    }

    fn set_state(&mut self, state: &State) -> Result<(), Unsettled> {
        self.put(state);
        Ok(())
    }
}
