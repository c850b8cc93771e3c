//! Statements that change which statement comes next, except macro calls: conditions, loops, includes.

use super::expander::{Expander, Frame, FrameKind, Loop};
use super::macros::MAX_INCLUDE_DEPTH;
use crate::codes::{ErrorCode, Warning};
use crate::diagnostic::Diagnostic;
use crate::expansion::ExpansionKind;
use crate::syntax::{Expression, Operand, OperandValue, Range, StatementKind, WrittenName};
use crate::table::{Binding, BoundValue, Context, Region, RegionTitle, Value, ValueKind};

/// The work of loading a file.
const FILE_WORK: u64 = 20_000;
/// The maximum nesting depth of loops, macros and files together.
const MAX_LOOP_DEPTH: usize = 600;
/// The work of an iteration, in addition to its statements.
const ITERATION_WORK: u64 = 32;

/// The range of a loop.
struct Rounds {
    from: i64,
    step: i64,
    count: u64,
}

impl Rounds {
    /// Makes the range from one number up to, but not including, another; `None` if the step is 0.
    fn new(from: i64, to: i64, step: i64) -> Option<Rounds> {
        let is_ahead = if step > 0 { from < to } else { from > to };
        let count = match step.unsigned_abs() {
            0 => return None,
            step if is_ahead => from.abs_diff(to).div_ceil(step),
            _ => 0,
        };
        Some(Rounds { from, step, count })
    }
}

impl Expander<'_, '_> {
    pub fn open_file(&mut self, file: u32, context: Context) {
        self.push_frame(self.build.library.statements(file), context, FrameKind::File(file));
    }

    pub fn include(&mut self, text: u32) {
        self.build.work += FILE_WORK / 10;
        let chain = self.build.chain(self.context.expansion);
        let before = self.build.library.sources.paths().count();
        let Some(file) = self.build.library.include(text, self.span, &chain) else { return };
        let sources = &self.build.library.sources;
        if sources.paths().count() > before {
            self.build.work += FILE_WORK;
        }
        if self.files.once.contains(&file) {
            return;
        }
        let open = self.frames.iter().filter_map(|frame| match frame.kind {
            FrameKind::File(open) => Some(open),
            _ => None,
        });
        let open: Vec<u32> = open.collect();
        if let Some(first) = open.iter().position(|&other| other == file) {
            let paths = open[first..].iter().chain([&file]).map(|&file| sources.path(file));
            let circle = paths.collect::<Vec<_>>().join(" → ");
            let message = format!("`{}` includes itself", sources.path(file));
            let label = format!("this is circular: {circle}");
            return self.error(ErrorCode::CircularInclude, self.span, message, label);
        }
        if open.len() > MAX_INCLUDE_DEPTH {
            let message = format!("files are included more than {MAX_INCLUDE_DEPTH} deep");
            let label = "this file is not read: does one include itself under another name?";
            let error = Diagnostic::error(ErrorCode::TooComplex, self.span, message, label);
            // Without the chain, which is as long as that.
            let first = chain.last().map_or(self.span, |outermost| outermost.span);
            return self.build.diagnostics.push(error.related(first, "the chain of files begins here"));
        }
        let context = self.open_expansion(ExpansionKind::Include, self.span, self.context);
        self.open_file(file, context);
    }

    pub fn once(&mut self) {
        match self.frames.last() {
            Some(Frame { kind: FrameKind::File(file), .. }) => {
                self.files.once.insert(*file);
            }
            _ => {
                let label = "expected it at the top of an included file";
                self.error(ErrorCode::MisplacedOnce, self.span, "`.once` inside a block", label);
            }
        }
    }

    /// Goes to the branch that is to be taken.
    pub fn branch(&mut self, condition: Expression, next: u32, end: u32) {
        let (mut at, mut condition, mut next) = (self.index, Some(condition), next);
        loop {
            match condition.and_then(|condition| self.condition(condition)) {
                None => {
                    self.skip_broken(self.index + 1, end);
                    return self.jump(end);
                }
                Some(value) if value.number != 0 => return self.jump(at + 1),
                Some(_) => {}
            }
            let branch = self.syntax().statements[next as usize];
            match branch.kind {
                StatementKind::Elif(other) => (at, condition, next) = (next, other, branch.next),
                _ => return self.jump(next + 1),
            }
        }
    }

    fn condition(&mut self, condition: Expression) -> Option<Value> {
        self.build.evaluation.compared_address = false;
        let value = self.known(condition, "`.if`")?;
        if self.context.expansion == 0
            && (value.kind == ValueKind::Ram || self.build.evaluation.compared_address)
        {
            let message = "this looks at an address, not at the byte there";
            let label = "`.if` is decided before the program runs";
            let span = condition.span(self.context.file);
            let help = "`.when` … `.endwhen` is decided when it runs: `.when x == #0`";
            self.report(Diagnostic::warning(Warning::AddressAsValue, span, message, label).help(help));
        }
        Some(value)
    }

    pub fn repeat(&mut self, count: Expression, counter: Option<WrittenName>, end: u32) {
        let mut iterations = self.known(count, "`.repeat`").map(|value| value.number);
        if let Some(negative @ ..0) = iterations {
            let message = format!("cannot repeat {negative} times");
            self.error(ErrorCode::OutOfRange, count.span(self.context.file), message, "expected 0 or more");
            iterations = None;
        }
        let rounds =
            iterations.map(|iterations| Rounds { from: 0, step: 1, count: iterations.unsigned_abs() });
        self.open_loop(counter, rounds, None, end);
    }

