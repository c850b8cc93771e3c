//! Evaluates expressions, and first the names in them, on a separate stack. So a chain of a hundred thousand constants
//! needs no more of the call stack than one.

pub(crate) mod evaluation;
mod formula;
mod functions;
mod names;
mod trouble;

pub(crate) use evaluation::{Evaluation, Stage};
pub(crate) use formula::{FORMULA_FUNCTIONS, is_formula_word};

use crate::build::{Build, MAX_WORK};
use crate::codes::ErrorCode;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Expression, Operation, OperationKind, Range};
use crate::table::{Binding, Blocker, BoundValue, CellState, Context, NoValue, Value, ValueKind};
use evaluation::Frame;
use gray1_isa::{PROGRAM_WORDS, gray};
use gray1_text::Operator;

/// The work of calling a function, in addition to its operations.
const CALL_WORK: u64 = 8;
const SEQUENCE_NUMBERS: i64 = PROGRAM_WORDS as i64;

/// The position of an operation, its context, and the stage of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Origin {
    pub span: Span,
    pub context: Context,
    pub stage: Stage,
    /// The function calls that contain it: those of [`Evaluation::calls`] from here on.
    pub calls_from: usize,
    /// The position on the stack of the arguments of its function.
    pub arguments: usize,
}

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

impl Origin {
    pub fn new(span: Span, context: Context, stage: Stage) -> Origin {
        Origin { span, context, stage, calls_from: 0, arguments: 0 }
    }
}

