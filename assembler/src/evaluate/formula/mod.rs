//! Formulas of contracts. The bytes of RAM and the registers in them have values only at run time, so these expressions
//! are partially evaluated: the assembler computes the constant parts, and translates the rest to terms.
//!
//! ```text
//!   mod         the translation, operation by operation
//!   names       names, calls of the program's functions, indexes
//!   operators   operators, with short circuits
//!   functions   the functions of formulas, such as `old`
//!   modifies    the operands of `.modifies`
//! ```
//!
//! As in other expressions, nothing is nested on the call stack.

mod functions;
mod modifies;
mod names;
mod operators;

pub(crate) use functions::{FORMULA_FUNCTIONS, is_formula_word};

use super::{Effect, Origin, Stage};
use crate::build::{Build, MAX_WORK};
use crate::codes::ErrorCode;
use crate::contract::{Formula, Term};
use crate::source::Span;
use crate::syntax::{Expression, OperationKind, Part, Range};
use crate::table::{Context, NoValue, Value, ValueKind};
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};
use gray1_text::Operator;

/// The maximum number of terms in a formula.
const MAX_TERMS: usize = 20_000;

/// The partial value of an operand.
#[derive(Clone, Debug)]
enum PartialValue {
    /// A constant.
    Known(Value),
    /// The byte at this address of RAM, or the first of several.
    Place { address: i64, before: bool },
    /// A number that is an argument without `#`: an address where one is expected.
    Argument(i64),
    /// A value at run time.
    Terms(Vec<Term>),
}

/// Operations in translation.
struct TermFrame {
    at: u32,
    end: u32,
    context: Context,
    /// The position on the stack of the arguments of their function.
    arguments: usize,
    continuation: Continuation,
}

/// The continuation after the operations of a frame.
#[derive(Clone, Copy)]
enum Continuation {
    End,
    /// After the value of a function: remove its arguments.
    Leave,
    /// After the right side of `&&` or `||`: combine both sides.
    Join(&'static Operator),
    /// After the first branch of a `?`: translate the other.
    ElseBranch {
        at: u32,
        end: u32,
    },
    /// After the other branch: combine all three.
    Choose,
}

struct Translation<'b, 'a> {
    build: &'b mut Build<'a>,
    frames: Vec<TermFrame>,
    stack: Vec<PartialValue>,
    /// Set if there is an entry to which `old` refers.
    has_before: bool,
    /// Set if it depends on an argument that is an input, which has no lasting value.
    has_input: bool,
}

impl Build<'_> {
    /// Translates an expression; `None` if it has an error, which has been reported, or if an argument in it is an input, on
    /// which there are no contracts.
    pub fn formula(&mut self, expression: Expression, context: Context, has_before: bool) -> Option<Formula> {
        let mut translation = Translation::new(self, has_before);
        let translated = translation.translate(expression, context);
        let has_input = translation.has_input;
        translated.ok().map(Formula).filter(|_| !has_input)
    }
}

impl<'b, 'a> Translation<'b, 'a> {
    fn new(build: &'b mut Build<'a>, has_before: bool) -> Translation<'b, 'a> {
        Translation { build, frames: Vec::new(), stack: Vec::new(), has_before, has_input: false }
    }

    fn translate(&mut self, expression: Expression, context: Context) -> Result<Vec<Term>, NoValue> {
        let value = self.value(expression, context)?;
        self.terms(value, Origin::new(expression.span(context.file), context, Stage::Finished))
    }

    /// Translates an expression whose value need not be a number.
    fn value(&mut self, expression: Expression, context: Context) -> Result<PartialValue, NoValue> {
        let Range { start: at, end } = expression.operations;
        self.frames.push(TermFrame { at, end, context, arguments: 0, continuation: Continuation::End });
        self.build.evaluation.is_formula = true;
        let outcome = self.run();
        self.build.evaluation.is_formula = false;
        self.build.evaluation.calls.clear();
        self.build.evaluation.stack.clear();
        outcome.and_then(|()| self.pop())
    }

    fn run(&mut self) -> Result<(), NoValue> {
        while let Some(frame) = self.frames.last_mut() {
            let (context, arguments) = (frame.context, frame.arguments);
            if self.build.is_stopped() || self.build.work > MAX_WORK {
                return Err(self.build.give_up(context));
            }
            if frame.at == frame.end {
                self.finish_frame()?;
                continue;
            }
            let operation = self.build.library.syntax.operations[frame.at as usize];
            frame.at += 1;
            self.build.work += 1;
            let span = Span { file: context.file, start: operation.start, end: operation.end };
            let origin = Origin { span, context, stage: Stage::Finished, calls_from: 0, arguments };
            self.apply(operation.kind, origin)?;
        }
        Ok(())
    }