    pub fn iterate(&mut self, counter: WrittenName, over: Range, end: u32) {
        let operands = &self.syntax().operands[over.indices()];
        let (rounds, text) = match *operands {
            [from, to, ref step @ ..] => {
                let step = step.first().copied();
                let mut value = |operand| self.plain_value(operand, "`.for`");
                let range = value(from).zip(value(to));
                let by = step.map_or(Some(1), value);
                if let (Some(0), Some(step)) = (by, step) {
                    self.error(ErrorCode::OutOfRange, step.span, "a step of 0", "this would never end");
                }
                (range.zip(by).and_then(|((from, to), by)| Rounds::new(from, to, by)), None)
            }
            [text, ..] => {
                let text = self.text_of(text).or_else(|| {
                    let label = "expected `from, to`, or a text in quotes";
                    let message = "`.for` needs an end";
                    self.error(ErrorCode::WrongOperand, text.span, message, label);
                    None
                });
                let length = text.map(|text| self.syntax().texts[text as usize].len() as i64);
                (length.and_then(|length| Rounds::new(0, length, 1)), text)
            }
            [] => (None, None),
        };
        self.open_loop(Some(counter), rounds, text, end);
    }

    /// Evaluates an operand without `#`, whose value must be known by now.
    pub fn plain_value(&mut self, operand: Operand, needed_by: &str) -> Option<i64> {
        if let (OperandValue::Expression(expression), false) = (operand.value, operand.immediate) {
            return self.known(expression, needed_by).map(|value| value.number);
        }
        let message = format!("{needed_by} takes plain values");
        self.error(ErrorCode::WrongOperand, operand.span, message, "expected a value without `#`");
        None
    }

    /// The text of an operand: in quotes, or an argument.
    pub fn text_of(&self, operand: Operand) -> Option<u32> {
        match operand.value {
            OperandValue::Text(text) => Some(text),
            OperandValue::Expression(expression) => match self.whole_binding(expression)?.value {
                BoundValue::Text(text) => Some(text),
                BoundValue::Cell(_) => None,
            },
        }
    }

    /// Begins the loop of the current statement, or skips it if its range is not known.
    fn open_loop(
        &mut self,
        counter: Option<WrittenName>,
        rounds: Option<Rounds>,
        text: Option<u32>,
        end: u32,
    ) {
        self.jump(end);
        let body = self.index + 1;
        let name = counter.and_then(|counter| self.name(counter));
        let rounds = rounds.filter(|_| name.is_some() == counter.is_some());
        let (Some(Rounds { from, step, count }), counter) = (rounds, name) else {
            return self.skip_broken(body, end);
        };
        if self.frames.len() >= MAX_LOOP_DEPTH {
            let message = format!("loops, macros and files are nested more than {MAX_LOOP_DEPTH} deep");
            self.error(ErrorCode::TooComplex, self.span, message, "this loop is not executed");
            return self.skip_broken(body, end);
        }
        let (span, context) = (self.span, self.context);
        let kind =
            FrameKind::Loop(Loop { counter, next: from, step, rounds: count, text, span, body, context });
        self.push_frame(Range { start: end, end }, context, kind);
    }

    /// At the end of the current frame, begins the next iteration of its loop, or leaves the frame.
    pub fn finish_frame(&mut self) {
        let Some(frame) = self.frames.pop() else { return };
        self.build.expansions[frame.expansion as usize].end_word = self.code.words.len() as u32;
        let parent = self.frames.last_mut();
        match (frame.kind, parent) {
            (FrameKind::File(_), Some(parent)) => parent.region = frame.region,
            (FrameKind::Loop(state), parent) => {
                if let Some(parent) = parent.filter(|_| frame.region != frame.base_region) {
                    // The loop has defined a label, to which local labels after the loop are private.
                    let title = self.build.table.regions[frame.region as usize].title;
                    let region = Region { outer: None, within: parent.base_region, title };
                    parent.region = self.build.table.open_region(region);
                }
                if state.rounds > 0 {
                    self.next_iteration(state, frame.end);
                }
            }
            _ => {}
        }
    }

    fn next_iteration(&mut self, state: Loop, end: u32) {
        let Loop { counter, next, text, span, body, mut context, .. } = state;
        let value = match text {
            Some(text) => i64::from(self.syntax().texts[text as usize].as_bytes()[next as usize]),
            None => next,
        };
        let title = RegionTitle::Expansion(None, self.code.here as u16);
        let region = Region { outer: Some(context.region), within: context.region, title };
        let shared = counter.map(|name| self.build.library.names.shared(name));
        if let Some(name) = counter {
            let cell = self.build.table.settled(name, Ok(Value::plain(value)));
            let binding = Binding { name, immediate: false, value: BoundValue::Cell(cell) };
            context.scope = self.build.table.open_scope(context.scope, vec![binding]);
        }
        context = self.open_expansion(ExpansionKind::Iteration { counter: shared, value }, span, context);
        context.region = self.build.table.open_region(region);
        self.build.work += ITERATION_WORK;
        let kind =
            FrameKind::Loop(Loop { next: next.wrapping_add(state.step), rounds: state.rounds - 1, ..state });
        self.push_frame(Range { start: body, end }, context, kind);
    }
}
