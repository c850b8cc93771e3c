//! Computes expressions. A name that has no value yet is computed first, on a stack of its own, so that a
//! chain of a hundred thousand constants takes no more of the real stack than one.

use crate::build::{Build, MOST_WORK};
use crate::codes::{ErrorCode, Warning};
use crate::diagnostic::Diagnostic;
use crate::expansion::{Expansion, ExpansionKind};
use crate::names::{MOST_CANDIDATES, Name, is_name, shorten};
use crate::source::Span;
use crate::syntax::{
    ArithmeticError, Expression, FUNCTIONS, Operation, OperationKind, Part, Range, Statement, StatementKind,
    WrittenName,
};
use crate::table::{Binding, Blocker, BoundValue, CellState, Context, NoValue, SymbolKind, Value, ValueKind};
use gray1_isa::{PROGRAM_WORDS, gray};

/// The longest name that pasting may make: a loop can make very many of them.
const LONGEST_PASTED: usize = 100;
/// Functions may call functions this deeply.
const DEEPEST_CALL: usize = 256;
/// How much work it is to call a function, beside its operations.
const CALL_WORK: u64 = 8;
const SEQUENCE_NUMBERS: i64 = PROGRAM_WORDS as i64;

/// Whether all names are known by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The program is still being expanded: a name not known yet may come later.
    Expanding,
    /// All definitions have been seen.
    Finished,
}

/// Where an operation stands, what its value depends on, and how far the program is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub span: Span,
    pub context: Context,
    pub stage: Stage,
    /// The function calls that it is part of: those of [`Build::calls`] from here on.
    pub calls_from: usize,
    /// Where on the stack the arguments of the function are that it is part of.
    pub arguments: usize,
}

/// A cell, an expression or the value of a function being computed.
struct Frame {
    at: u32,
    end: u32,
    context: Context,
    cell: Option<u32>,
    calls_from: usize,
    /// For a function, where its arguments begin on the stack.
    arguments: Option<usize>,
}

/// What follows from an operation.
enum Effect {
    Push(Value),
    /// Skip this many operations.
    Skip(u32),
    /// Compute a cell first.
    Compute(u32),
    /// Compute the value of a function, in this context, with the arguments from here on.
    Call(Expression, Context, usize),
}

impl Origin {
    pub fn new(span: Span, context: Context, stage: Stage) -> Origin {
        Origin { span, context, stage, calls_from: 0, arguments: 0 }
    }
}