    fn finish_frame(&mut self) -> Result<(), NoValue> {
        let Some(TermFrame { end, context, arguments, continuation, .. }) = self.frames.pop() else {
            return Ok(());
        };
        let origin = Origin::new(Span { file: context.file, start: 0, end: 0 }, context, Stage::Finished);
        match continuation {
            Continuation::End => {}
            Continuation::Leave => {
                let value = self.pop()?;
                self.stack.truncate(arguments);
                self.stack.push(value);
                self.build.evaluation.calls.pop();
            }
            Continuation::Join(operator) => {
                self.combine(2, Term::Infix(operator), self.origin_before(end, origin))?;
            }
            Continuation::ElseBranch { at, end } => {
                self.frames.push(TermFrame {
                    at,
                    end,
                    context,
                    arguments,
                    continuation: Continuation::Choose,
                });
            }
            Continuation::Choose => {
                self.combine(3, Term::Choose, self.origin_before(end, origin))?;
            }
        }
        Ok(())
    }

    /// The origin of the operation before `end`, for messages about a whole operand.
    fn origin_before(&self, end: u32, origin: Origin) -> Origin {
        let last = self.build.library.syntax.operations[end as usize - 1];
        Origin { span: Span { start: last.start, end: last.end, ..origin.span }, ..origin }
    }

    fn pop(&mut self) -> Result<PartialValue, NoValue> {
        self.stack.pop().ok_or(NoValue::Failed)
    }

    fn apply(&mut self, kind: OperationKind, origin: Origin) -> Result<(), NoValue> {
        match kind {
            OperationKind::Name(name)
            | OperationKind::NameOrText(name)
            | OperationKind::ValueOrText(name) => self.name(name, kind, origin),
            OperationKind::Paste(pasting) => {
                self.known_below(self.parts(pasting), "part of a name", origin)?;
                let outcome = self.build.apply(kind, origin);
                self.known(outcome, false)
            }
            OperationKind::Argument { index, may_be_text } => {
                let argument = self.stack.get(origin.arguments + index as usize).cloned();
                let argument = argument.ok_or(NoValue::Failed)?;
                if let PartialValue::Known(Value { kind: ValueKind::Text, .. }) = argument
                    && !may_be_text
                {
                    return self.build.text_argument(origin);
                }
                self.push(argument, origin)
            }
            OperationKind::Call(written, count) => self.call(written, count as usize, origin),
            OperationKind::Index => self.index(origin),
            OperationKind::Byte { constant, name } => {
                self.known_below(1, "the number of a byte", origin)?;
                let number = self.build.pop()?.number;
                let binding = name.and_then(|name| self.build.table.binding(origin.context.scope, name));
                let constant = constant || binding.is_some_and(|binding| binding.immediate);
                self.byte(constant, number, origin)
            }
            OperationKind::Size => {
                let size = match self.pop()? {
                    PartialValue::Place { address, .. } => self.build.table.bytes_from(address),
                    _ => 0,
                };
                self.push(PartialValue::Known(Value::plain(size)), origin)
            }
            OperationKind::Length | OperationKind::Gray => {
                self.known_below(1, "this", origin)?;
                let outcome = self.build.apply(kind, origin);
                self.known(outcome, false)
            }
            OperationKind::Prefix(operator) => self.operator(1, Term::Prefix(operator), kind, origin),
            OperationKind::Infix(operator) => self.operator(2, Term::Infix(operator), kind, origin),
            OperationKind::Truth => self.truth(origin),
            OperationKind::Shortcut { decided_by, skip } => self.shortcut(decided_by, skip),
            OperationKind::Choose(skip) => self.choose(skip),
            OperationKind::Skip(skip) => self.skip(skip),
            OperationKind::Number { .. }
            | OperationKind::Here
            | OperationKind::Text(_)
            | OperationKind::IsConst(_)
            | OperationKind::IsKnown(_) => {
                let outcome = self.build.apply(kind, origin);
                self.known(outcome, true)
            }
        }
    }

    /// Takes a result of the evaluator. If it `is_number`, an address is a number.
    fn known(&mut self, outcome: Result<Effect, NoValue>, is_number: bool) -> Result<(), NoValue> {
        let value = match outcome? {
            Effect::Push(value) => value,
            Effect::Compute(cell) => self.aside(|build| build.cell_value(cell, Stage::Finished))?,
            Effect::Evaluate(expression, context) => {
                let value = self.aside(|build| build.evaluate(expression, context, Stage::Finished))?;
                Value::plain(value.number)
            }
            // After expansion, all values are known.
            Effect::Probe(cell) => {
                let value = self.aside(|build| build.cell_value(cell, Stage::Finished));
                Value::plain(i64::from(value.is_ok()))
            }
            Effect::Skip(_) | Effect::Call(..) => return Err(NoValue::Failed),
        };
        self.stack.push(match value.kind {
            ValueKind::Ram if !is_number => PartialValue::Place { address: value.number, before: false },
            ValueKind::Ram => PartialValue::Known(Value::plain(value.number)),
            _ => PartialValue::Known(value),
        });
        Ok(())
    }

