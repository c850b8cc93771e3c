//! The fast engine: it runs the program instruction by instruction, with the same results as the chips engine.
//!
//! It is derived from the instruction set, not from the board, so comparing the two is a real test.
//! [`FastEngine::step`] defines what each instruction does; [`pairs`] runs two instructions at a time.

mod bytes;
mod pairs;
mod ways;

use crate::engine::{Engine, Failure, Outside, Registers, Unsettled};
use crate::state::{Inputs, Noise, State};
use bytes::{BEHIND_INPUTS, BYTES, CONSTANTS, operand};
use gray1_isa::memory_map::{INPUTS, KEYS, PADCOL, PADROW, RAM_BYTES};
use gray1_isa::{Image, Opcode, PROGRAM_WORDS, Word};
use pairs::{CODES, Machine, Pairs};
use ways::Note;
pub use ways::Ways;

/// The machine, instruction by instruction.
#[derive(Clone)]
pub struct FastEngine {
    image: Image,
    pairs: Pairs,
    bytes: Box<[u8; BYTES]>,
    registers: Registers,
    cycle: u64,
    halted: bool,
    target: u16,
    jumped: bool,
    /// Instructions run one at a time, by opcode.
    stepped: [u64; 8],
    /// Pairs run, by code.
    runs: [u64; CODES],
    /// Which ways its conditional jumps went, if that is recorded.
    ways: Option<Ways>,
}

/// The machine of a [`FastEngine`], for an engine that runs parts of the program instead of it.
pub struct Parts<'a> {
    /// RAM, with the inputs in their place; stores go where [`FastEngine::stored_at`] says.
    pub bytes: &'a mut [u8; BYTES],
    #[allow(missing_docs)]
    pub registers: &'a mut Registers,
    /// The cycles run since reset.
    pub cycle: &'a mut u64,
    /// How often each instruction has been run, by opcode.
    pub executed: &'a mut [u64; 8],
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
            pairs: Pairs::decode(image, &[false; PROGRAM_WORDS]),
            bytes,
            registers: Registers::default(),
            cycle: 0,
            halted: false,
            target: 0,
            jumped: false,
            stepped: [0; 8],
            runs: [0; CODES],
            ways: None,
        };
        engine.put(&State::after_reset(noise));
        engine
    }

    /// Runs as [`Engine::run`] does, but only until `stop` returns true at the beginning of a later cycle that runs one
    /// of the instructions given by [`FastEngine::stop_at`]. After that, [`Engine::state`] does not have the contents
    /// of the latches that no program can see.
    pub fn run_until(
        &mut self,
        cycles: u64,
        outside: &mut dyn Outside,
        mut stop: impl FnMut(&FastEngine) -> bool,
    ) -> u64 {
        let start = self.cycle;
        let mut asked = start;
        loop {
            let left = cycles - (self.cycle - start);
            if !self.halted && !self.pairs.is_stop(self.registers.pc) {
                self.run_pairs(left.saturating_sub(1), outside);
            }
            if self.pairs.is_stop(self.registers.pc) && self.cycle > asked {
                asked = self.cycle;
                if stop(self) {
                    break;
                }
            }
            if self.cycle - start == cycles || self.halted {
                break;
            }
            self.step(outside);
        }
        self.cycle - start
    }

    /// Chooses the instructions, by sequence number, at which [`FastEngine::run_until`] may stop: all others run at
    /// full speed.
    pub fn stop_at(&mut self, is_stop: &[bool; PROGRAM_WORDS]) {
        self.pairs = Pairs::decode(&self.image, is_stop);
    }

    /// What a program would read at an address: RAM, or an input in its place.
    pub fn reads(&self, address: u16) -> u8 {
        self.bytes[usize::from(address) % RAM_BYTES]
    }

    /// A byte of RAM. Only the lowest 12 bits of the address are used.
    pub fn ram(&self, address: u16) -> u8 {
        self.bytes[FastEngine::stored_at(address & 0xFFF)]
    }

    /// The index of the byte that a store writes; a store to the address of an input writes the cell behind it.
    pub fn stored_at(address: u16) -> usize {
        bytes::stored_at(address)
    }

    /// The parts of this machine, for an engine that runs parts of the program instead of it.
    pub fn parts(&mut self) -> Parts<'_> {
        Parts {
            bytes: &mut self.bytes,
            registers: &mut self.registers,
            cycle: &mut self.cycle,
            executed: &mut self.stepped,
        }
    }

    /// Records from now on which ways conditional jumps go. With the program and the place where a run begins that is
    /// the whole way of the run.
    pub fn record_ways(&mut self) {
        self.ways = Some(Ways::default());
    }

    /// The ways that conditional jumps went since this was last called, if they are recorded.
    pub fn take_ways(&mut self) -> Ways {
        self.ways.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Runs up to `cycles` instructions, and stops before those that are left to [`FastEngine::step`].
    fn run_pairs(&mut self, cycles: u64, outside: &mut dyn Outside) {
        let FastEngine { pairs, bytes, registers, cycle, runs, ways, .. } = self;
        let machine = Machine { bytes, registers, cycle, runs };
        match ways {
            None => pairs.run(machine, cycles, outside, &mut ()),
            Some(ways) => pairs.run(machine, cycles, outside, ways),
        }
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
        if let Some(ways) = &mut self.ways
            && matches!(word.opcode(), Opcode::Jc | Opcode::Jz)
        {
            ways.note(jumps);
        }
        match word.opcode() {
            Opcode::Lda => self.registers.a = value,
            Opcode::Sta => {
                self.bytes[FastEngine::stored_at(word.x())] = a;
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
        self.stepped[word.opcode() as usize] += 1;
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
        let start = self.cycle;
        while self.cycle - start < cycles && !self.halted {
            self.run_pairs(cycles - (self.cycle - start) - 1, outside);
            if !self.halted {
                self.step(outside);
            }
        }
        Ok(self.cycle - start)
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
        let mut executed = self.stepped;
        pairs::count(&self.runs, &mut executed);
        executed
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
