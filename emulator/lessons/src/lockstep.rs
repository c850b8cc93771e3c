//! Runs a program on a board and on the engine isa, and reports the first difference.

use crate::Refusal;
use crate::refusal::refuse;
use crate::run::AssembledProgram;
use gray1_assembler::ShippedProgram;
use gray1_isa::Image;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Inputs, IsaEngine, Noise, OutputSink, State};

/// The maximum number of cycles of a run.
const MAX_CYCLES: u64 = 10_000_000;
/// The states are compared at this interval, in cycles. After a difference, the interval is repeated cycle by cycle.
const COMPARE_INTERVAL: u64 = 5_000;

/// Runs a program on both machines until it halts. Returns its number of cycles, or the first difference.
pub fn compare(board: &Board, shipped: &ShippedProgram) -> Result<u64, Refusal> {
    let program = AssembledProgram::new(shipped.text)?;
    let start = || Lockstep::start(board, program.image(), Inputs::default());
    let mut machines = start()?;
    while machines.gray1.cycle() < MAX_CYCLES && !machines.gray1.halted() {
        let from = machines.gray1.cycle();
        if machines.run(COMPARE_INTERVAL).is_some() {
            let mut again = start()?;
            again.run(from);
            let difference = (0..COMPARE_INTERVAL).find_map(|_| again.step());
            let place = difference.unwrap_or_else(|| format!("after cycle {from}"));
            refuse!("{} goes wrong {place}.", shipped.file);
        }
    }
    Ok(machines.gray1.cycle())
}

/// The two machines, started in the same state.
pub struct Lockstep {
    chips: ChipsEngine,
    gray1: IsaEngine,
}

/// Records the bytes that a machine sends, with their cycles.
#[derive(Default, PartialEq)]
struct OutputLog(Vec<(u64, u8)>);

impl OutputSink for OutputLog {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.0.push((cycle, byte));
    }
}

impl Lockstep {
    /// Starts a program with these inputs, which are held.
    pub fn start(board: &Board, image: &Image, inputs: Inputs) -> Result<Lockstep, Refusal> {
        // A faulty reset would leave noise in the registers. The claim `reset` covers that.
        let mut gray1 = IsaEngine::power_up(image, Noise::Random(1));
        let chips = ChipsEngine::power_up(board, image, Noise::Zeros).and_then(|mut chips| {
            chips.set_state(&gray1.state())?;
            gray1.press(inputs)?;
            chips.press(inputs)?;
            Ok(chips)
        });
        let chips = chips.map_err(|error| format!("The Gray-1 with your chips does not start: {error}."))?;
        Ok(Lockstep { chips, gray1 })
    }

    /// Runs both machines for a number of cycles. Returns the difference, if any.
    fn run(&mut self, cycles: u64) -> Option<String> {
        let (mut found, mut expected) = (OutputLog::default(), OutputLog::default());
        let failure = self.chips.run(cycles, &mut found).err();
        let failure = failure.or(self.gray1.run(cycles, &mut expected).err());
        let last_byte = |OutputLog(bytes): OutputLog| match bytes.last() {
            Some((_, byte)) => format!("the byte {byte}"),
            None => "nothing".to_owned(),
        };
        match failure {
            Some(failure) => Some(failure.to_string()),
            None if found != expected => {
                Some(format!("it sends {}, expected {}", last_byte(found), last_byte(expected)))
            }
            None => describe_difference(&self.chips.state(), &self.gray1.state()),
        }
    }

    /// Runs both machines for a cycle. Returns a description of the cycle and the difference, if any.
    pub fn step(&mut self) -> Option<String> {
        let (word, State { cycle, pc, a, c, .. }) = (self.gray1.word(), self.gray1.state());
        let difference = self.run(1)?;
        Some(format!("in cycle {cycle}: {word} at {pc}, with A = {a} and C = {}: {difference}", u8::from(c)))
    }
}

/// Describes the first difference between two states.
fn describe_difference(found: &State, expected: &State) -> Option<String> {
    let registers = |state: &State| {
        [
            ("A", u32::from(state.a)),
            ("C", u32::from(state.c)),
            ("the program counter", u32::from(state.pc)),
            ("the master of LOAD", u32::from(state.jumped)),
            ("the target latch", u32::from(state.target)),
            ("the halt", u32::from(state.halted)),
        ]
    };
    let differs = |what: &str, is: u32, expected: u32| {
        (is != expected).then(|| format!("then {what} is {is}, expected {expected}"))
    };
    let mut pairs = registers(found).into_iter().zip(registers(expected));
    let register = pairs.find_map(|((what, is), (_, expected))| differs(what, is, expected));
    register.or_else(|| {
        let mut bytes = found.ram.iter().zip(expected.ram.iter()).enumerate();
        bytes.find_map(|(address, (&is, &expected))| {
            differs(&format!("RAM at ${address:03X}"), is.into(), expected.into())
        })
    })
}
