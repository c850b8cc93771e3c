//! Everything that changes where the walk goes on: conditions, loops, includes. Macro calls are in `calls`.

use super::{DEEPEST_INCLUDE, Expander, FILE_WORK, Frame, FrameKind};
use crate::diagnostic::Diagnostic;
use crate::expansion::{Expansion, ExpansionKind};
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Expression, Operand, OperandValue, OperationKind, Range, StatementKind};
use crate::table::{Binding, BoundValue, Context, Region, RegionTitle, Value};

/// A `.repeat` or `.for` under way.
pub(super) struct Loop {
    counter: Option<Name>,
    /// The first statement of its body.
    body: u32,
    next: i64,
    end: i64,
    /// The text whose bytes it runs through; then `next` and `end` count the bytes.
    text: Option<u32>,
    span: Span,
    /// Of the place where the loop stands.
    scope: u32,
    region: u32,
    expansion: u32,
}

impl Expander<'_, '_> {
    pub(super) fn open_file(&mut self, file: u32, context: Context) {
        let Range { start, end } = self.build.library.statements(file);
        self.frames.push(Frame {
            at: start,
            end,
            scope: context.scope,
            region: context.region,
            base_region: self.frames.last().map_or(0, |frame| frame.base_region),
            expansion: context.expansion,
            kind: FrameKind::File(file),
        });
    }

    pub(super) fn include(&mut self, text: u32, span: Span, context: Context) -> Option<u32> {
        self.build.work += FILE_WORK / 10;
        let chain = self.build.chain(context.expansion);
        let before = self.build.library.sources.paths().count();
        let file = self.build.library.include(text, span, &chain)?;
        if self.build.library.sources.paths().count() > before {
            self.build.work += FILE_WORK;
        }
        if self.once.contains(&file) {
            return None;
        }
        let open = self.frames.iter().filter_map(|frame| match frame.kind {
            FrameKind::File(open) => Some(open),
            _ => None,
        });
        let open: Vec<u32> = open.collect();
        let shown = self.build.library.sources.path(file).to_owned();
        if open.contains(&file) {
            let paths = open.iter().skip_while(|&&other| other != file).chain([&file]);
            let circle: Vec<&str> = paths.map(|&file| self.build.library.sources.path(file)).collect();
            let diagnostic = Diagnostic::error(span, format!("`{shown}` includes itself"))
                .label(format!("this leads in a circle: {}", circle.join(" → ")));
            self.build.report(diagnostic, context.expansion);
            return None;
        }
        if open.len() > DEEPEST_INCLUDE {
            let message = format!("files are included more than {DEEPEST_INCLUDE} deep");
            self.build.report(Diagnostic::error(span, message), context.expansion);
            return None;
        }
        let expansion =
            self.open_expansion(context.expansion, Expansion { kind: ExpansionKind::Include, span });
        self.open_file(file, Context { expansion, ..context });
        Some(expansion)
    }

    pub(super) fn once(&mut self, span: Span, context: Context) {
        match self.frames.last() {
            Some(Frame { kind: FrameKind::File(file), .. }) => {
                self.once.insert(*file);
            }
            _ => {
                let diagnostic = Diagnostic::error(span, "`.once` inside of a block")
                    .label("expected it at the top of an included file");
                self.build.report(diagnostic, context.expansion);
            }
        }
    }

    /// Goes to the branch that is to be taken.
    pub(super) fn branch(
        &mut self,
        index: u32,
        condition: Expression,
        next: u32,
        end: u32,
        context: Context,
    ) {
        let (mut at, mut condition, mut next) = (index, condition, next);
        loop {
            let value =
                if condition.operations.len() == 0 { None } else { self.known(condition, context, "`.if`") };
            match value {
                None => {
                    self.skip_broken(index + 1, end);
                    return self.jump(end);
                }
                Some(value) if value.number != 0 => return self.jump(at + 1),
                Some(_) => {}
            }
            match self.build.library.syntax.statements[next as usize].kind {
                StatementKind::Elif { condition: other, next: after, .. } => {
                    (at, condition, next) = (next, other, after);
                }
                _ => return self.jump(next + 1),
            }
        }
    }

    pub(super) fn repeat(
        &mut self,
        index: u32,
        count: Expression,
        counter: Option<Name>,
        end: u32,
        context: Context,
    ) {
        let rounds = self.known(count, context, "`.repeat`").and_then(|value| {
            if value.number < 0 {
                let message = format!("cannot repeat {} times", value.number);
                let diagnostic = Diagnostic::error(count.span(context.file), message);
                self.build.report(diagnostic.label("expected 0 or more"), context.expansion);
                return None;
            }
            Some(value.number)
        });
        match rounds {
            None => self.skip_broken(index + 1, end),
            Some(rounds) => self.open_loop(index, counter, (0, rounds), None, context),
        }
        self.leave_block(end, rounds.is_some());
    }

    pub(super) fn iterate(&mut self, index: u32, counter: Name, over: Range, end: u32, context: Context) {
        let operands: Vec<Operand> = self.build.library.syntax.operands[over.indices()].to_vec();
        let opened = match operands[..] {
            [text] => self.text_of(text, context).map(|text| {
                let length = self.build.library.syntax.texts[text as usize].len() as i64;
                self.open_loop(index, Some(counter), (0, length), Some(text), context);
            }),
            [from, to] => {
                let from = self.plain_value(from, context);
                let to = self.plain_value(to, context);
                from.zip(to).map(|range| self.open_loop(index, Some(counter), range, None, context))
            }
            _ => None,
        };
        if opened.is_none() {
            self.skip_broken(index + 1, end);
        }
        self.leave_block(end, opened.is_some());
    }

