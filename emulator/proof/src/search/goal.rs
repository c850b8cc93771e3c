//! The goal of a search: the results that a sequence has to compute (A, cells, the carry, and whether to jump), and the
//! names that it must not change.

use crate::search::code::{CELLS, EndState, FIRST_OWN, Instruction, run};
use crate::search::expression::{Expression, ExpressionError, Inputs, Name};
use std::collections::BTreeSet;
use thiserror::Error;

/// The goal of a search.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The formulas, at most one for each destination.
    results: Vec<(Destination, Expression)>,
    /// The names whose values must be the same at the end as at the beginning.
    keep: Vec<Name>,
}

/// The destination of a formula's value. The carry is 1, and a jump is taken, if the value is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    Name(Name),
    Jump,
}

/// An error in a goal.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // the messages describe them
pub enum GoalError {
    #[error("{0}")]
    Expression(#[from] ExpressionError),
    #[error(
        "write what to compute: it begins with `a = `, `x = `, `y = `, `c = ` or `jump if `; commas separate several"
    )]
    Beginning,
    #[error("{0} is computed twice: write one formula for it")]
    Twice(Name),
    #[error("two jumps: write one condition, such as `a | x == 0`")]
    TwoJumps,
    #[error("{0} is the result: it cannot be kept")]
    KeptResult(Name),
    #[error("c cannot be kept; only a, x and y can")]
    KeptCarry,
}

/// The least and the most cycles of a sequence.
pub type Cycles = [u32; 2];

/// The names of the cells that are inputs and results.
pub(crate) const CELL_NAMES: [Name; FIRST_OWN] = [Name::X, Name::Y];

impl Goal {
    /// Parses a goal: `a = a & x`, `x = x + 1`, `c = a < x`, `jump if a < x`, or several, separated by commas. By
    /// default x and y are kept unless they are a result.
    pub fn parse(text: &str, keep: Option<&[Name]>) -> Result<Goal, GoalError> {
        let mut results = Vec::<(Destination, Expression)>::new();
        for (start, part) in parts(text) {
            let (place, formula) = split(part)?;
            let expression = Expression::parse(&part[formula..])
                .map_err(|error| error.after(text[..start + formula].chars().count()))?;
            if results.iter().any(|(other, _)| *other == place) {
                return Err(match place {
                    Destination::Name(name) => GoalError::Twice(name),
                    Destination::Jump => GoalError::TwoJumps,
                });
            }
            results.push((place, expression));
        }
        let is_result = |name: &Name| results.iter().any(|(place, _)| *place == Destination::Name(*name));
        let keep = match keep {
            Some(keep) => match keep.iter().find(|name| is_result(name)) {
                Some(kept) => return Err(GoalError::KeptResult(*kept)),
                None if keep.contains(&Name::C) => return Err(GoalError::KeptCarry),
                None => keep.to_vec(),
            },
            None => CELL_NAMES.into_iter().filter(|name| !is_result(name)).collect(),
        };
        Ok(Goal { results, keep })
    }

    /// Returns the formula for a destination.
    pub(crate) fn result(&self, place: Destination) -> Option<&Expression> {
        self.results.iter().find(|(other, _)| *other == place).map(|(_, expression)| expression)
    }

    /// Whether some formula depends on a name.
    pub(crate) fn uses(&self, name: Name) -> bool {
        self.results.iter().any(|(_, expression)| expression.names().contains(&name))
    }

    /// Whether a cell is an input or a result.
    pub(crate) fn has_cell(&self, cell: usize) -> bool {
        let name = CELL_NAMES[cell];
        self.result(Destination::Name(name)).is_some() || self.uses(name)
    }

    pub(crate) fn keeps(&self, name: Name) -> bool {
        self.keep.contains(&name)
    }

    /// Whether a cell may be written.
    pub(crate) fn may_store(&self, cell: usize) -> bool {
        cell >= FIRST_OWN || self.has_cell(cell) && !self.keeps(CELL_NAMES[cell])
    }

    fn is_reached(&self, inputs: &Inputs, outcome: &EndState) -> bool {
        let has = |place: Destination, value: u8| match place {
            Destination::Name(Name::A) => outcome.a == value,
            Destination::Name(Name::X) => outcome.cells[0] == Some(value),
            Destination::Name(Name::Y) => outcome.cells[1] == Some(value),
            Destination::Name(Name::C) => outcome.carry == Some(value != 0),
            Destination::Jump => outcome.jumped == (value != 0),
        };
        self.results.iter().all(|(place, expression)| has(*place, expression.value(inputs)))
            && self.keep.iter().all(|name| has(Destination::Name(*name), inputs.of(*name)))
    }

    /// Returns the numbers in the formulas.
    pub(crate) fn numbers(&self) -> Vec<u8> {
        self.results.iter().flat_map(|(_, expression)| expression.numbers()).collect()
    }

    /// Returns the most likely constants: the numbers of the formulas, and some derived from them.
    pub(crate) fn few_constants(&self) -> Vec<u8> {
        let numbers = self.numbers();
        let near = |number: u8| [number, number.wrapping_sub(1), number.wrapping_add(1)];
        let of_formula = numbers.iter().flat_map(|number| [*number, number.wrapping_neg(), !number]);
        sorted(of_formula.chain([0, 0x80]).flat_map(near))
    }

