//! Formulas of contracts. The bytes of RAM and the registers in them have values only at run time, so these expressions
//! are partially evaluated: the evaluator computes the constant parts, and translates the rest to terms.
//!
//! ```text
//!   mod         the operations that differ from those of other expressions; the kinds of values
//!   names       names, calls of the program's functions, indexes
//!   operators   operators, with short circuits
//!   functions   the functions of formulas, such as `old`
//!   modifies    the operands of `.modifies`
//! ```

mod functions;
mod modifies;
mod names;
mod operators;

pub(crate) use functions::{FORMULA_FUNCTIONS, is_formula_word};

use super::evaluation::FormulaState;
use super::{Effect, Origin};
use crate::codes::ErrorCode;
use crate::contract::{Formula, Term};
use crate::evaluate::build::Build;
use crate::syntax::{Expression, OperationKind, Part};
use crate::table::{Context, NoValue, Value, ValueKind};
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};

/// The maximum number of terms in a formula.
const MAX_TERMS: usize = 20_000;

impl Build<'_> {
    /// Translates an expression; `None` if it has an error, which has been reported, or if an argument in it is an input, on
    /// which there are no contracts.
    pub fn formula(&mut self, expression: Expression, context: Context, has_before: bool) -> Option<Formula> {
        let value = self.formula_value(expression, context, has_before);
        self.evaluation.at = Origin::new(expression.span(context.file), context);
        let terms = value.and_then(|value| self.terms(value));
        terms.ok().map(Formula).filter(|_| !self.evaluation.formula.has_input)
    }

    /// Evaluates a formula whose value need not be a number.
    fn formula_value(
        &mut self,
        expression: Expression,
        context: Context,
        has_before: bool,
    ) -> Result<Value, NoValue> {
        self.evaluation.formula = FormulaState { has_before, ..FormulaState::default() };
        self.evaluate_frame(expression, context, true)
    }

    pub(super) fn apply_in_formula(&mut self, kind: OperationKind) -> Result<Effect, NoValue> {
        let value = match kind {
            OperationKind::Name(name)
            | OperationKind::NameOrText(name)
            | OperationKind::ValueOrText(name) => self.formula_name(name, kind)?,
            OperationKind::Paste { pasting, .. } => {
                self.require_constants(self.parts(pasting), 0, "part of a name")?;
                self.constant(kind)?
            }
            OperationKind::Call(written, count) => return self.formula_call(written, count as usize),
            OperationKind::Index => self.formula_index()?,
            OperationKind::Byte { constant, name } => {
                self.require_constants(1, 0, "the number of a byte")?;
                let number = self.pop()?.number;
                self.formula_byte(self.is_constant(constant, name), number)?
            }
            OperationKind::Length | OperationKind::Gray => {
                self.require_constants(1, 0, "this")?;
                self.constant(kind)?
            }
            OperationKind::Prefix(operator) => self.operator(1, Term::Prefix(operator), kind)?,
            OperationKind::Infix(operator) => self.operator(2, Term::Infix(operator), kind)?,
            OperationKind::Truth => self.formula_truth()?,
            OperationKind::Shortcut { .. } | OperationKind::Choose(_) if self.is_last_constant() => {
                return self.apply(kind);
            }
            OperationKind::Shortcut { decided_by, skip } => return self.formula_shortcut(decided_by, skip),
            OperationKind::Choose(skip) => return self.formula_choice(skip),
            OperationKind::Skip(skip) => return Ok(Effect::Skip(skip)),
            OperationKind::Number { .. }
            | OperationKind::Here
            | OperationKind::Text(_)
            | OperationKind::Argument { .. }
            | OperationKind::Size
            | OperationKind::IsConst(_)
            | OperationKind::IsKnown(_) => self.constant(kind)?,
        };
        Ok(Effect::Push(value))
    }

    /// Applies an operation as in other expressions, and computes at once what it needs.
    fn constant(&mut self, kind: OperationKind) -> Result<Value, NoValue> {
        match self.apply(kind)? {
            Effect::Push(value) => Ok(value),
            Effect::Compute(cell) => self.cell_value(cell),
            Effect::Probe(cell) => Ok(Value::plain(i64::from(self.cell_value(cell).is_ok()))),
            Effect::Evaluate(expression, context) => {
                Ok(Value::plain(self.evaluate(expression, context)?.number))
            }
            Effect::Skip(_) | Effect::Call(..) => Err(NoValue::Failed),
        }
    }

    /// The last values on the stack, without the `above` ones at its end.
    fn last_values(&mut self, count: usize, above: usize) -> &mut [Value] {
        let end = self.evaluation.stack.len().saturating_sub(above);
        &mut self.evaluation.stack[end.saturating_sub(count)..end]
    }

    /// Converts arguments among the last values to numbers.
    fn as_numbers(&mut self, count: usize) {
        for value in self.last_values(count, 0) {
            value.kind = if value.kind == ValueKind::Argument { ValueKind::Plain } else { value.kind };
        }
    }

    /// Converts the last value to a number if it is an argument; returns whether it is constant.
    fn is_last_constant(&mut self) -> bool {
        self.as_numbers(1);
        self.last_values(1, 0).iter().all(Value::is_constant)
    }

    /// Converts the last value to a byte of RAM, if it is an argument; returns it if it is a byte of RAM.
    fn as_place(&mut self) -> Option<Value> {
        let value = self.evaluation.stack.last_mut()?;
        if value.kind == ValueKind::Argument {
            value.kind = ValueKind::Ram;
        }
        Some(*value).filter(|value| matches!(value.kind, ValueKind::Ram | ValueKind::Before))
    }

    /// Reports values that are not constant, among the last without the `above` ones at the end of the stack.
    fn require_constants(&mut self, count: usize, above: usize, what: &str) -> Result<(), NoValue> {
        if self.last_values(count, above).iter().all(Value::is_constant) {
            return Ok(());
        }
        let message = format!("{what} has to be known to the assembler");
        let label = "expected a value without bytes of RAM and registers";
        self.fail(ErrorCode::NotConstant, message, label)
    }

    /// The number of values in a pasted name.
    fn parts(&self, pasting: u32) -> usize {
        let parts = self.library.syntax.pastings[pasting as usize].iter();
        parts.filter(|part| matches!(part, Part::Value(_))).count()
    }

    /// Makes a value at run time.
    pub(super) fn new_terms(&mut self, terms: Vec<Term>) -> Result<Value, NoValue> {
        if terms.len() > MAX_TERMS {
            let message = format!("this formula has more than {MAX_TERMS} terms");
            let label = "expected a shorter one, with its functions written out";
            return self.fail(ErrorCode::TooComplex, message, label);
        }
        let number = self.evaluation.formula.terms.len() as u32;
        self.evaluation.formula.terms.push(terms);
        Ok(Value { number: 0, kind: ValueKind::Terms(number) })
    }

    /// Converts a value, which is used up, to terms. It must be a number.
    fn terms(&mut self, Value { number, kind }: Value) -> Result<Vec<Term>, NoValue> {
        match kind {
            ValueKind::Plain | ValueKind::Label | ValueKind::Argument => Ok(vec![Term::Number(number)]),
            ValueKind::Ram | ValueKind::Before => Ok(vec![self.byte_at(number, kind == ValueKind::Before)?]),
            ValueKind::Terms(terms) => Ok(std::mem::take(&mut self.evaluation.formula.terms[terms as usize])),
            ValueKind::Text | ValueKind::Table(_) => {
                let message = "this is not a number";
                self.fail(ErrorCode::WrongKind, message, "expected a value, not a text or a table")
            }
        }
    }

    fn byte_at(&mut self, address: i64, before: bool) -> Result<Term, NoValue> {
        match u16::try_from(address).ok().filter(|&address| usize::from(address) < RAM_BYTES) {
            Some(address) if address < INPUTS || self.evaluation.formula.has_input => {
                Ok(Term::Byte { address, before })
            }
            Some(address) => self.no_lasting_value(&format!("${address:03X}")),
            None => {
                let message = format!("there is no RAM address {address}");
                self.fail(ErrorCode::AddressRange, message, "expected 0..$FFF")
            }
        }
    }

    fn no_lasting_value<T>(&mut self, input: &str) -> Result<T, NoValue> {
        let message = format!("{input} is an input, which has no lasting value");
        let label = "expected `keys` or `pad(row)`: what the program has read last";
        self.fail(ErrorCode::WrongKind, message, label)
    }
}

impl Value {
    /// Whether it is known to the assembler.
    fn is_constant(&self) -> bool {
        !matches!(self.kind, ValueKind::Ram | ValueKind::Before | ValueKind::Terms(_))
    }
}