    /// Lets the frame that a loop stands in go on behind it, once the loop on top is done.
    fn leave_block(&mut self, end: u32, opened: bool) {
        let depth = self.frames.len() - 1 - usize::from(opened);
        self.frames[depth].at = end;
    }

    fn plain_value(&mut self, operand: Operand, context: Context) -> Option<i64> {
        match operand.value {
            OperandValue::Expression(expression) if !operand.immediate => {
                self.known(expression, context, "`.for`").map(|value| value.number)
            }
            _ => {
                let diagnostic = Diagnostic::error(operand.span, "`.for` counts with plain values");
                self.build.report(diagnostic.label("expected a value without `#`"), context.expansion);
                None
            }
        }
    }

    /// The text of the only operand of a `.for`: quoted here, or an argument.
    fn text_of(&mut self, operand: Operand, context: Context) -> Option<u32> {
        match operand.value {
            OperandValue::Text(text) => return Some(text),
            OperandValue::Expression(expression) => {
                if let Some(Binding { value: BoundValue::Text(text), .. }) =
                    self.whole_binding(expression, context)
                {
                    return Some(text);
                }
            }
        }
        let diagnostic = Diagnostic::error(operand.span, "`.for` needs to know where to end")
            .label("expected `from, to`, or a text in quotes");
        self.build.report(diagnostic, context.expansion);
        None
    }

    /// The parameter that an expression consists of, if it is nothing else.
    pub(super) fn whole_binding(&self, expression: Expression, context: Context) -> Option<Binding> {
        match self.build.library.syntax.operations(expression) {
            [operation] => match operation.kind {
                OperationKind::Name(name) => self.build.table.binding(context.scope, name),
                _ => None,
            },
            _ => None,
        }
    }

    fn open_loop(
        &mut self,
        index: u32,
        counter: Option<Name>,
        (next, end): (i64, i64),
        text: Option<u32>,
        context: Context,
    ) {
        let statement = self.build.library.syntax.statements[index as usize];
        let (StatementKind::Repeat { end: body_end, .. } | StatementKind::For { end: body_end, .. }) =
            statement.kind
        else {
            return;
        };
        let Context { scope, region, expansion, .. } = context;
        let span = statement.span;
        let kind = FrameKind::Loop(Loop {
            counter,
            body: index + 1,
            next,
            end,
            text,
            span,
            scope,
            region,
            expansion,
        });
        self.frames.push(Frame {
            at: body_end,
            end: body_end,
            scope,
            region,
            base_region: region,
            expansion,
            kind,
        });
    }

    /// A frame is through: the next round of its loop begins, or it is left.
    pub(super) fn finish_frame(&mut self) {
        let Some(frame) = self.frames.last_mut() else { return };
        let words = self.words.len() as u32;
        let region = frame.region;
        let labelled = region != frame.base_region;
        match &mut frame.kind {
            FrameKind::Loop(rounds) => {
                let finished = frame.expansion;
                if finished != rounds.expansion {
                    self.build.expansions[finished as usize].end_word = words;
                }
                if rounds.next >= rounds.end {
                    self.frames.pop();
                    if labelled && !self.frames.is_empty() {
                        self.follow_label(self.frames.len() - 1, region);
                    }
                    return;
                }
                let value = match rounds.text {
                    Some(text) => i64::from(
                        self.build.library.syntax.texts[text as usize].as_bytes()[rounds.next as usize],
                    ),
                    None => rounds.next,
                };
                rounds.next += 1;
                let (counter, parent, span) = (rounds.counter, rounds.expansion, rounds.span);
                let (outer_scope, outer_region) = (rounds.scope, rounds.region);
                frame.at = rounds.body;
                let scope = match counter {
                    None => outer_scope,
                    Some(name) => {
                        let cell = self.build.table.known(name, Value::plain(value));
                        let binding = Binding { name, immediate: false, value: BoundValue::Cell(cell) };
                        self.build.table.open_scope(outer_scope, vec![binding])
                    }
                };
                let title = RegionTitle::Expansion(None, self.here as u16);
                let opened = Region { outer: Some(outer_region), within: outer_region, title };
                let opened = self.build.table.open_region(opened);
                self.build.work += 32;
                let counter = counter.map(|name| self.build.library.names.shared(name));
                let kind = ExpansionKind::Iteration { counter, value };
                let expansion = self.open_expansion(parent, Expansion { kind, span });
                let depth = self.frames.len() - 1;
                let frame = &mut self.frames[depth];
                (frame.scope, frame.region, frame.base_region, frame.expansion) =
                    (scope, opened, opened, expansion);
                if labelled && depth > 0 {
                    self.follow_label(depth - 1, region);
                }
            }
            FrameKind::File(_) => {
                let finished = frame.expansion;
                self.build.expansions[finished as usize].end_word = words;
                self.frames.pop();
                if let Some(parent) = self.frames.last_mut() {
                    parent.region = region;
                }
            }
            FrameKind::Macro => {
                let finished = frame.expansion;
                self.build.expansions[finished as usize].end_word = words;
                self.frames.pop();
            }
        }
    }

    /// A loop has defined a label: local labels behind the loop are private to that one.
    fn follow_label(&mut self, depth: usize, region: u32) {
        let title = self.build.table.regions[region as usize].title;
        let within = self.frames[depth].base_region;
        self.frames[depth].region = self.build.table.open_region(Region { outer: None, within, title });
    }
}
