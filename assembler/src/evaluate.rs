//! Computes expressions. A name that has no value yet is computed first, on a stack of our own, so that a
//! chain of a hundred thousand constants is no deeper than one.

use crate::build::Build;
use crate::diagnostic::Diagnostic;
use crate::names::{Name, closest, is_name, shorten};
use crate::source::Span;
use crate::syntax::{ArithmeticError, Expression, Operation, OperationKind, Part};
use crate::table::{Binding, Blocker, BoundValue, CellState, Context, Value, ValueKind};
use gray1_isa::{PROGRAM_WORDS, gray};

/// A pasted name is no longer than this: a loop can make very many of them.
const LONGEST_PASTED: usize = 100;

/// Whether all names are known by now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// The program is still being expanded: a name not known yet may come later.
    Expanding,
    /// All definitions have been seen.
    Finished,
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoValue {
    /// The reason has been reported.
    Failed,
    /// This name is not known yet.
    NotYet(Blocker),
}

/// A cell or expression being computed.
struct Frame {
    at: u32,
    end: u32,
    context: Context,
    cell: Option<u32>,
}

/// What follows from an operation.
enum Effect {
    Push(Value),
    /// Leave out so many operations.
    Skip(u32),
    /// Compute a cell first.
    Compute(u32),
}

impl From<Result<Value, NoValue>> for CellState {
    fn from(outcome: Result<Value, NoValue>) -> CellState {
        match outcome {
            Ok(value) => CellState::Known(value),
            Err(NoValue::Failed) => CellState::Failed,
            Err(NoValue::NotYet(blocker)) => CellState::Blocked(blocker),
        }
    }
}

