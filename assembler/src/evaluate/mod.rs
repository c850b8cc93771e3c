//! Evaluates expressions, and first the names in them, on a separate stack. So a chain of a hundred thousand constants
//! needs no more of the call stack than one.

pub(crate) mod build;
pub(crate) mod evaluation;
mod formula;
mod functions;
mod names;
mod trouble;

pub(crate) use evaluation::{Evaluation, Origin};
pub(crate) use formula::{FORMULA_FUNCTIONS, is_formula_word};

use crate::codes::ErrorCode;
use crate::evaluate::build::{Build, MAX_WORK};
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Expression, Operation, OperationKind};
use crate::table::{Binding, Blocker, BoundValue, CellState, Context, NoValue, Value, ValueKind};
use evaluation::{Ending, Frame};
use gray1_isa::{PROGRAM_WORDS, gray};
use gray1_text::Operator;

/// The work of calling a function, in addition to its operations.
const CALL_WORK: u64 = 8;
const SEQUENCE_NUMBERS: i64 = PROGRAM_WORDS as i64;

/// The number as a byte, signed or unsigned.
pub(crate) fn byte(number: i64) -> Option<u8> {
    u8::try_from(number).or_else(|_| i8::try_from(number).map(|byte| byte as u8)).ok()
}

/// The effect of an operation.
enum Effect {
    Push(Value),
    /// Skip this many operations.
    Skip(u32),
    /// Compute a cell first.
    Compute(u32),
    /// Determine whether a cell has a value.
    Probe(u32),
    /// Compute an expression in this context.
    Evaluate(Expression, Context),
    /// Compute the value of a function, in this context, with the arguments from here on.
    Call(Expression, Context, usize),
}

