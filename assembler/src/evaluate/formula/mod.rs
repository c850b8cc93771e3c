//! Formulas of contracts: expressions that are not computed but translated, because the bytes of RAM and the registers
//! in them have values only when the program runs. What the assembler knows is computed here, so that only the rest is
//! left to prove.
//!
//! ```text
//!   mod         the translation, operation by operation, and the pieces that it puts together
//!   names       names, calls of the program's functions, and what is in brackets
//!   operators   operators, among them those whose sides are not always computed
//!   functions   what can only stand in formulas, such as `old`
//!   modifies    what `.modifies` lists
//! ```
//!
//! As in other expressions, nothing is nested on the call stack.

mod functions;
mod modifies;
mod names;
mod operators;

pub(crate) use functions::{FORMULA_FUNCTIONS, is_formula_word};

use super::{Effect, Origin, Stage};
use crate::build::{Build, MOST_WORK};
use crate::codes::ErrorCode;
use crate::contract::{Formula, Term};
use crate::source::Span;
use crate::syntax::{Expression, OperationKind, Part, Range};
use crate::table::{Context, NoValue, Value, ValueKind};
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};
use gray1_text::Operator;

/// The maximum number of terms of a formula.
const MOST_TERMS: usize = 20_000;

/// The value of a part of a formula.
#[derive(Clone, Debug)]
enum Piece {
    /// The assembler knows it.
    Known(Value),
    /// The byte at this address of RAM, or the first of several.
    Place { address: i64, before: bool },
    /// A number that was given as an argument without `#`: an address where one is wanted.
    Argument(i64),
    /// The machine has it.
    Terms(Vec<Term>),
}

/// Operations being translated.
struct Stretch {
    at: u32,
    end: u32,
    context: Context,
    /// The position on the stack of the arguments of the function that this is part of.
    arguments: usize,
    then: Then,
}

/// What follows a stretch.
#[derive(Clone, Copy)]
enum Then {
    End,
    /// It was the value of a function: its arguments are not needed any more.
    Leave,
    /// It was the right side of `&&` or `||`.
    Join(&'static Operator),
    /// It was the first branch of a `?`, and here is the other.
    Otherwise {
        at: u32,
        end: u32,
    },
    /// It was the other branch.
    Choose,
}

struct Translation<'b, 'a> {
    build: &'b mut Build<'a>,
    stretches: Vec<Stretch>,
    stack: Vec<Piece>,
    /// Whether there is a time before, to which `old` goes back.
    has_before: bool,
    /// Whether it depends on an argument that is an input, which has no lasting value.
    has_input: bool,
}

impl Build<'_> {
    /// The formula of an expression. `None` if it has none: either that has been reported, or an argument in it is an
    /// input, about which nothing can be promised.
    pub fn formula(&mut self, expression: Expression, context: Context, has_before: bool) -> Option<Formula> {
        let mut translation = Translation::new(self, has_before);
        let translated = translation.translate(expression, context);
        let has_input = translation.has_input;
        translated.ok().map(Formula).filter(|_| !has_input)
    }
}

impl<'b, 'a> Translation<'b, 'a> {
    fn new(build: &'b mut Build<'a>, has_before: bool) -> Translation<'b, 'a> {
        Translation { build, stretches: Vec::new(), stack: Vec::new(), has_before, has_input: false }
    }

    fn translate(&mut self, expression: Expression, context: Context) -> Result<Vec<Term>, NoValue> {
        let piece = self.piece(expression, context)?;
        self.terms(piece, Origin::new(expression.span(context.file), context, Stage::Finished))
    }

    /// Translates an expression whose value need not be a number.
    fn piece(&mut self, expression: Expression, context: Context) -> Result<Piece, NoValue> {
        let Range { start: at, end } = expression.operations;
        self.stretches.push(Stretch { at, end, context, arguments: 0, then: Then::End });
        self.build.evaluation.is_formula = true;
        let outcome = self.run();
        self.build.evaluation.is_formula = false;
        self.build.evaluation.calls.clear();
        self.build.evaluation.stack.clear();
        outcome.and_then(|()| self.pop())
    }

    fn run(&mut self) -> Result<(), NoValue> {
        while let Some(stretch) = self.stretches.last_mut() {
            let (context, arguments) = (stretch.context, stretch.arguments);
            if self.build.is_stopped() || self.build.work > MOST_WORK {
                return Err(self.build.give_up(context));
            }
            if stretch.at == stretch.end {
                self.finish_stretch()?;
                continue;
            }
            let operation = self.build.library.syntax.operations[stretch.at as usize];
            stretch.at += 1;
            self.build.work += 1;
            let span = Span { file: context.file, start: operation.start, end: operation.end };
            let origin = Origin { span, context, stage: Stage::Finished, calls_from: 0, arguments };
            self.apply(operation.kind, origin)?;
        }
        Ok(())
    }

    fn finish_stretch(&mut self) -> Result<(), NoValue> {
        let Some(Stretch { end, context, arguments, then, .. }) = self.stretches.pop() else { return Ok(()) };
        let origin = Origin::new(Span { file: context.file, start: 0, end: 0 }, context, Stage::Finished);
        match then {
            Then::End => {}
            Then::Leave => {
                let value = self.pop()?;
                self.stack.truncate(arguments);
                self.stack.push(value);
                self.build.evaluation.calls.pop();
            }
            Then::Join(operator) => {
                self.combine(2, Term::Infix(operator), self.origin_before(end, origin))?;
            }
            Then::Otherwise { at, end } => {
                self.stretches.push(Stretch { at, end, context, arguments, then: Then::Choose });
            }
            Then::Choose => {
                self.combine(3, Term::Choose, self.origin_before(end, origin))?;
            }
        }
        Ok(())
    }

