//! The concrete run of a witness, instruction by instruction: a contract is refuted only if this run breaks it.

use crate::contracts::access::{INPUT_NAMES, input_of};
use crate::contracts::trace::is_in_state;
use crate::contracts::violation::Violation;
use crate::contracts::witness::Witness;
use gray1_assembler::{Contract, Promise, Term};
use gray1_isa::memory_map::OUT;
use gray1_isa::{Image, Opcode};
use gray1_machine::{Engine, IsaEngine, Noise};
use serde::Serialize;

/// A read of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The cycle of the instruction that reads.
    pub cycle: u64,
    /// The name of the input.
    pub input: &'static str,
    /// The value that was read.
    pub value: u8,
}

/// A run from the initial state of a witness.
pub struct Replay<'a> {
    witness: &'a Witness,
    engine: IsaEngine,
    /// The values read last.
    last_read: [u8; 3],
    /// The reads so far.
    pub reads: Vec<Read>,
    /// Whether a byte was sent.
    has_sent: bool,
}

impl<'a> Replay<'a> {
    fn begin(image: &Image, witness: &'a Witness) -> Replay<'a> {
        let mut engine = IsaEngine::power_up(image, Noise::Zeros);
        let _ = engine.set_state(&witness.state); // it settles in every state
        Replay { witness, engine, last_read: witness.prior_reads, reads: Vec::new(), has_sent: false }
    }

    /// Runs to the cycle of the witness.
    pub fn run(image: &Image, witness: &'a Witness) -> Replay<'a> {
        let mut replay = Replay::begin(image, witness);
        while replay.engine.cycle() < witness.cycle && replay.step() {}
        replay
    }

    /// Executes an instruction. Returns false if the machine has halted.
    fn step(&mut self) -> bool {
        let (cycle, word) = (self.engine.cycle(), self.engine.word());
        let inputs = self.witness.script.inputs_at(cycle);
        let _ = self.engine.press(inputs); // it settles with all inputs
        let is_done = self.engine.run(1, &mut ()).is_ok_and(|cycles| cycles == 1);
        if let Some(input) = input_of(word) {
            let value = [inputs.pad_column(), inputs.pad_row(), inputs.keys][input];
            self.last_read[input] = value;
            self.reads.push(Read { cycle, input: INPUT_NAMES[input].1, value });
        }
        self.has_sent |= word.opcode() == Opcode::Sta && word.x() == OUT;
        is_done
    }

    /// Returns the word at which control is.
    pub fn pc(&self) -> u16 {
        self.engine.registers().pc
    }

    /// Whether the machine has halted.
    pub fn halted(&self) -> bool {
        self.engine.halted()
    }

    /// Whether the machine has the registers and the RAM of another, and has not halted.
    pub fn is_in_state_of(&self, other: &Replay) -> bool {
        is_in_state(&self.engine, &other.engine.state()) && !self.halted()
    }

    /// Whether a formula has a value, and one that is not 0.
    pub fn holds(&self, terms: &[Term]) -> bool {
        self.value(terms).is_some_and(|value| value != 0)
    }

    /// Evaluates a formula, if it has a value.
    pub fn value(&self, terms: &[Term]) -> Option<i64> {
        self.evaluate(terms, false)
    }

    /// Evaluates a formula. If `at_entry` is set, RAM, A and C have their values at the entry.
    fn evaluate(&self, terms: &[Term], at_entry: bool) -> Option<i64> {
        let mut stack: Vec<Option<i64>> = Vec::new();
        for term in terms {
            let mut take = || stack.pop().flatten();
            let value = match *term {
                Term::Prefix(operator) => take().and_then(|value| (operator.apply)(value).ok()),
                Term::Infix(operator) => {
                    let (right, left) = (take(), take());
                    match (operator.sign, left) {
                        ("&&", Some(0)) => Some(0),
                        ("||", Some(value)) if value != 0 => Some(1),
                        _ => left.zip(right).and_then(|(left, right)| (operator.apply)(left, right).ok()),
                    }
                }
                Term::Choose => {
                    let (no, yes, condition) = (take(), take(), take());
                    condition.and_then(|condition| if condition != 0 { yes } else { no })
                }
                Term::Pad => take().map(|row| {
                    let is_there = (0..8).contains(&row) && self.last_read[1] >> row & 1 == 1;
                    if is_there { i64::from(self.last_read[0]) } else { 0 }
                }),
                leaf => Some(self.leaf(leaf, at_entry)),
            };
            stack.push(value);
        }
        stack.pop().flatten()
    }

    /// Whether a clause does not hold now; variants and `.within` need the whole run.
    fn is_broken(&self, contract: &Contract, violation: Violation, is_end: &dyn Fn(&Replay) -> bool) -> bool {
        let (entry, now) = (&self.witness.state, self.engine.registers());
        let fails = |promise: &Promise| !self.holds(&promise.formula.0);
        let fails_at = |(at, promise): &(u16, Promise)| now.pc == *at && fails(promise);
        match violation {
            Violation::Ensures(number) => is_end(self) && fails(&contract.ensures[number]),
            Violation::Invariant(number) => fails_at(&contract.invariants[number]),
            Violation::Check(number) => fails_at(&contract.checks[number]),
            Violation::Byte(OUT) => is_end(self) && self.has_sent,
            Violation::Byte(address) => {
                is_end(self) && self.engine.ram(address) != entry.ram[usize::from(address)]
            }
            Violation::A => is_end(self) && now.a != entry.a,
            Violation::C => is_end(self) && now.c != entry.c,
            Violation::Halts => self.halted() && contract.within.is_some(),
            Violation::Variant(_)
            | Violation::Within
            | Violation::Endless(_)
            | Violation::NoisyStore(..)
            | Violation::NoisyHalt(_)
            | Violation::NoisyByte(..)
            | Violation::StoresDiffer(_) => true,
        }
    }

    fn leaf(&self, term: Term, at_entry: bool) -> i64 {
        let (entry, now) = (&self.witness.state, self.engine.registers());
        match term {
            Term::Number(number) => number,
            Term::Byte { address, before } if before || at_entry => entry.ram[usize::from(address)].into(),
            Term::Byte { address, .. } => self.engine.ram(address).into(),
            Term::A { before } => if before || at_entry { entry.a } else { now.a }.into(),
            Term::C { before } => if before || at_entry { entry.c } else { now.c }.into(),
            Term::Keys => self.last_read[2].into(),
            Term::At(at) => (now.pc == at).into(),
            Term::Pad | Term::Prefix(_) | Term::Infix(_) | Term::Choose => 0, // these have operands
        }
    }
}

/// Whether the run of a witness breaks a clause at the cycle of interest. `.requires` has to hold, and the run must not
/// have ended before.
pub fn breaks(
    contract: &Contract,
    violation: Violation,
    image: &Image,
    witness: &Witness,
    is_end: &dyn Fn(&Replay) -> bool,
) -> bool {
    let mut replay = Replay::begin(image, witness);
    let is_allowed = |replay: &Replay| {
        let mut requires = contract.requires.iter();
        requires.all(|promise| replay.evaluate(&promise.formula.0, true).is_some_and(|value| value != 0))
    };
    let arrives = |replay: &Replay| match violation {
        Violation::Variant(number) => {
            let (at, promise) = &contract.variants[number];
            (*at == replay.pc()).then(|| replay.value(&promise.formula.0)).flatten()
        }
        _ => None,
    };
    let mut last = None;
    let mut allowed = is_allowed(&replay);
    // A state that repeats with the same inputs repeats for ever.
    let last_change = witness.script.cycles().last().unwrap_or_default();
    let (mut earlier, mut repeats) = (None, false);
    while allowed && !repeats && replay.engine.cycle() < witness.cycle {
        if violation == Violation::Within && replay.engine.cycle() > last_change {
            repeats = earlier.as_ref().is_some_and(|earlier| is_in_state(&replay.engine, earlier));
            if earlier.is_none() || replay.engine.cycle().is_power_of_two() {
                earlier = Some(replay.engine.state());
            }
        }
        last = arrives(&replay).or(last);
        let has_ended = replay.engine.cycle() > 0 && is_end(&replay);
        allowed = !has_ended && replay.step() && is_allowed(&replay);
    }
    allowed
        && match violation {
            Violation::Variant(number) => {
                replay.pc() == contract.variants[number].0
                    && !arrives(&replay).is_some_and(|value| (0..last.unwrap_or(256)).contains(&value))
            }
            Violation::Within => contract.within.is_some_and(|(most, _)| witness.cycle > most || repeats),
            _ => replay.is_broken(contract, violation, is_end),
        }
}
