//! The formulas of contracts, evaluated in a state.

use crate::contracts::levels::{Byte, Outcome};
use crate::contracts::number::{Number, Value};
use crate::contracts::scene::Scene;
use crate::contracts::state::State;
use gray1_assembler::{Formula, Term};
use gray1_machine::logic::{FALSE, Function, TRUE};
use gray1_text::Operator;

impl Scene<'_> {
    /// Returns where a formula holds: where it has a value other than 0. Control is at the word `at`.
    pub fn holds(&mut self, formula: &Formula, state: &State, at: u16) -> Outcome<Function> {
        let Value { number, exists } = self.value_of(formula, state, at)?;
        let truth = self.levels.truth(&number)?;
        self.levels.and(exists, truth)
    }

    /// Evaluates a formula.
    pub fn value_of(&mut self, formula: &Formula, state: &State, at: u16) -> Outcome<Value> {
        let zero = Value { number: Number::constant(0), exists: TRUE };
        let mut stack: Vec<Value> = Vec::new();
        for term in &formula.0 {
            let mut take = || stack.pop().unwrap_or_else(|| zero.clone());
            let value = match *term {
                Term::Prefix(operator) => {
                    let Value { number, exists } = take();
                    Value { number: self.levels.prefix(operator, &number)?, exists }
                }
                Term::Infix(operator) => {
                    let (right, left) = (take(), take());
                    self.infix(operator, left, right)?
                }
                Term::Choose => {
                    let (no, yes, condition) = (take(), take(), take());
                    let which = self.levels.truth(&condition.number)?;
                    let number = self.levels.choose_number(which, &yes.number, &no.number)?;
                    let either = self.levels.choose(which, yes.exists, no.exists)?;
                    Value { number, exists: self.levels.and(condition.exists, either)? }
                }
                Term::Pad => {
                    let row = take();
                    self.pad(&row, state)?
                }
                leaf => Value { number: self.leaf(leaf, state, at)?, exists: TRUE },
            };
            stack.push(value);
        }
        Ok(stack.pop().unwrap_or(zero))
    }

    fn infix(&mut self, operator: &'static Operator, left: Value, right: Value) -> Outcome<Value> {
        let mut value = self.levels.infix(operator, &left.number, &right.number)?;
        // The right side of `&&` and `||` need not have a value where the left side decides.
        let needed = match operator.sign {
            "&&" => self.levels.truth(&left.number)?,
            "||" => !self.levels.truth(&left.number)?,
            _ => TRUE,
        };
        let right = self.levels.or(right.exists, !needed)?;
        let both = self.levels.and(left.exists, right)?;
        value.exists = self.levels.and(value.exists, both)?;
        Ok(value)
    }

    /// Evaluates a term without operands.
    fn leaf(&mut self, term: Term, state: &State, at: u16) -> Outcome<Number> {
        let byte = match term {
            Term::Number(value) => return Ok(Number::constant(value)),
            Term::Byte { address, before } => match state.ram.get(&address) {
                Some(&written) if !before => written,
                _ => self.entry.byte(address, &mut self.variables, &mut self.levels)?,
            },
            Term::A { before: false } => state.a,
            Term::A { before: true } => self.entry.a,
            Term::C { before } => {
                let c = if before { self.entry.c } else { state.c };
                return Ok(Number::from_bits(&[c]));
            }
            Term::Keys => self.last_read(2, state)?,
            Term::At(there) => return Ok(Number::constant(i64::from(there == at))),
            Term::Pad | Term::Prefix(_) | Term::Infix(_) | Term::Choose => {
                return Ok(Number::constant(0)); // these have operands, and are evaluated above
            }
        };
        Ok(Number::from_bits(&byte))
    }

    fn last_read(&mut self, input: usize, state: &State) -> Outcome<Byte> {
        match state.inputs[input] {
            Some(byte) => Ok(byte),
            None => self.variables.prior_read(input, &mut self.levels),
        }
    }

    /// Evaluates `pad(row)`: the columns read last, where that row was read last.
    fn pad(&mut self, row: &Value, state: &State) -> Outcome<Value> {
        let [columns, rows] = [self.last_read(0, state)?, self.last_read(1, state)?];
        let mut is_there = FALSE;
        for (number, pressed) in (0..).zip(rows) {
            let number = Number::constant(number);
            let differ = self.levels.differ_in_number(&row.number, &number)?;
            let here = self.levels.and(!differ, pressed)?;
            is_there = self.levels.or(is_there, here)?;
        }
        let (columns, none) = (Number::from_bits(&columns), Number::constant(0));
        let number = self.levels.choose_number(is_there, &columns, &none)?;
        Ok(Value { number, exists: row.exists })
    }
}