impl Build<'_> {
    /// Evaluates an expression. At [`Stage::Finished`], the absence of a value has been reported.
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
        self.evaluation.frames.push(frame(expression, context, None, 0));
        let outcome = self.run(stage).and_then(|()| self.pop());
        for frame in self.evaluation.frames.drain(..) {
            if let Some(cell) = frame.cell {
                self.table.cells[cell as usize].state = CellState::Settled(outcome);
            }
        }
        self.evaluation.stack.clear();
        self.evaluation.calls.clear();
        outcome
    }

    /// Evaluates a cell.
    pub fn cell_value(&mut self, cell: u32, stage: Stage) -> Result<Value, NoValue> {
        if let Some(outcome) = self.settled(cell, stage) {
            return outcome;
        }
        let content = self.table.cells[cell as usize];
        let outcome = self.evaluate(content.expression, content.context, stage);
        self.table.cells[cell as usize].state = CellState::Settled(outcome);
        outcome
    }

    /// The value of a cell, or the reason why it has none; `None` if it must be evaluated.
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

    fn run(&mut self, stage: Stage) -> Result<(), NoValue> {
        while let Some(last) = self.evaluation.frames.last() {
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
            let calls_from = last.calls_from;
            let span = Span { file: context.file, start: operation.start, end: operation.end };
            let arguments = last.arguments.unwrap_or_default();
            let origin = Origin { span, context, stage, calls_from, arguments };
            let effect = match self.apply(operation.kind, origin) {
                Err(NoValue::NotYet(blocker)) => self.fail_probe(blocker)?,
                effect => effect?,
            };
            let Evaluation { frames, stack, calls, .. } = &mut self.evaluation;
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
                    let probe_height = matches!(effect, Effect::Probe(_)).then_some(stack.len());
                    let frame = frame(content.expression, content.context, Some(cell), calls.len());
                    frames.push(Frame { probe_height, ..frame });
                }
                Effect::Evaluate(value, context) => {
                    self.work += CALL_WORK;
                    frames.push(frame(value, context, None, calls.len()));
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

    /// Leaves the current frame, whose value is on the stack.
    fn finish_frame(&mut self) -> Result<(), NoValue> {
        let value = self.pop()?;
        let Evaluation { frames, stack, calls, .. } = &mut self.evaluation;
        let Some(Frame { cell, arguments, probe_height, .. }) = frames.pop() else { return Ok(()) };
        if let Some(arguments) = arguments {
            stack.truncate(arguments);
            calls.pop();
        }
        stack.push(if probe_height.is_some() { Value::plain(1) } else { value });
        if let Some(cell) = cell {
            self.table.cells[cell as usize].state = CellState::Settled(Ok(value));
        }
        Ok(())
    }

    /// Handles an undefined name: its dependants up to the innermost `isknown` have no value, so that gives 0.
    fn fail_probe(&mut self, blocker: Blocker) -> Result<Effect, NoValue> {
        let Evaluation { frames, stack, calls, .. } = &mut self.evaluation;
        let outcome = Err(NoValue::NotYet(blocker));
        let asked = frames.iter().rposition(|frame| frame.probe_height.is_some());
        let Some(asked) = asked else { return Err(NoValue::NotYet(blocker)) };
        stack.truncate(frames[asked].probe_height.unwrap_or_default());
        calls.truncate(frames[asked].calls_from);
        for cell in frames.drain(asked..).filter_map(|frame| frame.cell) {
            self.table.cells[cell as usize].state = CellState::Settled(outcome);
        }
        Ok(Effect::Push(Value::plain(0)))
    }

    fn pop(&mut self) -> Result<Value, NoValue> {
        self.evaluation.stack.pop().ok_or(NoValue::Failed)
    }

    fn apply(&mut self, kind: OperationKind, origin: Origin) -> Result<Effect, NoValue> {
        let scope = origin.context.scope;
        let value = match kind {
            OperationKind::Number { value, .. } => Value::plain(value),
            OperationKind::Here => Value { number: i64::from(origin.context.here), kind: ValueKind::Label },
            OperationKind::Text(text) => Value::text(text),
            OperationKind::Name(name) => return self.look_up(name, origin),
            OperationKind::NameOrText(name) => return self.look_up_any(name, false, origin),
            OperationKind::ValueOrText(name) => return self.look_up_any(name, true, origin),
            OperationKind::Paste(pasting) => {
                let name = self.paste_from(pasting, origin)?;
                return self.look_up(name, origin);
            }
            OperationKind::Argument { index, may_be_text } => self.argument(index, may_be_text, origin)?,
            OperationKind::Call(written, count) => return self.call(written, count as usize, origin),
            OperationKind::Index => {
                let number = self.pop()?.number;
                let base = self.pop()?;
                match base.kind {
                    ValueKind::Table(table) => return self.value_of_table(table, number, origin),
                    _ => self.byte_of_text(base, number, origin)?,
                }
            }
            OperationKind::Length => self.length(origin)?,
            OperationKind::Byte { constant, name } => {
                let number = self.pop()?.number;
                let value = self.pop()?;
                let binding = name.and_then(|name| self.table.binding(scope, name));
                let constant = constant || binding.is_some_and(|binding| binding.immediate);
                self.byte(value, constant, number, origin)?
            }
            OperationKind::IsConst(name) => Value::plain(i64::from(self.parameter(name, origin)?.immediate)),
            OperationKind::IsKnown(name) => return self.is_known(name, origin),
            OperationKind::Gray => self.gray(origin)?,
            OperationKind::Size => Value::plain(match self.pop()? {
                Value { number, kind: ValueKind::Ram } => self.table.bytes_from(number),
                _ => 0,
            }),
            OperationKind::Prefix(operator) => {
                let operand = self.pop()?;
                let number = self.computed((operator.apply)(operand.number), origin)?;
                // An address after a unary plus is still an address.
                if operator.sign == "+" { operand } else { Value::plain(number) }
            }
            OperationKind::Infix(operator) => self.infix(operator, origin)?,
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

    /// Converts a sequence number to Gray code.
    fn gray(&mut self, origin: Origin) -> Result<Value, NoValue> {
        match self.pop()?.number {
            number @ 0..SEQUENCE_NUMBERS => Ok(Value::plain(i64::from(gray(number as u16)))),
            number => {
                let message = format!("there is no sequence number {number}");
                self.fail(ErrorCode::TargetRange, origin, message, "expected 0..4095 in `gray`")
            }
        }
    }

    /// Looks up a name that may also stand for a text or a table.
    fn look_up_any(&mut self, name: Name, may_be_table: bool, origin: Origin) -> Result<Effect, NoValue> {
        let table = may_be_table.then(|| self.find_table(name, origin));
        match (self.table.binding(origin.context.scope, name), table.flatten()) {
            (Some(Binding { value: BoundValue::Text(text), .. }), _) => Ok(Effect::Push(Value::text(text))),
            (None, Some(table)) => Ok(Effect::Push(Value { number: 0, kind: ValueKind::Table(table) })),
            _ => self.look_up(name, origin),
        }
    }

    fn infix(&mut self, operator: &Operator, origin: Origin) -> Result<Value, NoValue> {
        let right = self.pop()?;
        let left = self.pop()?;
        if operator.is_comparison() {
            self.evaluation.last_comparison = Some((left.number, right.number));
            self.evaluation.compared_address |= matches!(
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
        Ok(Value { number, kind })
    }
}

fn frame(expression: Expression, context: Context, cell: Option<u32>, calls_from: usize) -> Frame {
    let Range { start: at, end } = expression.operations;
    Frame { at, end, context, cell, calls_from, arguments: None, probe_height: None }
}
