//! A board beside the Gray-1: both run a program, and the first difference is told.

use crate::Refusal;
use crate::run::Assembled;
use gray1_assembler::ShippedProgram;
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, IsaEngine, Noise, Outside, State};

/// The most cycles that a program runs.
const MOST_CYCLES: u64 = 10_000_000;
/// The machines are compared after so many cycles; if they differ, they run again, and then cycle by cycle.
const STRETCH: u64 = 5_000;

/// Runs a program on both until it halts. Returns the cycles that it takes, or the first difference.
pub fn compare(board: &Board, shipped: &ShippedProgram) -> Result<u64, Refusal> {
    let program = Assembled::new(shipped.text)?;
    let mut both = Both::begin(board, &program)?;
    while both.gray1.cycle() < MOST_CYCLES && !both.gray1.halted() {
        let from = both.gray1.cycle();
        if both.run(STRETCH).is_some() {
            let mut again = Both::begin(board, &program)?;
            again.run(from);
            let difference = (0..STRETCH).find_map(|_| again.cycle());
            let how = difference.unwrap_or_else(|| format!("after cycle {from}"));
            return Err(format!("{} goes wrong {how}.", shipped.file).into());
        }
    }
    Ok(both.gray1.cycle())
}

/// The two machines, which have begun in the same state.
struct Both {
    chips: ChipsEngine,
    gray1: IsaEngine,
}

/// The bytes that a machine sends, each with its cycle.
#[derive(Default, PartialEq)]
struct Sent(Vec<(u64, u8)>);

impl Outside for Sent {
    fn output(&mut self, cycle: u64, byte: u8) {
        self.0.push((cycle, byte));
    }
}

impl Both {
    fn begin(board: &Board, program: &Assembled) -> Result<Both, Refusal> {
        // The registers of a board that is not reset well would hold noise: that is told by the claim `reset`.
        let gray1 = IsaEngine::power_up(program.image(), Noise::Random(1));
        let begun = ChipsEngine::power_up(board, program.image(), Noise::Zeros).and_then(|mut chips| {
            chips.set_state(&gray1.state())?;
            Ok(chips)
        });
        let chips = begun.map_err(|why| format!("The Gray-1 with your chips does not start: {why}."))?;
        Ok(Both { chips, gray1 })
    }

    /// Runs both for so many cycles. Returns what is different then.
    fn run(&mut self, cycles: u64) -> Option<String> {
        let (mut sends, mut sent) = (Sent::default(), Sent::default());
        let failure = self.chips.run(cycles, &mut sends).err();
        let failure = failure.or(self.gray1.run(cycles, &mut sent).err());
        let told = |Sent(bytes): Sent| match bytes.last() {
            Some((_, byte)) => format!("the byte {byte}"),
            None => "nothing".to_owned(),
        };
        match failure {
            Some(why) => Some(why.to_string()),
            None if sends != sent => Some(format!("it sends {}, expected {}", told(sends), told(sent))),
            None => different(&self.chips.state(), &self.gray1.state()),
        }
    }

    /// Runs both for a cycle. Returns which it was and what is different, if anything is.
    fn cycle(&mut self) -> Option<String> {
        let (word, State { cycle, pc, a, c, .. }) = (self.gray1.word(), self.gray1.state());
        let how = self.run(1)?;
        Some(format!("in cycle {cycle}: {word} at {pc}, with A = {a} and C = {}: {how}", u8::from(c)))
    }
}

/// What is different, in words.
fn different(ours: &State, theirs: &State) -> Option<String> {
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
    let mut pairs = registers(ours).into_iter().zip(registers(theirs));
    let register = pairs.find_map(|((what, is), (_, expected))| differs(what, is, expected));
    register.or_else(|| {
        let mut bytes = ours.ram.iter().zip(theirs.ram.iter()).enumerate();
        bytes.find_map(|(address, (&is, &expected))| {
            differs(&format!("RAM at ${address:03X}"), is.into(), expected.into())
        })
    })
}