    /// Evaluates an ordinary expression within a formula.
    fn aside<T>(&mut self, compute: impl FnOnce(&mut Build<'a>) -> T) -> T {
        let calls = std::mem::take(&mut self.build.evaluation.calls);
        self.build.evaluation.is_formula = false;
        let computed = compute(self.build);
        self.build.evaluation.is_formula = true;
        self.build.evaluation.calls = calls;
        computed
    }

    /// Converts the last arguments to numbers.
    fn as_numbers(&mut self, count: usize) {
        let first = self.stack.len().saturating_sub(count);
        for value in &mut self.stack[first..] {
            if let PartialValue::Argument(number) = *value {
                *value = PartialValue::Known(Value::plain(number));
            }
        }
    }

    /// Converts the last argument to a place in RAM.
    fn as_place(&mut self) {
        if let Some(value) = self.stack.last_mut()
            && let PartialValue::Argument(address) = *value
        {
            *value = PartialValue::Place { address, before: false };
        }
    }

    /// Pops a constant; `None` if the value is not constant.
    fn number(&mut self) -> Result<Option<i64>, NoValue> {
        self.as_numbers(1);
        Ok(match self.pop()? {
            PartialValue::Known(Value { number, kind: ValueKind::Plain | ValueKind::Label }) => Some(number),
            _ => None,
        })
    }

    /// Moves values, all of which must be constant, to the stack of the evaluator.
    fn known_below(&mut self, count: usize, what: &str, origin: Origin) -> Result<(), NoValue> {
        self.as_numbers(count);
        for value in self.stack.split_off(self.stack.len().saturating_sub(count)) {
            let PartialValue::Known(value) = value else {
                let message = format!("{what} has to be known to the assembler");
                let label = "expected a value without bytes of RAM and registers";
                return self.build.fail(ErrorCode::NotConstant, origin, message, label);
            };
            self.build.evaluation.stack.push(value);
        }
        Ok(())
    }

    /// The number of values in a pasted name.
    fn parts(&self, pasting: u32) -> usize {
        let parts = self.build.library.syntax.pastings[pasting as usize].iter();
        parts.filter(|part| matches!(part, Part::Value(_))).count()
    }

    fn push(&mut self, value: PartialValue, origin: Origin) -> Result<(), NoValue> {
        let length = if let PartialValue::Terms(terms) = &value { terms.len() } else { 1 };
        if length > MAX_TERMS {
            let message = format!("this formula has more than {MAX_TERMS} terms");
            let label = "expected a shorter one, with its functions written out";
            return self.build.fail(ErrorCode::TooComplex, origin, message, label);
        }
        self.stack.push(value);
        Ok(())
    }

    /// Converts a value to terms. It must be a number.
    fn terms(&mut self, value: PartialValue, origin: Origin) -> Result<Vec<Term>, NoValue> {
        match value {
            PartialValue::Known(Value { number, kind: ValueKind::Plain | ValueKind::Label }) => {
                Ok(vec![Term::Number(number)])
            }
            PartialValue::Known(Value { .. }) => {
                let message = "this is not a number".to_owned();
                self.build.fail(
                    ErrorCode::WrongKind,
                    origin,
                    message,
                    "expected a value, not a text or a table",
                )
            }
            PartialValue::Argument(number) => Ok(vec![Term::Number(number)]),
            PartialValue::Place { address, before } => Ok(vec![self.byte_at(address, before, origin)?]),
            PartialValue::Terms(terms) => Ok(terms),
        }
    }

    fn byte_at(&mut self, address: i64, before: bool, origin: Origin) -> Result<Term, NoValue> {
        match u16::try_from(address).ok().filter(|&address| usize::from(address) < RAM_BYTES) {
            Some(address) if address < INPUTS || self.has_input => Ok(Term::Byte { address, before }),
            Some(address) => {
                let message = format!("${address:03X} is an input, which has no lasting value");
                let label = "expected `keys` or `pad(row)`: what the program has read last";
                self.build.fail(ErrorCode::WrongKind, origin, message, label)
            }
            None => {
                let message = format!("there is no RAM address {address}");
                self.build.fail(ErrorCode::AddressRange, origin, message, "expected 0..$FFF")
            }
        }
    }
}
