//! The engine `isa`: runs the program instruction by instruction, with the same results as the chips engine.
//!
//! It is derived from the instruction set, not from the board, so comparing the two is a real test.
//! [`FastEngine::step`] defines what each instruction does.

mod bytes;

use crate::engine::{Engine, Failure, Outside, Registers, Unsettled};
use crate::state::{Inputs, Noise, State};
use bytes::{BEHIND_INPUTS, BYTES, CONSTANTS, operand, stored_at};
use gray1_isa::memory_map::{INPUTS, KEYS, PADCOL, PADROW, RAM_BYTES};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};

/// The machine, instruction by instruction.
#[derive(Clone)]
pub struct FastEngine {
    image: Image,
    /// The instructions before which [`FastEngine::run_until`] may stop.
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

impl FastEngine {
    /// The machine after power-up and reset.
    pub fn power_up(image: &Image, noise: Noise) -> FastEngine {
        let mut bytes = Box::new([0; BYTES]);
        for (constant, byte) in (0..=255).zip(&mut bytes[usize::from(CONSTANTS)..]) {
            *byte = constant;
        }
        let mut engine = FastEngine {
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
    /// of the instructions given by [`FastEngine::stop_at`].
    pub fn run_until(
        &mut self,
        cycles: u64,
        outside: &mut dyn Outside,
        mut stop: impl FnMut(&FastEngine) -> bool,
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

    /// Chooses the instructions, by sequence number, at which [`FastEngine::run_until`] may stop.
    pub fn stop_at(&mut self, is_stop: &[bool; PROGRAM_WORDS]) {
        *self.is_stop = *is_stop;
    }

    /// What a program would read at an address: RAM, or an input in its place.
    pub fn reads(&self, address: u16) -> u8 {
        self.bytes[usize::from(address) % RAM_BYTES]
    }

    /// A byte of RAM. Only the lowest 12 bits of the address are used.
    pub fn ram(&self, address: u16) -> u8 {
        self.bytes[stored_at(address & 0xFFF)]
    }

    /// Runs one instruction.
    fn step(&mut self, outside: &mut dyn Outside) {
        let Registers { pc, a, c } = self.registers;
        let word = self.image.word(pc);
        let value = self.bytes[operand(word)];
        let jumps = match word.opcode() {
            Opcode::Jmp => true,
            Opcode::Jc => c,
            Opcode::Jz => a == 0,
            _ => false,
        };
        match word.opcode() {
            Opcode::Lda => self.registers.a = value,
            Opcode::Sta => {
                self.bytes[stored_at(word.x())] = a;
                outside.stored(self.cycle, word.x(), a);
            }
            Opcode::Add => (self.registers.a, self.registers.c) = a.overflowing_add(value),
            Opcode::Nor => self.registers.a = !(a | value),
            Opcode::Shr => (self.registers.a, self.registers.c) = (value >> 1, value & 1 == 1),
            Opcode::Jmp | Opcode::Jc | Opcode::Jz => {}
        }
        let landing = word.landing().filter(|_| jumps);
        self.registers.pc = landing.unwrap_or((pc + 1) % PROGRAM_WORDS as u16);
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

impl Engine for FastEngine {
    fn run(&mut self, cycles: u64, outside: &mut dyn Outside) -> Result<u64, Failure> {
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