impl Build<'_> {
    /// The value of an expression; a failure at the [`Stage::Finished`] stage is always a reported one.
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
        let mut frames = vec![self.frame(expression, context, None)];
        let mut stack = Vec::new();
        let outcome = self.run(&mut frames, &mut stack, stage);
        let outcome = outcome.and_then(|()| stack.pop().ok_or(NoValue::Failed));
        for cell in frames.iter().filter_map(|frame| frame.cell) {
            self.table.cells[cell as usize].state = outcome.into();
        }
        outcome
    }

    /// The value of a cell.
    pub fn cell_value(&mut self, cell: u32, stage: Stage) -> Result<Value, NoValue> {
        let content = self.table.cells[cell as usize];
        match content.state {
            CellState::Known(value) => return Ok(value),
            CellState::Failed => return Err(NoValue::Failed),
            CellState::Blocked(blocker) if stage == Stage::Expanding && self.table.still_unknown(blocker) => {
                return Err(NoValue::NotYet(blocker));
            }
            CellState::Waiting | CellState::Blocked(_) | CellState::Running => {}
        }
        let outcome = self.evaluate(content.expression, content.context, stage);
        self.table.cells[cell as usize].state = outcome.into();
        outcome
    }

    fn frame(&self, expression: Expression, context: Context, cell: Option<u32>) -> Frame {
        Frame { at: expression.operations.start, end: expression.operations.end, context, cell }
    }

    fn run(&mut self, frames: &mut Vec<Frame>, stack: &mut Vec<Value>, stage: Stage) -> Result<(), NoValue> {
        while let Some(frame) = frames.last_mut() {
            if frame.at == frame.end {
                let value = *stack.last().ok_or(NoValue::Failed)?;
                if let Some(cell) = frame.cell {
                    self.table.cells[cell as usize].state = CellState::Known(value);
                }
                frames.pop();
                continue;
            }
            let operation = self.library.syntax.operations[frame.at as usize];
            frame.at += 1;
            self.work += 1;
            let context = frame.context;
            let span = Span { file: context.file, start: operation.start, end: operation.end };
            match self.apply(operation.kind, span, context, stack, stage)? {
                Effect::Push(value) => stack.push(value),
                Effect::Skip(count) => frame.at += count,
                Effect::Compute(cell) => {
                    let content = self.table.cells[cell as usize];
                    if content.state == CellState::Running {
                        return Err(self.circle(frames, cell));
                    }
                    self.table.cells[cell as usize].state = CellState::Running;
                    frames.push(self.frame(content.expression, content.context, Some(cell)));
                }
            }
        }
        Ok(())
    }

    fn apply(
        &mut self,
        kind: OperationKind,
        span: Span,
        context: Context,
        stack: &mut Vec<Value>,
        stage: Stage,
    ) -> Result<Effect, NoValue> {
        let mut pop = || stack.pop().ok_or(NoValue::Failed);
        Ok(match kind {
            OperationKind::Number { value, .. } => Effect::Push(Value::plain(value)),
            OperationKind::Here => {
                Effect::Push(Value { number: i64::from(context.here), kind: ValueKind::Label })
            }
            OperationKind::Name(name) => self.look_up(name, span, context, stage)?,
            OperationKind::NameOrText(name) => match self.table.binding(context.scope, name) {
                Some(Binding { value: BoundValue::Text(text), .. }) => {
                    Effect::Push(Value { number: i64::from(text), kind: ValueKind::Text })
                }
                _ => self.look_up(name, span, context, stage)?,
            },
            OperationKind::Paste(pasting) => {
                let values = self.library.syntax.pastings[pasting as usize]
                    .iter()
                    .filter(|part| matches!(part, Part::Value(_)))
                    .count();
                let values = stack.split_off(stack.len().saturating_sub(values));
                let name = self.paste(pasting, &values, span, context)?;
                self.library.syntax.mention(name);
                self.look_up(name, span, context, stage)?
            }
            OperationKind::IsConst(name) => match self.table.binding(context.scope, name) {
                Some(binding) => Effect::Push(Value::plain(i64::from(binding.immediate))),
                None => {
                    let message = format!("`{}` is not a parameter here", self.library.names.show(name));
                    return Err(self.fail(span, context, &message, "expected the name of a macro parameter"));
                }
            },
            OperationKind::Gray => {
                let number = pop()?.number;
                match u16::try_from(number) {
                    Ok(sequence) if usize::from(sequence) < PROGRAM_WORDS => {
                        Effect::Push(Value::plain(i64::from(gray(sequence))))
                    }
                    _ => {
                        let message = format!("there is no sequence number {number}");
                        return Err(self.fail(span, context, &message, "expected 0..4095 in `gray`"));
                    }
                }
            }
            OperationKind::Prefix(operator) => {
                let operand = pop()?;
                match (operator.apply)(operand.number) {
                    // A place with a plus in front is still a place.
                    Ok(_) if operator.sign == "+" => Effect::Push(operand),
                    Ok(number) => Effect::Push(Value::plain(number)),
                    Err(error) => return Err(self.arithmetic(error, span, context)),
                }
            }
            OperationKind::Infix(operator) => {
                let right = pop()?;
                let left = pop()?;
                if operator.is_comparison() {
                    self.last_comparison = Some((left.number, right.number));
                }
                // A place plus a distance is a place; the difference of two places is a distance.
                let kind = match (left.kind, right.kind) {
                    (ValueKind::Plain, ValueKind::Plain) => ValueKind::Plain,
                    (place, ValueKind::Plain) if matches!(operator.sign, "+" | "-") => place,
                    (ValueKind::Plain, place) if operator.sign == "+" => place,
                    _ => ValueKind::Plain,
                };
                match (operator.apply)(left.number, right.number) {
                    Ok(number) => Effect::Push(Value { number, kind }),
                    Err(error) => return Err(self.arithmetic(error, span, context)),
                }
            }
            OperationKind::Shortcut { decided_by, skip } => {
                if (pop()?.number != 0) == decided_by {
                    stack.push(Value::plain(i64::from(decided_by)));
                    Effect::Skip(skip)
                } else {
                    Effect::Skip(0)
                }
            }
            OperationKind::Truth => Effect::Push(Value::plain(i64::from(pop()?.number != 0))),
            OperationKind::Choose(skip) => Effect::Skip(if pop()?.number == 0 { skip } else { 0 }),
            OperationKind::Skip(skip) => Effect::Skip(skip),
        })
    }

    fn look_up(&mut self, name: Name, span: Span, context: Context, stage: Stage) -> Result<Effect, NoValue> {
        let cell = match self.table.binding(context.scope, name) {
            Some(binding) => match binding.value {
                BoundValue::Cell(cell) => cell,
                BoundValue::Text(_) => {
                    let message = format!("`{}` is a text here", self.library.names.show(name));
                    return Err(self.fail(span, context, &message, "expected a value"));
                }
            },
            None => {
                let local = self.library.names.is_local(name);
                let table = &self.table;
                let entry = match (local, stage) {
                    (false, _) => table.global(name),
                    (true, Stage::Expanding) => table.own_local(context.region, name),
                    (true, Stage::Finished) => table.local(context.region, name),
                };
                match entry {
                    Some(entry) if entry.kind == crate::table::SymbolKind::Macro => {
                        let message = format!("`{}` is a macro", self.library.names.show(name));
                        return Err(self.fail(span, context, &message, "expected a value"));
                    }
                    Some(entry)
                        if entry.kind == crate::table::SymbolKind::Routine
                            && table.cells[entry.cell as usize].state == CellState::Failed =>
                    {
                        let message = format!("`{}` is never called", self.library.names.show(name));
                        let label = "a routine without a `call` is not assembled, so this leads nowhere";
                        return Err(self.fail(span, context, &message, label));
                    }
                    Some(entry) => entry.cell,
                    None if stage == Stage::Expanding => {
                        return Err(NoValue::NotYet(Blocker { name, span, region: context.region }));
                    }
                    None => {
                        self.unknown_name(name, span, context);
                        return Err(NoValue::Failed);
                    }
                }
            }
        };
        match self.table.cells[cell as usize].state {
            CellState::Known(value) => Ok(Effect::Push(value)),
            CellState::Failed => Err(NoValue::Failed),
            CellState::Blocked(blocker) if stage == Stage::Expanding && self.table.still_unknown(blocker) => {
                Err(NoValue::NotYet(blocker))
            }
            CellState::Waiting | CellState::Blocked(_) | CellState::Running => Ok(Effect::Compute(cell)),
        }
    }

    /// The name that a pasting makes of its values.
    pub fn paste(
        &mut self,
        pasting: u32,
        values: &[Value],
        span: Span,
        context: Context,
    ) -> Result<Name, NoValue> {
        let mut spelling = String::new();
        let mut values = values.iter();
        for part in &self.library.syntax.pastings[pasting as usize] {
            match part {
                Part::Text(text) => spelling.push_str(text),
                Part::Value(_) => {
                    let Value { number, kind } = values.next().copied().unwrap_or(Value::plain(0));
                    if kind == ValueKind::Text {
                        spelling.push_str(&self.library.syntax.texts[number as usize]);
                        continue;
                    }
                    if number < 0 {
                        let message = format!("{number} cannot be part of a name");
                        return Err(self.fail(span, context, &message, "expected 0 or more in the braces"));
                    }
                    spelling.push_str(&number.to_string());
                }
            }
        }
        if spelling.len() > LONGEST_PASTED {
            let message = format!("`{}` has more than {LONGEST_PASTED} characters", shorten(&spelling));
            return Err(self.fail(span, context, &message, "expected a shorter name"));
        }
        if !is_name(&spelling) {
            let message = format!("`{}` is not a name", shorten(&spelling));
            let expected = "expected letters, digits and `_`, starting with a letter or `_`";
            return Err(self.fail(span, context, &message, expected));
        }
        Ok(self.library.names.intern(&spelling))
    }

    fn fail(&mut self, span: Span, context: Context, message: &str, label: &str) -> NoValue {
        self.error(span, context.expansion, message, label);
        NoValue::Failed
    }

    fn arithmetic(&mut self, error: ArithmeticError, span: Span, context: Context) -> NoValue {
        let label = match error {
            ArithmeticError::DivisionByZero => "the right side is 0 here",
            ArithmeticError::ShiftDistance(_) => "expected a distance of 0..63",
            ArithmeticError::Overflow => "expected a smaller value, signed 64-bit",
        };
        self.fail(span, context, &error.to_string(), label)
    }

    /// Reports a name that is nowhere defined, unless its definition may have been lost.
    pub fn unknown_name(&mut self, name: Name, span: Span, context: Context) {
        if self.may_be_lost(name) {
            return;
        }
        let names = &self.library.names;
        let local = names.is_local(name);
        let candidates = self.table.entries.iter().rev().filter(|entry| names.is_local(entry.name) == local);
        let bound = self.table.scopes[context.scope as usize].bindings.iter().map(|binding| binding.name);
        let known = candidates.map(|entry| entry.name).chain(bound).filter(|&other| other != name);
        let meant = closest(names.spelling(name), known.map(|other| names.spelling(other)));
        let exists = self.table.entries.iter().find(|entry| entry.name == name);
        let what = if local { "local label" } else { "name" };
        let mut diagnostic = Diagnostic::error(span, format!("unknown {what} `{}`", names.show(name)))
            .label("expected a name that is defined somewhere");
        if let (true, Some(Some(elsewhere))) = (local, exists.map(|entry| entry.span)) {
            diagnostic = diagnostic.related(elsewhere, "one with this name is here, private to its section");
        } else if self.table.unassembled.contains(&name) {
            diagnostic = diagnostic.label("it belongs to a routine that is never called, so not assembled");
        } else {
            diagnostic = diagnostic.did_you_mean(meant);
        }
        self.report(diagnostic, context.expansion);
    }

    /// Reports constants that are defined by each other.
    fn circle(&mut self, frames: &[Frame], cell: u32) -> NoValue {
        let first = frames.iter().position(|frame| frame.cell == Some(cell)).unwrap_or(0);
        let circle = frames[first..].iter().filter_map(|frame| frame.cell).take(8);
        let mut path: Vec<String> =
            circle.map(|cell| self.library.names.show(self.table.cells[cell as usize].name)).collect();
        if frames.len() - first > path.len() {
            path.push("…".to_owned());
        }
        path.push(path[0].clone());
        let content = self.table.cells[cell as usize];
        let diagnostic = Diagnostic::error(
            content.expression.span(content.context.file),
            format!("`{}` is defined by itself", path[0]),
        );
        let diagnostic = diagnostic.label(format!("this is circular: {}", path.join(" → ")));
        self.report(diagnostic, content.context.expansion);
        NoValue::Failed
    }
}