    /// Returns likely constants: the few, and powers of two, masks of the lowest and of the highest bits, and the
    /// complements and negatives of these.
    pub(crate) fn likely_constants(&self) -> Vec<u8> {
        let of_bits = |bit: u32| {
            let power = 1u8 << bit;
            [power, !power, power - 1, power.wrapping_neg()]
        };
        sorted(self.few_constants().into_iter().chain((0..8).flat_map(of_bits)))
    }

    /// Whether some instruction has to read a cell. Without a read, a cell keeps its initial value or gets a value that does
    /// not depend on it, and no other result depends on it. Only 65,536 pairs of states are tried, so the answer may be a
    /// wrong no, but never a wrong yes.
    pub(crate) fn must_read(&self, cell: usize) -> bool {
        let name = CELL_NAMES[cell];
        (0..1 << 16).any(|number: u32| {
            let [_, a, x, y] = number.wrapping_mul(0x9E37_79B1).to_be_bytes();
            let inputs = Inputs { a, x, y, c: number & 1 == 1 };
            let mut other = inputs;
            let changed = if name == Name::X { &mut other.x } else { &mut other.y };
            *changed ^= 1 << (number >> 5 & 7);
            self.results.iter().any(|(place, expression)| {
                let [one, two] = [expression.value(&inputs), expression.value(&other)];
                match place {
                    Destination::Jump | Destination::Name(Name::C) => (one != 0) != (two != 0),
                    Destination::Name(own) if *own == name => one != two && one != inputs.of(name),
                    Destination::Name(_) => one != two,
                }
            })
        })
    }

    /// Runs a sequence from every possible state. Returns its cycles if it always reaches the goal, otherwise a state in
    /// which it fails.
    pub(crate) fn prove(&self, steps: &[Instruction]) -> Result<Cycles, Inputs> {
        // A cell that is neither an input nor a result is never read or written.
        let range = |cell: usize| if self.has_cell(cell) { 256u32 } else { 1 };
        let [of_x, of_y] = [0, 1].map(range);
        // If the goal does not depend on A, instructions that read A follow one that loads it. An addition that only
        // sets the carry is the exception.
        let sets_carry = self.result(Destination::Name(Name::C)).is_some();
        let of_a = if self.uses(Name::A) || self.keeps(Name::A) || sets_carry { 256 } else { 4 };
        let all = of_a * of_x * of_y * if self.uses(Name::C) { 2 } else { 1 };
        let mut cycles = [u32::MAX, 0];
        // The order of the states is scattered, so that a wrong sequence fails soon. The stride is coprime to `all`, so
        // every state is tried.
        let mut number = 0;
        for _ in 0..all {
            number = (number + 0x009E_3779) % all;
            let mut rest = number;
            let mut next = |range: u32| {
                let value = rest % range;
                rest /= range;
                // The value of an unused name does not matter.
                if range == 1 { 0xA7 } else { value as u8 }
            };
            let [a, x, y] = [next(of_a), next(of_x), next(of_y)];
            let inputs = Inputs { a, x, y, c: next(2) == 1 };
            let outcome = run(steps, &inputs, self.uses(Name::C)).ok_or(inputs)?;
            if !self.is_reached(&inputs, &outcome) {
                return Err(inputs);
            }
            cycles = [cycles[0].min(outcome.cycles), cycles[1].max(outcome.cycles)];
        }
        Ok(cycles)
    }
}

/// Returns the number of cells that a sequence with this many temporaries may use.
pub(crate) fn cells(temporaries: usize) -> usize {
    (FIRST_OWN + temporaries).min(CELLS.len())
}

/// Returns the constants in ascending order, each once.
fn sorted(constants: impl Iterator<Item = u8>) -> Vec<u8> {
    constants.collect::<BTreeSet<u8>>().into_iter().collect()
}

/// Splits a goal at its commas outside parentheses; returns the trimmed parts with their positions.
fn parts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut depth, mut start) = (0usize, 0);
    let parts = text.split(move |letter| {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    parts.map(move |part| {
        let begin = start + part.len() - part.trim_start().len();
        start += part.len() + 1;
        (begin, part.trim())
    })
}

/// Parses the destination of a part; also returns the position at which its formula begins.
fn split(part: &str) -> Result<(Destination, usize), GoalError> {
    let words = part.strip_prefix("jump").and_then(|rest| rest.trim_start().strip_prefix("if"));
    match (words, part.split_once('=')) {
        (Some(condition), _) if !condition.starts_with(|letter: char| letter.is_ascii_alphanumeric()) => {
            Ok((Destination::Jump, part.len() - condition.len()))
        }
        (_, Some((place, formula))) => match Name::parse(place.trim()) {
            Some(name) => Ok((Destination::Name(name), part.len() - formula.len())),
            None => Err(GoalError::Beginning),
        },
        _ => Err(GoalError::Beginning),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_isa::Opcode;

    /// A regression test: these sequences passed when only a few values of A, and one of x, were tried.
    #[test]
    fn a_proof_covers_every_value_that_a_sequence_may_read() {
        for (goal, steps) in [
            ("c = 0", &[Instruction::Constant(Opcode::Add, 252)][..]),
            ("x = $A7", &[]),
            (
                "x = 5, c = 1",
                &[
                    Instruction::Cell(Opcode::Shr, 0),
                    Instruction::Constant(Opcode::Lda, 5),
                    Instruction::Store(0),
                ],
            ),
        ] {
            assert!(Goal::parse(goal, None).expect(goal).prove(steps).is_err(), "{goal}");
        }
    }
}
