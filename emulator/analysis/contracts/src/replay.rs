//! The concrete run of a counterexample, instruction by instruction: a contract is refuted only if this run breaks it.

use crate::moment::Moment;
use crate::part::Part;
use crate::trace::is_like;
use gray1_assembler::{Contract, Promise, Term};
use gray1_isa::memory_map::{KEYS, OUT, PADCOL, PADROW};
use gray1_isa::{Image, Opcode, Operand};
use gray1_machine::{Engine, IsaEngine, Noise};
use serde::Serialize;

/// A read of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Read {
    /// The cycle of the instruction that reads.
    pub cycle: u64,
    /// The name of its address.
    pub input: &'static str,
    /// The value that was read.
    pub value: u8,
}

/// The inputs, in the order of [`Moment::before`].
const INPUTS: [(u16, &str); 3] = [(PADCOL, "PADCOL"), (PADROW, "PADROW"), (KEYS, "KEYS")];

/// A run of a machine from a moment on.
pub struct Replay<'a> {
    moment: &'a Moment,
    engine: IsaEngine,
    /// The values that were read last.
    last: [u8; 3],
    /// The reads so far.
    pub reads: Vec<Read>,
    /// Whether a byte was sent.
    has_sent: bool,
}

impl<'a> Replay<'a> {
    fn begin(image: &Image, moment: &'a Moment) -> Replay<'a> {
        let mut engine = IsaEngine::power_up(image, Noise::Zeros);
        let _ = engine.set_state(&moment.state); // it settles in every state
        Replay { moment, engine, last: moment.before, reads: Vec::new(), has_sent: false }
    }

    /// Runs to the cycle of the moment.
    pub fn to_the_end(image: &Image, moment: &'a Moment) -> Replay<'a> {
        let mut replay = Replay::begin(image, moment);
        while replay.engine.cycle() < moment.cycle && replay.step() {}
        replay
    }

    /// Executes an instruction; false if the machine has halted.
    fn step(&mut self) -> bool {
        let (cycle, word) = (self.engine.cycle(), self.engine.word());
        let inputs = self.moment.script.inputs_at(cycle);
        let _ = self.engine.press(inputs); // it settles with all inputs
        let is_done = self.engine.run(1, &mut ()).is_ok_and(|cycles| cycles == 1);
        if word.opcode().row().operand == Operand::Value
            && !word.m()
            && let Some(number) = INPUTS.iter().position(|(address, _)| *address == word.x())
        {
            let value = [inputs.pad_column(), inputs.pad_row(), inputs.keys][number];
            self.last[number] = value;
            self.reads.push(Read { cycle, input: INPUTS[number].1, value });
        }
        self.has_sent |= word.opcode() == Opcode::Sta && word.x() == OUT;
        is_done
    }

    /// The word at which control is.
    pub fn pc(&self) -> u16 {
        self.engine.registers().pc
    }

    /// Whether the machine has halted.
    pub fn halted(&self) -> bool {
        self.engine.halted()
    }

    /// Whether a formula has a value, and one that is not 0.
    pub fn holds(&self, terms: &[Term]) -> bool {
        self.value(terms).is_some_and(|value| value != 0)
    }

    /// The value of a formula, if it has one.
    pub fn value(&self, terms: &[Term]) -> Option<i64> {
        self.evaluate(terms, false)
    }

    /// The value of a formula; RAM, A and C are those at the entry if `at_entry` is set.
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
                    let is_there = (0..8).contains(&row) && self.last[1] >> row & 1 == 1;
                    if is_there { i64::from(self.last[0]) } else { 0 }
                }),
                leaf => Some(self.leaf(leaf, at_entry)),
            };
            stack.push(value);
        }
        stack.pop().flatten()
    }

    fn leaf(&self, term: Term, at_entry: bool) -> i64 {
        let (entry, now) = (&self.moment.state, self.engine.registers());
        match term {
            Term::Number(number) => number,
            Term::Byte { address, before } if before || at_entry => entry.ram[usize::from(address)].into(),
            Term::Byte { address, .. } => self.engine.ram(address).into(),
            Term::A { before } => if before || at_entry { entry.a } else { now.a }.into(),
            Term::C { before } => if before || at_entry { entry.c } else { now.c }.into(),
            Term::Keys => self.last[2].into(),
            Term::At(at) => (now.pc == at).into(),
            Term::Pad | Term::Prefix(_) | Term::Infix(_) | Term::Choose => 0, // these take values
        }
    }
}

/// Whether the run of a counterexample breaks a promise as a proof says: after the cycles of the moment, in a run that
/// `.requires` allows and that has not ended before.
pub fn breaks(
    contract: &Contract,
    part: Part,
    image: &Image,
    moment: &Moment,
    is_end: &dyn Fn(&Replay) -> bool,
) -> bool {
    let mut replay = Replay::begin(image, moment);
    let is_allowed = |replay: &Replay| {
        let mut requires = contract.requires.iter();
        requires.all(|promise| replay.evaluate(&promise.formula.0, true).is_some_and(|value| value != 0))
    };
    let variant = match part {
        Part::Variant(number) => contract.variants.get(number),
        _ => None,
    };
    let arrives = |replay: &Replay| {
        variant.filter(|(at, _)| *at == replay.pc()).and_then(|(_, promise)| replay.value(&promise.formula.0))
    };
    let mut last = None;
    let mut allowed = is_allowed(&replay);
    // A state that repeats with the same inputs repeats for ever.
    let last_change = moment.script.cycles().last().unwrap_or_default();
    let (mut earlier, mut repeats) = (None, false);
    while allowed && !repeats && replay.engine.cycle() < moment.cycle {
        if part == Part::Within && replay.engine.cycle() > last_change {
            repeats = earlier.as_ref().is_some_and(|earlier| is_like(&replay.engine, earlier));
            if earlier.is_none() || replay.engine.cycle().is_power_of_two() {
                earlier = Some(replay.engine.state());
            }
        }
        last = arrives(&replay).or(last);
        let has_ended = replay.engine.cycle() > 0 && is_end(&replay);
        allowed = !has_ended && replay.step() && is_allowed(&replay);
    }
    let (entry, now) = (&moment.state, replay.engine.registers());
    let fails = |promise: &Promise| !replay.holds(&promise.formula.0);
    let fails_at = |(at, promise): &(u16, Promise)| now.pc == *at && fails(promise);
    allowed
        && match part {
            Part::Ensures(number) => is_end(&replay) && fails(&contract.ensures[number]),
            Part::Invariant(number) => fails_at(&contract.invariants[number]),
            Part::Check(number) => fails_at(&contract.checks[number]),
            Part::Variant(number) => {
                let value = arrives(&replay);
                now.pc == contract.variants[number].0
                    && !value.is_some_and(|value| (0..last.unwrap_or(256)).contains(&value))
            }
            Part::Byte(OUT) => is_end(&replay) && replay.has_sent,
            Part::Byte(address) => {
                is_end(&replay) && replay.engine.ram(address) != entry.ram[usize::from(address)]
            }
            Part::A => is_end(&replay) && now.a != entry.a,
            Part::C => is_end(&replay) && now.c != entry.c,
            Part::Within => contract.within.is_some_and(|(most, _)| moment.cycle > most || repeats),
            Part::Halts => replay.halted() && contract.within.is_some(),
            Part::Endless(_) | Part::Shown(..) | Part::HaltOfNoise(_) | Part::Kept(..) | Part::Differs(_) => {
                true
            }
        }
}
