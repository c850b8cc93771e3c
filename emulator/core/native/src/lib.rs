//! The native engine: translates a whole program of the Gray-1 to machine code.
//!
//! ```
//! use gray1_isa::{Image, Opcode, Word};
//! use gray1_machine::{Engine, Noise};
//! use gray1_native::NativeEngine;
//!
//! // Counts to 256 in A, forever.
//! let image = Image::from_words([Word::constant(Opcode::Add, 1), Word::jump(Opcode::Jmp, 0)]);
//! # if !NativeEngine::IS_SUPPORTED { return Ok(()) }
//! let mut machine = NativeEngine::power_up(&image, Noise::Zeros)?;
//! machine.run(1_000_001, &mut ())?;
//! assert_eq!((machine.cycle(), machine.registers().a), (1_000_001, (500_001 % 256) as u8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   instructions   the cycles of a program, by the instruction set
//!   forest         the entries of a graph of cycles, and the trees of straight-line code that begin there
//!   uses           liveness: the bytes that later cycles of a trace read and overwrite
//!   x64            translates trees to machine code, and calls it
//! ```
//!
//! A program has no indirect addressing and cannot change itself, so every word of it is known before it runs. The
//! machine itself is a [`FastEngine`]: the translated code works on its bytes and registers. The rare cases are left to
//! the `FastEngine`: the rest of a run that might be shorter than the next tree, the last instruction of each run, and
//! halts. So the state that no program can read is computed in one place only.

#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod forest;
mod instructions;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod uses;
#[cfg(target_arch = "x86_64")]
mod x64;

#[cfg(not(target_arch = "x86_64"))]
use elsewhere::Translated;
use forest::MOST_STEPS;
use gray1_isa::{Image, PROGRAM_WORDS, Word};
use gray1_machine::evaluated::{Code, Functions, Graph, Running};
use gray1_machine::{
    Engine, Failure, FastEngine, Inputs, Noise, Outside, Parts, Registers, State, Unsettled,
};
use std::io;
#[cfg(target_arch = "x86_64")]
use x64::Translated;

/// Translates evaluated cycles; `None` if that is not possible on this computer.
pub fn translate(graph: &Graph) -> Option<Box<dyn Code>> {
    let code = Translated::new(graph, &vec![false; graph.nodes.len()]).ok()?;
    Some(Box::new(code))
}

/// A program, translated, with places where its runs may be stopped.
pub struct TranslatedProgram {
    code: Translated,
    is_stop: Box<[bool; PROGRAM_WORDS]>,
}

impl TranslatedProgram {
    /// Translates a program, to be stopped at these places, by sequence number. Fails if programs cannot be translated
    /// for this processor, or if the operating system provides no memory for code.
    pub fn new(image: &Image, is_stop: &[bool; PROGRAM_WORDS]) -> io::Result<TranslatedProgram> {
        let mut functions = Functions::default();
        let nodes = instructions::nodes(image, &mut functions).unwrap_or_default();
        let graph = Graph { functions: &functions, nodes, homes: [instructions::A, instructions::C] };
        Ok(TranslatedProgram { code: Translated::new(&graph, is_stop)?, is_stop: Box::new(*is_stop) })
    }

    /// Runs a machine with this program as [`FastEngine::run_until`] does. [`FastEngine::stop_at`] must have been
    /// called with the same places.
    pub fn run_until(
        &mut self,
        machine: &mut FastEngine,
        cycles: u64,
        outside: &mut dyn Outside,
        mut stop: impl FnMut(&FastEngine) -> bool,
    ) -> u64 {
        let start = machine.cycle();
        let mut asked = start;
        loop {
            let left = cycles - (machine.cycle() - start);
            let is_stop = self.is_stop[usize::from(machine.registers().pc) % PROGRAM_WORDS];
            if is_stop && machine.cycle() > asked {
                asked = machine.cycle();
                if stop(machine) {
                    return cycles - left;
                }
            }
            if left == 0 || machine.halted() {
                return cycles - left;
            }
            // The last instruction, and one that halts, is run by the fast engine, which also computes the state that
            // no program can read.
            if left == 1 || self.run(machine.parts(), left - 1, outside) == 0 {
                let few = if left <= MOST_STEPS as u64 { left } else { 1 };
                machine.run_until(few, outside, |_| true);
            }
        }
    }
}

impl TranslatedProgram {
    /// Lets the code run up to so many cycles. Returns how many it has run.
    fn run(&mut self, parts: Parts, cycles: u64, outside: &mut dyn Outside) -> u64 {
        let Parts { bytes, registers, cycle, executed } = parts;
        let [a, c] = [instructions::A, instructions::C].map(usize::from);
        (bytes[a], bytes[c]) = (registers.a, registers.c.into());
        let running = Running { bytes, cycle: *cycle, executed };
        let (ran, node) = self.code.run(running, registers.pc.into(), cycles, outside);
        *cycle += ran;
        *registers = Registers { pc: node as u16, a: bytes[a], c: bytes[c] != 0 };
        ran
    }
}

/// A machine with a translated program.
pub struct NativeEngine {
    machine: FastEngine,
    translation: TranslatedProgram,
}

impl NativeEngine {
    /// Whether programs can be translated for this processor.
    pub const IS_SUPPORTED: bool = cfg!(target_arch = "x86_64");

    /// The machine after power-up and reset. Fails if the operating system provides no memory for code.
    pub fn power_up(image: &Image, noise: Noise) -> io::Result<NativeEngine> {
        let translation = TranslatedProgram::new(image, &[false; PROGRAM_WORDS])?;
        Ok(NativeEngine { machine: FastEngine::power_up(image, noise), translation })
    }
}

impl Engine for NativeEngine {
    fn run(&mut self, cycles: u64, outside: &mut dyn Outside) -> Result<u64, Failure> {
        Ok(self.translation.run_until(&mut self.machine, cycles, outside, |_| false))
    }

    fn cycle(&self) -> u64 {
        self.machine.cycle()
    }

    fn halted(&self) -> bool {
        self.machine.halted()
    }

    fn registers(&self) -> Registers {
        self.machine.registers()
    }

    fn word(&self) -> Word {
        self.machine.word()
    }

    fn executed(&self) -> [u64; 8] {
        self.machine.executed()
    }

    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled> {
        self.machine.press(inputs)
    }

    fn state(&self) -> State {
        self.machine.state()
    }

    fn set_state(&mut self, state: &State) -> Result<(), Unsettled> {
        self.machine.set_state(state)
    }
}