impl Build<'_> {
    /// The value of an expression. At [`Stage::Finished`], an expression without a value has been reported.
    pub fn evaluate(
        &mut self,
        expression: Expression,
        context: Context,
        stage: Stage,
    ) -> Result<Value, NoValue> {
        if let [Operation { kind: OperationKind::Number { value, .. }, .. }] =
            self.library.syntax.operations(expression)
        {
            return Ok(Value::plain(*value));
        }
        let mut frames = vec![frame(expression, context, None, 0)];
        let mut stack = Vec::new();
        let outcome = self.run(&mut frames, &mut stack, stage);
        let outcome = outcome.and_then(|()| stack.pop().ok_or(NoValue::Failed));
        self.calls.clear();
        for cell in frames.iter().filter_map(|frame| frame.cell) {
            self.table.cells[cell as usize].state = CellState::Settled(outcome);
        }
        outcome
    }

    /// The value of a cell.
    pub fn cell_value(&mut self, cell: u32, stage: Stage) -> Result<Value, NoValue> {
        if let Some(outcome) = self.settled(cell, stage) {
            return outcome;
        }
        let content = self.table.cells[cell as usize];
        let outcome = self.evaluate(content.expression, content.context, stage);
        self.table.cells[cell as usize].state = CellState::Settled(outcome);
        outcome
    }

    /// The value of a cell, or why it has none, if that need not be computed.
    fn settled(&self, cell: u32, stage: Stage) -> Option<Result<Value, NoValue>> {
        match self.table.cells[cell as usize].state {
            CellState::Settled(Err(NoValue::NotYet(blocker)))
                if stage == Stage::Finished || !self.table.still_unknown(blocker) =>
            {
                None
            }
            CellState::Settled(outcome) => Some(outcome),
            CellState::Waiting | CellState::Running => None,
        }
    }

    fn run(&mut self, frames: &mut Vec<Frame>, stack: &mut Vec<Value>, stage: Stage) -> Result<(), NoValue> {
        while let Some(last) = frames.last_mut() {
            if self.is_stopped() || self.work > MOST_WORK {
                return Err(self.give_up(last.context));
            }
            if last.at == last.end {
                let value = stack.pop().ok_or(NoValue::Failed)?;
                if let Some(arguments) = last.arguments {
                    stack.truncate(arguments);
                    self.calls.pop();
                }
                stack.push(value);
                if let Some(cell) = last.cell {
                    self.table.cells[cell as usize].state = CellState::Settled(Ok(value));
                }
                frames.pop();
                continue;
            }
            let operation = self.library.syntax.operations[last.at as usize];
            last.at += 1;
            self.work += 1;
            let (context, calls_from) = (last.context, last.calls_from);
            let span = Span { file: context.file, start: operation.start, end: operation.end };
            let arguments = last.arguments.unwrap_or_default();
            let origin = Origin { span, context, stage, calls_from, arguments };
            match self.apply(operation.kind, origin, stack)? {
                Effect::Push(value) => stack.push(value),
                Effect::Skip(count) => last.at += count,
                Effect::Compute(cell) => {
                    let content = self.table.cells[cell as usize];
                    if content.state == CellState::Running {
                        return Err(self.circle(frames, cell));
                    }
                    self.table.cells[cell as usize].state = CellState::Running;
                    frames.push(frame(content.expression, content.context, Some(cell), self.calls.len()));
                }
                Effect::Call(value, context, arguments) => {
                    self.work += CALL_WORK;
                    let frame = frame(value, context, None, calls_from);
                    frames.push(Frame { arguments: Some(arguments), ..frame });
                }
            }
        }
        Ok(())
    }

    fn apply(
        &mut self,
        kind: OperationKind,
        origin: Origin,
        stack: &mut Vec<Value>,
    ) -> Result<Effect, NoValue> {
        let scope = origin.context.scope;
        let mut pop = || stack.pop().ok_or(NoValue::Failed);
        let value = match kind {
            OperationKind::Number { value, .. } => Value::plain(value),
            OperationKind::Here => Value { number: i64::from(origin.context.here), kind: ValueKind::Label },
            OperationKind::Name(name) => return self.look_up(name, origin),
            OperationKind::Text(text) => Value::text(text),
            OperationKind::Argument { index, may_be_text } => {
                let argument = stack.get(origin.arguments + index as usize).copied();
                let argument = argument.ok_or(NoValue::Failed)?;
                if argument.kind == ValueKind::Text && !may_be_text {
                    let message = "this parameter stands for a text here".to_owned();
                    return self.fail(ErrorCode::WrongKind, origin, message, "expected a value");
                }
                argument
            }
            OperationKind::Call(written, count) => return self.call(written, count as usize, origin, stack),
            OperationKind::Index => {
                let number = pop()?.number;
                let base = pop()?;
                self.byte_of_text(base, number, origin)?
            }
            OperationKind::Length => match pop()? {
                Value { number, kind: ValueKind::Text } => {
                    Value::plain(self.library.syntax.texts[number as usize].len() as i64)
                }
                _ => {
                    let message = "`len` of something that is no text".to_owned();
                    return self.fail(
                        ErrorCode::WrongKind,
                        origin,
                        message,
                        "expected a text, or a parameter that stands for one",
                    );
                }
            },
            OperationKind::Byte { constant, name } => {
                let number = pop()?.number;
                let value = pop()?;
                let binding = name.and_then(|name| self.table.binding(scope, name));
                let constant = constant || binding.is_some_and(|binding| binding.immediate);
                self.byte(value, constant, number, origin)?
            }
            OperationKind::NameOrText(name) | OperationKind::ValueOrText(name) => {
                match self.table.binding(scope, name) {
                    Some(Binding { value: BoundValue::Text(text), .. }) => Value::text(text),
                    _ => return self.look_up(name, origin),
                }
            }
            OperationKind::Paste(pasting) => {
                let name = self.paste_from(pasting, stack, origin)?;
                return self.look_up(name, origin);
            }
            OperationKind::IsConst(name) => match self.table.binding(scope, name) {
                Some(binding) => Value::plain(i64::from(binding.immediate)),
                None => {
                    let message = format!("`{}` is not a parameter here", self.library.names.show(name));
                    return self.fail(
                        ErrorCode::WrongKind,
                        origin,
                        message,
                        "expected the name of a macro parameter",
                    );
                }
            },
            OperationKind::Gray => match pop()?.number {
                number @ 0..SEQUENCE_NUMBERS => Value::plain(i64::from(gray(number as u16))),
                number => {
                    let message = format!("there is no sequence number {number}");
                    return self.fail(ErrorCode::TargetRange, origin, message, "expected 0..4095 in `gray`");
                }
            },
            OperationKind::Size => Value::plain(match pop()? {
                Value { number, kind: ValueKind::Ram } => self.table.bytes_from(number),
                _ => 0,
            }),
            OperationKind::Prefix(operator) => {
                let operand = pop()?;
                let number = self.computed((operator.apply)(operand.number), origin)?;
                // An address with a plus in front is still an address.
                if operator.sign == "+" { operand } else { Value::plain(number) }
            }
            OperationKind::Infix(operator) => {
                let right = pop()?;
                let left = pop()?;
                if operator.is_comparison() {
                    self.last_comparison = Some((left.number, right.number));
                    self.compared_address |= matches!(
                        (left.kind, right.kind),
                        (ValueKind::Ram, ValueKind::Plain) | (ValueKind::Plain, ValueKind::Ram)
                    );
                }
                let number = self.computed((operator.apply)(left.number, right.number), origin)?;
                // An address plus a distance is an address; the difference of two addresses is a distance.
                let kind = match (left.kind, right.kind) {
                    (ValueKind::Plain, ValueKind::Plain) => ValueKind::Plain,
                    (kind, ValueKind::Plain) if matches!(operator.sign, "+" | "-") => kind,
                    (ValueKind::Plain, kind) if operator.sign == "+" => kind,
                    _ => ValueKind::Plain,
                };
                Value { number, kind }
            }
            OperationKind::Shortcut { decided_by, skip } => {
                if (pop()?.number != 0) != decided_by {
                    return Ok(Effect::Skip(0));
                }
                stack.push(Value::plain(i64::from(decided_by)));
                return Ok(Effect::Skip(skip));
            }
            OperationKind::Truth => Value::plain(i64::from(pop()?.number != 0)),
            OperationKind::Choose(skip) => {
                return Ok(Effect::Skip(if pop()?.number == 0 { skip } else { 0 }));
            }
            OperationKind::Skip(skip) => return Ok(Effect::Skip(skip)),
        };
        Ok(Effect::Push(value))
    }

    fn look_up(&mut self, name: Name, origin: Origin) -> Result<Effect, NoValue> {
        let cell = match self.table.binding(origin.context.scope, name) {
            Some(Binding { value: BoundValue::Cell(cell), .. }) => cell,
            Some(_) => {
                let message = format!("`{}` stands for a text here", self.library.names.show(name));
                return self.fail(ErrorCode::WrongKind, origin, message, "expected a value");
            }
            None => self.defined_cell(name, origin)?,
        };
        self.settled(cell, origin.stage)
            .map_or(Ok(Effect::Compute(cell)), |outcome| outcome.map(Effect::Push))
    }

    /// The cell of a name that is neither a parameter nor a counter.
    fn defined_cell(&mut self, name: Name, origin: Origin) -> Result<u32, NoValue> {
        let Origin { span, context, stage, .. } = origin;
        let table = &self.table;
        let entry = match (self.library.names.is_local(name), stage) {
            (false, _) => table.global(name),
            (true, Stage::Expanding) => table.own_local(context.region, name),
            (true, Stage::Finished) => table.local(context.region, name),
        };
        let Some(entry) = entry else {
            if stage == Stage::Expanding {
                return Err(NoValue::NotYet(Blocker { name, span, region: context.region }));
            }
            self.unknown_name(name, span, context);
            return Err(NoValue::Failed);
        };
        let is_failed = table.cells[entry.cell as usize].state == CellState::Settled(Err(NoValue::Failed));
        let (code, what, label) = match entry.kind {
            SymbolKind::Macro => (ErrorCode::WrongKind, "a macro", "expected a value"),
            SymbolKind::Function => {
                (ErrorCode::WrongKind, "a function", "expected its arguments in parentheses after it")
            }
            SymbolKind::Table => (
                ErrorCode::WrongKind,
                "a table",
                "expected a value: `read_table` reads one when the program runs",
            ),
            SymbolKind::Variable => {
                if let Some(cell) = table.assigned_by(name, context.time) {
                    return Ok(cell);
                }
                (
                    ErrorCode::UnassignedVariable,
                    "not assigned yet here",
                    "expected `:=` for this name before this line",
                )
            }
            SymbolKind::Routine if is_failed => (
                ErrorCode::WrongKind,
                "never called",
                "a routine without a `call` is not assembled, so this leads nowhere",
            ),
            _ => {
                let cell = entry.cell;
                if entry.span.is_none() {
                    self.used_predefined.insert(name);
                }
                return Ok(cell);
            }
        };
        let message = format!("`{}` is {what}", self.library.names.show(name));
        self.fail(code, origin, message, label)
    }

    /// Calls a function that the program defines: its arguments are on the stack.
    fn call(
        &mut self,
        written: WrittenName,
        count: usize,
        origin: Origin,
        stack: &mut Vec<Value>,
    ) -> Result<Effect, NoValue> {
        let name = match written {
            WrittenName::Plain(name) => name,
            WrittenName::Pasted(pasting) => {
                let arguments = stack.split_off(stack.len().saturating_sub(count));
                let name = self.paste_from(pasting, stack, origin)?;
                stack.extend(arguments);
                name
            }
        };
        let definition = self.table.definitions.get(&name).copied();
        let definition = definition
            .map(|(statement, context)| (self.library.syntax.statements[statement as usize], context));
        let Some((Statement { kind: StatementKind::Function(_, wanted, value), span, .. }, context)) =
            definition
        else {
            return self.no_function(name, origin);
        };
        let shown = self.library.names.show(name);
        if wanted as usize != count {
            let plural = if wanted == 1 { "" } else { "s" };
            let message = format!("`{shown}` takes {wanted} argument{plural}, not {count}");
            let label = format!("expected {wanted} argument{plural}");
            let diagnostic = Diagnostic::error(ErrorCode::ArgumentCount, origin.span, message, label);
            self.report_at(diagnostic.related(span, format!("`{shown}` is defined here")), origin);
            return Err(NoValue::Failed);
        }
        if self.calls.len() >= DEEPEST_CALL {
            let message = format!("function calls are nested more than {DEEPEST_CALL} deep");
            let label = format!("does `{shown}` call itself endlessly?");
            let diagnostic = Diagnostic::error(ErrorCode::EndlessRecursion, origin.span, message, label)
                .help("a function that calls itself needs a `?` to stop");
            self.report_at(diagnostic, origin);
            return Err(NoValue::Failed);
        }
        let kind = ExpansionKind::Function(self.library.names.shared(name));
        self.calls.push(Expansion { kind, span: origin.span });
        // Names mean what they mean where the function is defined, at the time of the call.
        let Context { expansion, here, time, .. } = origin.context;
        let context = Context { expansion, here, time, ..context };
        Ok(Effect::Call(value, context, stack.len() - count))
    }

    fn no_function<T>(&mut self, name: Name, origin: Origin) -> Result<T, NoValue> {
        let Origin { span, context, stage, .. } = origin;
        let shown = self.library.names.show(name);
        if let Some(entry) = self.table.global(name) {
            let message = format!("`{shown}` is a {}, not a function", entry.kind.noun());
            return self.fail(
                ErrorCode::WrongKind,
                origin,
                message,
                "expected the name of a function before `(`",
            );
        }
        if stage == Stage::Expanding {
            return Err(NoValue::NotYet(Blocker { name, span, region: context.region }));
        }
        let message = format!("there is no function `{shown}`");
        if !self.may_be_lost(name) && self.is_news(span, &message, context.expansion) {
            let entries =
                if self.can_afford(self.table.entries.len()) { &self.table.entries[..] } else { &[] };
            let functions = entries.iter().filter(|entry| entry.kind == SymbolKind::Function);
            let own: Vec<Name> = functions.map(|entry| entry.name).collect();
            let built_in = FUNCTIONS.map(|function| self.library.names.intern(function));
            let meant = self.suggestion(name, &[own, built_in.to_vec()].concat());
            let diagnostic = Diagnostic::error(
                ErrorCode::UnknownFunction,
                span,
                message,
                "expected a function made by `.function`",
            );
            self.report_at(diagnostic.did_you_mean(meant.as_deref()), origin);
        }
        Err(NoValue::Failed)
    }

    fn byte_of_text(&mut self, base: Value, index: i64, origin: Origin) -> Result<Value, NoValue> {
        if base.kind != ValueKind::Text {
            let diagnostic = Diagnostic::error(ErrorCode::WrongKind, origin.span, "this is no text", "expected a text before `[`")
                .help("the fourth byte of an array is `list+3`; for an index in A there is `read_at` of lib/array.g1");
            self.report_at(diagnostic, origin);
            return Err(NoValue::Failed);
        }
        let bytes = self.library.syntax.texts[base.number as usize].as_bytes();
        let found = usize::try_from(index).ok().and_then(|index| bytes.get(index));
        match found {
            Some(&byte) => Ok(Value::plain(i64::from(byte))),
            None => {
                let message = format!("there is no byte {index} in this text");
                let label = match bytes.len() {
                    0 => "it is empty".to_owned(),
                    length => format!("expected 0..{}", length - 1),
                };
                self.fail(ErrorCode::OutOfRange, origin, message, &label)
            }
        }
    }

    /// A byte of a constant, or the byte of RAM so much further on.
    fn byte(&mut self, value: Value, constant: bool, number: i64, origin: Origin) -> Result<Value, NoValue> {
        const BYTES: i64 = 8;
        if !(0..BYTES).contains(&number) {
            let message = format!("there is no byte {number}");
            return self.fail(
                ErrorCode::OutOfRange,
                origin,
                message,
                "expected 0..7 in `byte`, 0 for the lowest",
            );
        }
        Ok(match value.kind {
            ValueKind::Ram if !constant => Value { number: value.number.wrapping_add(number), ..value },
            _ => Value::plain(value.number >> (8 * number) & 0xFF),
        })
    }

    /// The name that a pasting makes of the values that are on the stack for it.
    fn paste_from(&mut self, pasting: u32, stack: &mut Vec<Value>, origin: Origin) -> Result<Name, NoValue> {
        let parts = self.library.syntax.pastings[pasting as usize].iter();
        let values = parts.filter(|part| matches!(part, Part::Value(_))).count();
        let values = stack.split_off(stack.len().saturating_sub(values));
        let name = self.paste(pasting, &values, origin)?;
        self.library.names.mentioned[name.index()] = true;
        Ok(name)
    }

    /// The name that a pasting makes of its values.
    pub fn paste(&mut self, pasting: u32, values: &[Value], origin: Origin) -> Result<Name, NoValue> {
        let mut spelling = String::new();
        let mut has_address = false;
        let mut values = values.iter();
        for part in &self.library.syntax.pastings[pasting as usize] {
            let Value { number, kind } = match part {
                Part::Text(text) => {
                    spelling.push_str(text);
                    continue;
                }
                Part::Value(_) => values.next().copied().unwrap_or(Value::plain(0)),
            };
            has_address |= kind == ValueKind::Ram;
            if kind == ValueKind::Text {
                spelling.push_str(&self.library.syntax.texts[number as usize]);
            } else if number >= 0 {
                spelling.push_str(&number.to_string());
            } else {
                let message = format!("{number} cannot be part of a name");
                return self.fail(ErrorCode::BadName, origin, message, "expected 0 or more in the braces");
            }
        }
        if has_address && origin.context.expansion == 0 {
            let message = "an address becomes part of this name, not the byte there";
            let label = "the bytes in RAM are known only when the program runs";
            self.report(Diagnostic::warning(Warning::AddressAsValue, origin.span, message, label), 0);
        }
        if spelling.len() > LONGEST_PASTED {
            let message = format!("`{}` has more than {LONGEST_PASTED} characters", shorten(&spelling));
            return self.fail(ErrorCode::BadName, origin, message, "expected a shorter name");
        }
        if !is_name(&spelling) {
            let message = format!("`{}` is not a name", shorten(&spelling));
            let expected = "expected letters, digits and `_`, starting with a letter or `_`";
            return self.fail(ErrorCode::BadName, origin, message, expected);
        }
        Ok(self.library.names.intern(&spelling))
    }

    fn fail<T>(
        &mut self,
        code: ErrorCode,
        origin: Origin,
        message: String,
        label: &str,
    ) -> Result<T, NoValue> {
        self.report_at(Diagnostic::error(code, origin.span, message, label), origin);
        Err(NoValue::Failed)
    }

    /// Reports something with the function calls that led there.
    fn report_at(&mut self, diagnostic: Diagnostic, origin: Origin) {
        let calls = self.calls.get(origin.calls_from..).unwrap_or_default();
        let calls = calls.iter().rev().cloned().collect();
        self.report_within(diagnostic, calls, origin.context.expansion);
    }

    /// Says once that values take too much work.
    fn give_up(&mut self, context: Context) -> NoValue {
        if self.work > MOST_WORK && !std::mem::replace(&mut self.gave_up, true) {
            let span = self.calls.first().map(|call| call.span);
            let message = "this program expands endlessly, or far too much";
            let diagnostic =
                Diagnostic::error(ErrorCode::TooMuchWork, span, message, "the assembler gave up here")
                    .help("look at the functions and constants that lead here");
            self.report(diagnostic, context.expansion);
            self.table.incomplete = true;
        }
        NoValue::Failed
    }

    /// The number that an operator computed.
    fn computed(&mut self, outcome: Result<i64, ArithmeticError>, origin: Origin) -> Result<i64, NoValue> {
        let error = match outcome {
            Ok(number) => return Ok(number),
            Err(error) => error,
        };
        let label = match error {
            ArithmeticError::DivisionByZero => "the right side is 0 here",
            ArithmeticError::ShiftDistance(_) => "expected a distance of 0..63",
            ArithmeticError::Overflow => "expected a smaller value, signed 64-bit",
        };
        self.fail(ErrorCode::Arithmetic, origin, error.to_string(), label)
    }

    /// Reports an undefined name, unless its definition may have been lost.
    pub fn unknown_name(&mut self, name: Name, span: Span, context: Context) {
        if self.may_be_lost(name) {
            return;
        }
        let local = self.library.names.is_local(name);
        let what = if local { "local label" } else { "name" };
        let message = format!("unknown {what} `{}`", self.library.names.show(name));
        if !self.is_news(span, &message, context.expansion) {
            return;
        }
        let is_affordable = self.can_afford(self.table.entries.len());
        let entries = if is_affordable { &self.table.entries[..] } else { &[] };
        let names = &self.library.names;
        let candidates = entries.iter().rev().filter(|entry| names.is_local(entry.name) == local);
        let bound = self.table.scopes[context.scope as usize].bindings.iter().map(|binding| binding.name);
        let known = candidates.map(|entry| entry.name).chain(bound).filter(|&other| other != name);
        let known: Vec<Name> = known.take(MOST_CANDIDATES).collect();
        let is_accumulator = names.spelling(name).eq_ignore_ascii_case("a");
        let dotted = format!(".{}", names.spelling(name));
        let elsewhere = entries.iter().find(|entry| local && entry.name == name).copied();
        let dotted = self.library.names.intern(&dotted);
        let has_dot = !local && self.table.local(context.region, dotted).is_some();
        let is_unassembled = elsewhere.is_none() && self.table.unassembled.contains(&name);
        let label = match is_unassembled {
            true => "it belongs to a routine that is never called, which is not assembled",
            false => "expected a name that is defined somewhere",
        };
        let diagnostic = Diagnostic::error(ErrorCode::UnknownName, span, message, label);
        let diagnostic = match elsewhere.and_then(|entry| entry.span) {
            Some(span) => diagnostic.related(span, "one with this name is here, private to its section"),
            None if is_unassembled => diagnostic,
            None if has_dot => diagnostic.did_you_mean(Some(self.library.names.spelling(dotted))),
            None if is_accumulator => diagnostic.help("A is no operand: `sta x` first, then use `x`"),
            None => diagnostic.did_you_mean(self.suggestion(name, &known).as_deref()),
        };
        self.report(diagnostic, context.expansion);
    }

    /// Reports constants that are defined by each other.
    fn circle(&mut self, frames: &[Frame], cell: u32) -> NoValue {
        let first = frames.iter().position(|frame| frame.cell == Some(cell)).unwrap_or(0);
        let circle = frames[first..].iter().filter_map(|frame| frame.cell).take(8);
        let shown = circle.map(|cell| self.library.names.show(self.table.cells[cell as usize].name));
        let mut path: Vec<String> = shown.collect();
        if frames.len() - first > path.len() {
            path.push("…".to_owned());
        }
        path.push(path[0].clone());
        let content = self.table.cells[cell as usize];
        let span = content.expression.span(content.context.file);
        let message = format!("`{}` is defined by itself", path[0]);
        let label = format!("this is circular: {}", path.join(" → "));
        self.report(
            Diagnostic::error(ErrorCode::CircularDefinition, span, message, label),
            content.context.expansion,
        );
        NoValue::Failed
    }
}

fn frame(expression: Expression, context: Context, cell: Option<u32>, calls_from: usize) -> Frame {
    let Range { start: at, end } = expression.operations;
    Frame { at, end, context, cell, calls_from, arguments: None }
}