    /// The origin of the operation before this one, for messages about a whole stretch.
    fn origin_before(&self, end: u32, origin: Origin) -> Origin {
        let last = self.build.library.syntax.operations[end as usize - 1];
        Origin { span: Span { start: last.start, end: last.end, ..origin.span }, ..origin }
    }

    fn pop(&mut self) -> Result<Piece, NoValue> {
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
                if let Piece::Known(Value { kind: ValueKind::Text, .. }) = argument
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
                    Piece::Place { address, .. } => self.build.table.bytes_from(address),
                    _ => 0,
                };
                self.push(Piece::Known(Value::plain(size)), origin)
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

    /// Takes the outcome of something that the assembler computes. If it `is_number`, an address is meant as a number.
    fn known(&mut self, outcome: Result<Effect, NoValue>, is_number: bool) -> Result<(), NoValue> {
        let value = match outcome? {
            Effect::Push(value) => value,
            Effect::Compute(cell) => self.aside(|build| build.cell_value(cell, Stage::Finished))?,
            Effect::Evaluate(expression, context) => {
                let value = self.aside(|build| build.evaluate(expression, context, Stage::Finished))?;
                Value::plain(value.number)
            }
            // At the end, everything that has a value is known.
            Effect::Ask(cell) => {
                let value = self.aside(|build| build.cell_value(cell, Stage::Finished));
                Value::plain(i64::from(value.is_ok()))
            }
            Effect::Skip(_) | Effect::Call(..) => return Err(NoValue::Failed),
        };
        self.stack.push(match value.kind {
            ValueKind::Ram if !is_number => Piece::Place { address: value.number, before: false },
            ValueKind::Ram => Piece::Known(Value::plain(value.number)),
            _ => Piece::Known(value),
        });
        Ok(())
    }

    /// Computes something else in the middle of a formula.
    fn aside<T>(&mut self, compute: impl FnOnce(&mut Build<'a>) -> T) -> T {
        let calls = std::mem::take(&mut self.build.evaluation.calls);
        self.build.evaluation.is_formula = false;
        let computed = compute(self.build);
        self.build.evaluation.is_formula = true;
        self.build.evaluation.calls = calls;
        computed
    }

    /// Takes the last pieces as numbers.
    fn as_numbers(&mut self, count: usize) {
        let first = self.stack.len().saturating_sub(count);
        for piece in &mut self.stack[first..] {
            if let Piece::Argument(number) = *piece {
                *piece = Piece::Known(Value::plain(number));
            }
        }
    }

    /// Takes the last piece as a place in RAM, if it can be one.
    fn as_place(&mut self) {
        if let Some(piece) = self.stack.last_mut()
            && let Piece::Argument(address) = *piece
        {
            *piece = Piece::Place { address, before: false };
        }
    }

    /// Takes a number that is known, from the top of the stack; `None` if it is not known.
    fn number(&mut self) -> Result<Option<i64>, NoValue> {
        self.as_numbers(1);
        Ok(match self.pop()? {
            Piece::Known(Value { number, kind: ValueKind::Plain | ValueKind::Label }) => Some(number),
            _ => None,
        })
    }

    /// Moves this many values, all of which have to be known, to the stack of the evaluation.
    fn known_below(&mut self, count: usize, what: &str, origin: Origin) -> Result<(), NoValue> {
        self.as_numbers(count);
        for piece in self.stack.split_off(self.stack.len().saturating_sub(count)) {
            let Piece::Known(value) = piece else {
                let message = format!("{what} has to be known to the assembler");
                let label = "expected a value without bytes of RAM and registers";
                return self.build.fail(ErrorCode::NotConstant, origin, message, label);
            };
            self.build.evaluation.stack.push(value);
        }
        Ok(())
    }

    /// How many values a pasted name consists of.
    fn parts(&self, pasting: u32) -> usize {
        let parts = self.build.library.syntax.pastings[pasting as usize].iter();
        parts.filter(|part| matches!(part, Part::Value(_))).count()
    }

    fn push(&mut self, piece: Piece, origin: Origin) -> Result<(), NoValue> {
        let length = if let Piece::Terms(terms) = &piece { terms.len() } else { 1 };
        if length > MOST_TERMS {
            let message = format!("this formula has more than {MOST_TERMS} terms");
            let label = "expected a shorter one, with its functions written out";
            return self.build.fail(ErrorCode::TooComplex, origin, message, label);
        }
        self.stack.push(piece);
        Ok(())
    }

    /// The terms of a piece whose value is a number.
    fn terms(&mut self, piece: Piece, origin: Origin) -> Result<Vec<Term>, NoValue> {
        match piece {
            Piece::Known(Value { number, kind: ValueKind::Plain | ValueKind::Label }) => {
                Ok(vec![Term::Number(number)])
            }
            Piece::Known(Value { .. }) => {
                let message = "this is not a number".to_owned();
                self.build.fail(
                    ErrorCode::WrongKind,
                    origin,
                    message,
                    "expected a value, not a text or a table",
                )
            }
            Piece::Argument(number) => Ok(vec![Term::Number(number)]),
            Piece::Place { address, before } => Ok(vec![self.byte_at(address, before, origin)?]),
            Piece::Terms(terms) => Ok(terms),
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
