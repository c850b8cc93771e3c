//! The goal of a search: what a sequence has to compute (a value in A or in a cell, or whether to jump), and what it
//! must not change.

use crate::code::{CELLS, FIRST_OWN, Outcome, Step, run};
use crate::expression::{Expression, ExpressionError, Inputs, Name};
use thiserror::Error;

/// What a sequence has to compute.
#[derive(Clone, Debug)]
pub struct Goal {
    pub(crate) result: Result,
    pub(crate) expression: Expression,
    /// The names whose values must be the same at the end as at the beginning.
    pub(crate) keep: Vec<Name>,
}

/// Where the value of the formula has to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Result {
    Accumulator,
    Cell(usize),
    Jump,
}

/// An error in a goal.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // each says what it means
pub enum GoalError {
    #[error("{0}")]
    Expression(#[from] ExpressionError),
    #[error("write what to compute: it begins with `a = `, `x = `, `y = ` or `jump if `")]
    Beginning,
    #[error("{0} is the result: it cannot be kept")]
    KeptResult(Name),
    #[error("c cannot be kept; only a, x and y can")]
    KeptCarry,
}

/// The fewest and the most cycles that a sequence takes.
pub type Cycles = [u32; 2];

impl Goal {
    /// Parses a goal: `a = a & x`, `x = x + 1`, `jump if a < x`. By default x and y are kept unless they are the
    /// result.
    pub fn parse(text: &str, keep: Option<&[Name]>) -> std::result::Result<Goal, GoalError> {
        let whole = text;
        let text = text.trim();
        let words = text.strip_prefix("jump").and_then(|rest| rest.trim_start().strip_prefix("if"));
        let (name, formula) = match (words, text.split_once('=')) {
            (Some(condition), _) if !condition.starts_with(|letter: char| letter.is_ascii_alphanumeric()) => {
                (None, condition)
            }
            (_, Some((place, formula))) => match Name::parse(place.trim()) {
                Some(Name::C) | None => return Err(GoalError::Beginning),
                name => (name, formula),
            },
            _ => return Err(GoalError::Beginning),
        };
        let before = whole.trim_end().chars().count() - formula.chars().count();
        let expression = Expression::parse(formula).map_err(|error| error.after(before))?;
        let result = match name {
            None => Result::Jump,
            Some(Name::A) => Result::Accumulator,
            Some(cell) => Result::Cell(usize::from(cell == Name::Y)),
        };
        let keep = match keep {
            Some(keep) => match keep.iter().find(|kept| Some(**kept) == name) {
                Some(kept) => return Err(GoalError::KeptResult(*kept)),
                None if keep.contains(&Name::C) => return Err(GoalError::KeptCarry),
                None => keep.to_vec(),
            },
            None => [Name::X, Name::Y].into_iter().filter(|kept| Some(*kept) != name).collect(),
        };
        Ok(Goal { result, expression, keep })
    }

    /// Whether a name has a value before the sequence.
    pub(crate) fn uses(&self, name: Name) -> bool {
        self.expression.names().contains(&name)
    }

    /// Whether a cell holds an input, or takes the result.
    pub(crate) fn has_cell(&self, cell: usize) -> bool {
        self.result == Result::Cell(cell) || self.uses([Name::X, Name::Y][cell])
    }

    pub(crate) fn keeps(&self, name: Name) -> bool {
        self.keep.contains(&name)
    }

    /// Whether a cell may be written.
    pub(crate) fn may_store(&self, cell: usize) -> bool {
        cell >= FIRST_OWN || self.has_cell(cell) && !self.keeps([Name::X, Name::Y][cell])
    }

    fn is_reached(&self, inputs: &Inputs, outcome: &Outcome) -> bool {
        let value = self.expression.value(inputs);
        let is_there = match self.result {
            Result::Accumulator => outcome.a == value,
            Result::Cell(cell) => outcome.cells[cell] == Some(value),
            Result::Jump => outcome.jumped == (value != 0),
        };
        let is_kept = |name: &Name| match name {
            Name::A => outcome.a == inputs.a,
            Name::X => outcome.cells[0] == Some(inputs.x),
            Name::Y => outcome.cells[1] == Some(inputs.y),
            Name::C => true,
        };
        is_there && self.keep.iter().all(is_kept)
    }

    /// Likely constants: those of the formula, and some derived from them.
    pub(crate) fn few_constants(&self) -> Vec<u8> {
        let numbers = self.expression.numbers();
        let near = |number: u8| [number, number.wrapping_sub(1), number.wrapping_add(1)];
        let of_formula = numbers.iter().flat_map(|number| [*number, number.wrapping_neg(), !number]);
        let mut constants: Vec<u8> = of_formula.chain([0, 0x80]).flat_map(near).collect();
        constants.sort_unstable();
        constants.dedup();
        constants
    }

    /// Whether the value of the formula depends on a name, judged by 65,536 states.
    pub(crate) fn depends_on(&self, name: Name) -> bool {
        (0..1 << 16).any(|number: u32| {
            let [_, a, x, y] = number.wrapping_mul(0x9E37_79B1).to_be_bytes();
            let inputs = Inputs { a, x, y, c: number & 1 == 1 };
            let mut other = inputs;
            match name {
                Name::A => other.a ^= 1 << (number >> 5 & 7),
                Name::X => other.x ^= 1 << (number >> 5 & 7),
                Name::Y => other.y ^= 1 << (number >> 5 & 7),
                Name::C => other.c ^= true,
            }
            self.expression.value(&inputs) != self.expression.value(&other)
        })
    }

    /// Runs a sequence from every possible state. Returns the cycles that it takes if it always reaches the goal, or
    /// else a state in which it fails.
    pub(crate) fn prove(&self, steps: &[Step]) -> std::result::Result<Cycles, Inputs> {
        let range = |name: Name| if self.uses(name) { 256u32 } else { 1 };
        // If the goal does not depend on A, a few values of A are enough to check that A makes no difference.
        let of_a = if self.uses(Name::A) || self.keeps(Name::A) { 256 } else { 4 };
        let all = of_a * range(Name::X) * range(Name::Y) * if self.uses(Name::C) { 2 } else { 1 };
        let mut cycles = [u32::MAX, 0];
        // States in a scattered order, so that a wrong sequence fails soon. The step has no divisor in common with
        // `all`, so every state is tried.
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
            let [a, x, y] = [next(of_a), next(range(Name::X)), next(range(Name::Y))];
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

/// The number of cells that a sequence with this many temporaries may use.
pub(crate) fn cells(own: usize) -> usize {
    (FIRST_OWN + own).min(CELLS.len())
}
