//! The formulas of contracts, evaluated in a state.

use crate::levels::{Levels, Outcome};
use crate::number::{Arithmetic, Number, Value};
use crate::scene::Scene;
use crate::state::{State, number};
use gray1_assembler::{Formula, Term};
use gray1_text::Operator;

impl<B: Levels> Scene<B> {
    /// Returns where a formula holds: where it has a value other than 0. Control is at the word `at`.
    pub fn holds(&mut self, formula: &Formula, state: &State<B::Level>, at: u16) -> Outcome<B::Level> {
        let Value { number, exists } = self.value_of(formula, state, at)?;
        let truth = Arithmetic(&mut self.levels).truth(&number)?;
        self.levels.and(exists, truth)
    }

    /// Evaluates a formula.
    pub fn value_of(
        &mut self,
        formula: &Formula,
        state: &State<B::Level>,
        at: u16,
    ) -> Outcome<Value<B::Level>> {
        let always = self.levels.constant(true);
        let zero = Value { number: Number::constant(&self.levels, 0), exists: always };
        let mut stack: Vec<Value<B::Level>> = Vec::new();
        for term in &formula.0 {
            let mut take = || stack.pop().unwrap_or_else(|| zero.clone());
            let value = match *term {
                Term::Prefix(operator) => {
                    let Value { number, exists } = take();
                    Value { number: Arithmetic(&mut self.levels).prefix(operator, &number)?, exists }
                }
                Term::Infix(operator) => {
                    let (right, left) = (take(), take());
                    self.infix(operator, left, right)?
                }
                Term::Choose => {
                    let (no, yes, condition) = (take(), take(), take());
                    let which = Arithmetic(&mut self.levels).truth(&condition.number)?;
                    let number = Arithmetic(&mut self.levels).choose(which, &yes.number, &no.number)?;
                    let either = self.levels.choose(which, yes.exists, no.exists)?;
                    Value { number, exists: self.levels.and(condition.exists, either)? }
                }
                Term::Pad => {
                    let row = take();
                    self.pad(&row, state)?
                }
                leaf => Value { number: self.leaf(leaf, state, at)?, exists: always },
            };
            stack.push(value);
        }
        Ok(stack.pop().unwrap_or(zero))
    }

    fn infix(
        &mut self,
        operator: &'static Operator,
        left: Value<B::Level>,
        right: Value<B::Level>,
    ) -> Outcome<Value<B::Level>> {
        let mut value = Arithmetic(&mut self.levels).infix(operator, &left.number, &right.number)?;
        // The right side of `&&` and `||` need not have a value where the left side decides.
        let needed = match operator.sign {
            "&&" => Arithmetic(&mut self.levels).truth(&left.number)?,
            "||" => {
                let decided = Arithmetic(&mut self.levels).truth(&left.number)?;
                self.levels.not(decided)
            }
            _ => self.levels.constant(true),
        };
        let unneeded = self.levels.not(needed);
        let right = self.levels.or(right.exists, unneeded)?;
        let both = self.levels.and(left.exists, right)?;
        value.exists = self.levels.and(value.exists, both)?;
        Ok(value)
    }

    /// Evaluates a term without operands.
    fn leaf(&mut self, term: Term, state: &State<B::Level>, at: u16) -> Outcome<Number<B::Level>> {
        let byte = match term {
            Term::Number(value) => return Ok(Number::constant(&self.levels, value)),
            Term::Byte { address, before } => match state.ram.get(&address) {
                Some(&written) if !before => written,
                _ => self.entry.byte(address, &mut self.variables, &mut self.levels)?,
            },
            Term::A { before: false } => state.a,
            Term::A { before: true } => self.entry.a,
            Term::C { before } => {
                let c = if before { self.entry.c } else { state.c };
                return Ok(Number::from_bits(&self.levels, &[c]));
            }
            Term::Keys => self.last_read(2, state)?,
            Term::At(there) => return Ok(Number::constant(&self.levels, i64::from(there == at))),
            Term::Pad | Term::Prefix(_) | Term::Infix(_) | Term::Choose => {
                return Ok(Number::constant(&self.levels, 0)); // these have operands, and are evaluated above
            }
        };
        Ok(number(&byte, &self.levels))
    }

    fn last_read(&mut self, input: usize, state: &State<B::Level>) -> Outcome<[B::Level; 8]> {
        match state.inputs[input] {
            Some(byte) => Ok(byte),
            None => self.variables.prior_read(input, &mut self.levels),
        }
    }

    /// Evaluates `pad(row)`: the columns read last, where that row was read last.
    fn pad(&mut self, row: &Value<B::Level>, state: &State<B::Level>) -> Outcome<Value<B::Level>> {
        let [columns, rows] = [self.last_read(0, state)?, self.last_read(1, state)?];
        let mut is_there = self.levels.constant(false);
        for (number, pressed) in (0..).zip(rows) {
            let number = Number::constant(&self.levels, number);
            let differ = Arithmetic(&mut self.levels).differ(&row.number, &number)?;
            let equal = self.levels.not(differ);
            let here = self.levels.and(equal, pressed)?;
            is_there = self.levels.or(is_there, here)?;
        }
        let columns = number(&columns, &self.levels);
        let none = Number::constant(&self.levels, 0);
        let number = Arithmetic(&mut self.levels).choose(is_there, &columns, &none)?;
        Ok(Value { number, exists: row.exists })
    }
}