impl Build<'_> {
    /// Evaluates an expression. After expansion, the absence of a value has been reported.
    pub fn evaluate(&mut self, expression: Expression, context: Context) -> Result<Value, NoValue> {
        if let [Operation { kind: OperationKind::Number { value, .. }, .. }] =
            self.library.syntax.operations(expression)
        {
            return Ok(Value::plain(*value));
        }
        self.evaluate_frame(expression, context, false)
    }

    /// Evaluates an expression, possibly while a formula is being evaluated.
    fn evaluate_frame(
        &mut self,
        expression: Expression,
        context: Context,
        is_formula: bool,
    ) -> Result<Value, NoValue> {
        let Evaluation { frames, stack, calls, at, .. } = &mut self.evaluation;
        let (outer, height, depth, around) = (frames.len(), stack.len(), calls.len(), *at);
        frames.push(Frame { is_formula, ..Frame::new(expression, context, Ending::Value, depth) });
        let outcome = self.run(outer).and_then(|()| self.pop());
        let Evaluation { frames, stack, calls, .. } = &mut self.evaluation;
        for cell in frames.drain(outer..).filter_map(|frame| frame.cell()) {
            self.table.cells[cell as usize].state = CellState::Settled(outcome);
        }
        stack.truncate(height);
        calls.truncate(depth);
        self.evaluation.at = around;
        outcome
    }

    /// Evaluates a cell.
    pub fn cell_value(&mut self, cell: u32) -> Result<Value, NoValue> {
        if let Some(outcome) = self.settled(cell) {
            return outcome;
        }
        let content = self.table.cells[cell as usize];
        let outcome = self.evaluate(content.expression, content.context);
        self.table.cells[cell as usize].state = CellState::Settled(outcome);
        outcome
    }

    /// The value of a cell, or the reason why it has none; `None` if it must be evaluated.
    fn settled(&self, cell: u32) -> Option<Result<Value, NoValue>> {
        match self.table.cells[cell as usize].state {
            CellState::Settled(Err(NoValue::NotYet(blocker)))
                if self.evaluation.is_final || !self.table.still_unknown(blocker) =>
            {
                None
            }
            CellState::Settled(outcome) => Some(outcome),
            CellState::Waiting | CellState::Running => None,
        }
    }

    /// Runs the frames above the `outer` ones.
    fn run(&mut self, outer: usize) -> Result<(), NoValue> {
        while let Some(last) = self.evaluation.frames[outer..].last() {
            let context = last.context;
            if self.is_stopped() || self.work > MAX_WORK {
                return Err(self.give_up(context));
            }
            let Some(last) = self.evaluation.frames.last_mut() else { break };
            if last.at == last.end {
                self.finish_frame()?;
                continue;
            }
            let operation = self.library.syntax.operations[last.at as usize];
            last.at += 1;
            self.work += 1;
            let Frame { calls_from, arguments, is_formula, .. } = *last;
            let span = Span { file: context.file, start: operation.start, end: operation.end };
            self.evaluation.at = Origin { span, context, calls_from, arguments, is_formula };
            let effect = match is_formula {
                true => self.apply_in_formula(operation.kind),
                false => self.apply(operation.kind),
            };
            let effect = match effect {
                Err(NoValue::NotYet(blocker)) => self.fail_probe(blocker)?,
                effect => effect?,
            };
            self.perform(effect)?;
        }
        Ok(())
    }

    fn perform(&mut self, effect: Effect) -> Result<(), NoValue> {
        let Evaluation { frames, stack, calls, at: Origin { calls_from, is_formula, .. }, .. } =
            &mut self.evaluation;
        match effect {
            Effect::Push(value) => stack.push(value),
            Effect::Skip(count) => {
                if let Some(last) = frames.last_mut() {
                    last.at += count;
                }
            }
            Effect::Compute(cell) | Effect::Probe(cell) => {
                let content = self.table.cells[cell as usize];
                if content.state == CellState::Running {
                    return Err(self.circle(cell));
                }
                self.table.cells[cell as usize].state = CellState::Running;
                let ending = match effect {
                    Effect::Probe(_) => Ending::Probe { cell, height: stack.len() },
                    _ => Ending::Cell(cell),
                };
                frames.push(Frame::new(content.expression, content.context, ending, calls.len()));
            }
            Effect::Evaluate(value, context) => {
                self.work += CALL_WORK;
                frames.push(Frame::new(value, context, Ending::Value, calls.len()));
            }
            Effect::Call(value, context, arguments) => {
                self.work += CALL_WORK;
                let frame = Frame::new(value, context, Ending::Function, *calls_from);
                frames.push(Frame { arguments, is_formula: *is_formula, ..frame });
            }
        }
        Ok(())
    }

    /// Leaves the current frame, whose value is on the stack.
    fn finish_frame(&mut self) -> Result<(), NoValue> {
        let value = self.pop()?;
        let Evaluation { frames, stack, calls, .. } = &mut self.evaluation;
        let Some(frame) = frames.pop() else { return Ok(()) };
        if let Some(cell) = frame.cell() {
            self.table.cells[cell as usize].state = CellState::Settled(Ok(value));
        }
        match frame.ending {
            Ending::Value | Ending::Cell(_) => stack.push(value),
            Ending::Probe { .. } => stack.push(Value::plain(1)),
            Ending::Function => {
                stack.truncate(frame.arguments);
                calls.pop();
                stack.push(value);
            }
            Ending::Join(_) | Ending::ElseBranch { .. } | Ending::Choose => {
                stack.push(value);
                self.finish_branch(frame)?;
            }
        }
        Ok(())
    }

    /// Handles an undefined name: its dependants up to the innermost `isknown` have no value, so that gives 0.
    fn fail_probe(&mut self, blocker: Blocker) -> Result<Effect, NoValue> {
        let Evaluation { frames, stack, calls, .. } = &mut self.evaluation;
        let outcome = Err(NoValue::NotYet(blocker));
        let probe = frames.iter().enumerate().rev().find_map(|(index, frame)| match frame.ending {
            Ending::Probe { height, .. } => Some((index, height, frame.calls_from)),
            _ => None,
        });
        let Some((probe, height, depth)) = probe else { return Err(NoValue::NotYet(blocker)) };
        stack.truncate(height);
        calls.truncate(depth);
        for cell in frames.drain(probe..).filter_map(|frame| frame.cell()) {
            self.table.cells[cell as usize].state = CellState::Settled(outcome);
        }
        Ok(Effect::Push(Value::plain(0)))
    }

    fn pop(&mut self) -> Result<Value, NoValue> {
        self.evaluation.stack.pop().ok_or(NoValue::Failed)
    }

    fn apply(&mut self, kind: OperationKind) -> Result<Effect, NoValue> {
        let value = match kind {
            OperationKind::Number { value, .. } => Value::plain(value),
            OperationKind::Here => {
                Value { number: i64::from(self.evaluation.at.context.here), kind: ValueKind::Label }
            }
            OperationKind::Text(text) => Value::text(text),
            OperationKind::Name(name) => return self.look_up(name),
            OperationKind::NameOrText(name) => return self.look_up_any(name, false),
            OperationKind::ValueOrText(name) => return self.look_up_any(name, true),
            OperationKind::Paste { pasting, may_be_text } => {
                let name = self.paste_from(pasting)?;
                return if may_be_text { self.look_up_any(name, true) } else { self.look_up(name) };
            }
            OperationKind::Argument { index, may_be_text } => self.argument(index, may_be_text)?,
            OperationKind::Call(written, count) => return self.call(written, count as usize),
            OperationKind::Index => {
                let number = self.pop()?.number;
                let base = self.pop()?;
                match base.kind {
                    ValueKind::Table(table) => return self.value_of_table(table, number),
                    _ => self.byte_of_text(base, number)?,
                }
            }
            OperationKind::Length => self.length()?,
            OperationKind::Byte { constant, name } => {
                let (number, value) = (self.pop()?.number, self.pop()?);
                self.byte(value, self.is_constant(constant, name), number)?
            }
            OperationKind::IsConst(name) => Value::plain(i64::from(self.parameter(name)?.immediate)),
            OperationKind::IsKnown(name) => return self.is_known(name),
            OperationKind::Gray => self.gray()?,
            OperationKind::Size => Value::plain(match self.pop()? {
                Value { number, kind: ValueKind::Ram } => self.table.bytes_from(number),
                _ => 0,
            }),
            OperationKind::Prefix(operator) => {
                let operand = self.pop()?;
                let number = self.computed((operator.apply)(operand.number))?;
                // An address after a unary plus is still an address.
                if operator.sign == "+" { operand } else { Value::plain(number) }
            }
            OperationKind::Infix(operator) => self.infix(operator)?,
            OperationKind::Shortcut { decided_by, skip } => {
                if (self.pop()?.number != 0) != decided_by {
                    return Ok(Effect::Skip(0));
                }
                self.evaluation.stack.push(Value::plain(i64::from(decided_by)));
                return Ok(Effect::Skip(skip));
            }
            OperationKind::Truth => Value::plain(i64::from(self.pop()?.number != 0)),
            OperationKind::Choose(skip) => {
                return Ok(Effect::Skip(if self.pop()?.number == 0 { skip } else { 0 }));
            }
            OperationKind::Skip(skip) => return Ok(Effect::Skip(skip)),
        };
        Ok(Effect::Push(value))
    }

    /// Whether the value in `byte` has a `#`, or is a parameter whose argument has one.
    fn is_constant(&self, has_sign: bool, name: Option<Name>) -> bool {
        let binding = name.and_then(|name| self.table.binding(self.evaluation.at.context.scope, name));
        has_sign || binding.is_some_and(|binding| binding.immediate)
    }

    /// Converts a sequence number to Gray code.
    fn gray(&mut self) -> Result<Value, NoValue> {
        match self.pop()?.number {
            number @ 0..SEQUENCE_NUMBERS => Ok(Value::plain(i64::from(gray(number as u16)))),
            number => {
                let message = format!("there is no sequence number {number}");
                self.fail(ErrorCode::TargetRange, message, "expected 0..4095 in `gray`")
            }
        }
    }

    /// Looks up a name that may also stand for a text or a table.
    fn look_up_any(&mut self, name: Name, may_be_table: bool) -> Result<Effect, NoValue> {
        let table = may_be_table.then(|| self.find_table(name));
        match (self.table.binding(self.evaluation.at.context.scope, name), table.flatten()) {
            (Some(Binding { value: BoundValue::Text(text), .. }), _) => Ok(Effect::Push(Value::text(text))),
            (None, Some(table)) => Ok(Effect::Push(Value { number: 0, kind: ValueKind::Table(table) })),
            _ => self.look_up(name),
        }
    }

    fn infix(&mut self, operator: &Operator) -> Result<Value, NoValue> {
        let right = self.pop()?;
        let left = self.pop()?;
        if operator.is_comparison() {
            self.evaluation.last_comparison = Some((left.number, right.number));
            self.evaluation.compared_address |= matches!(
                (left.kind, right.kind),
                (ValueKind::Ram, ValueKind::Plain) | (ValueKind::Plain, ValueKind::Ram)
            );
        }
        let number = self.computed((operator.apply)(left.number, right.number))?;
        // An address plus a distance is an address; the difference of two addresses is a distance.
        let kind = match (left.kind, right.kind) {
            (ValueKind::Plain, ValueKind::Plain) => ValueKind::Plain,
            (kind, ValueKind::Plain) if matches!(operator.sign, "+" | "-") => kind,
            (ValueKind::Plain, kind) if operator.sign == "+" => kind,
            _ => ValueKind::Plain,
        };
        Ok(Value { number, kind })
    }
}
