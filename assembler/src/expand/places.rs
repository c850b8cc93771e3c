//! Everything that gets a place: labels, RAM names and words; and constants, which get a name.

use super::{Assertion, Content, Expander, PlacedWord};
use crate::diagnostic::Diagnostic;
use crate::evaluate::{NoValue, Stage};
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{DefinedName, Expression, Part};
use crate::table::{Cell, CellState, Context, Region, RegionTitle, SymbolKind, TableEntry, Value, ValueKind};
use gray1_isa::PROGRAM_WORDS;
use gray1_isa::memory_map::WORKING_RAM_END;

impl Expander<'_, '_> {
    /// The name that a definition defines; `true` when it is spelled out.
    pub(super) fn defined_name(
        &mut self,
        name: DefinedName,
        span: Span,
        context: Context,
    ) -> Option<(Name, bool)> {
        let pasting = match name {
            DefinedName::Plain(name) => return Some((name, true)),
            DefinedName::Pasted(pasting) => pasting,
        };
        let parts = self.build.library.syntax.pastings[pasting as usize].clone();
        let mut values = Vec::new();
        for part in parts {
            if let Part::Value(value) = part {
                match self.known(value, context, "a name") {
                    Some(value) => values.push(value),
                    None => {
                        self.build.lose(name);
                        return None;
                    }
                }
            }
        }
        match self.build.paste(pasting, &values, span, context) {
            Ok(name) => {
                self.build.library.syntax.note_definition(name);
                Some((name, false))
            }
            Err(_) => {
                self.build.lose(name);
                None
            }
        }
    }

    pub(super) fn label(&mut self, name: DefinedName, span: Span, mut context: Context) {
        let Some((name, plain)) = self.defined_name(name, span, context) else { return };
        if !self.build.library.names.is_local(name) {
            context.region = self.open_label_region(name);
        }
        let value = Value { number: i64::from(self.here), kind: ValueKind::Label };
        let cell = self.build.table.known(name, value);
        let (kind, plain) = (SymbolKind::Label, plain && context.expansion == 0);
        self.enter(TableEntry { name, kind, cell, size: 0, span: Some(span), context, plain });
    }

    /// Local labels from here on are private to this label.
    pub(super) fn open_label_region(&mut self, name: Name) -> u32 {
        let Some(frame) = self.frames.last_mut() else { return 0 };
        let region = Region { outer: None, within: frame.base_region, title: RegionTitle::Label(name) };
        frame.region = self.build.table.open_region(region);
        frame.region
    }

    pub(super) fn enter(&mut self, entry: TableEntry) {
        let local = self.build.library.names.is_local(entry.name);
        let Err(taken) = self.build.table.enter(entry, local) else { return };
        let shown = self.build.library.names.show(entry.name);
        let Some(span) = entry.span else { return };
        let mut diagnostic = Diagnostic::error(span, format!("`{shown}` is defined twice"));
        diagnostic = match taken.span {
            Some(first) => {
                diagnostic = diagnostic
                    .label("expected a name that is not taken")
                    .related(first, format!("it is a {} already, defined here", taken.kind.noun()));
                diagnostic.related[0].chain = self.build.chain(taken.context.expansion);
                if first == span {
                    diagnostic = diagnostic.help(
                        "the same line defines it each time: use a local label (`.name:`) or paste a number \
                         into the name (`name{k}`)",
                    );
                }
                diagnostic
            }
            None if taken.kind == SymbolKind::Ram => diagnostic.label("this name is built in"),
            None => diagnostic
                .label("this name is predefined, as from the command line")
                .help(format!("write `{shown} ?= …` for a value that may be overridden")),
        };
        self.build.report(diagnostic, entry.context.expansion);
    }

    pub(super) fn constant(
        &mut self,
        name: DefinedName,
        value: Expression,
        default: bool,
        span: Span,
        context: Context,
    ) {
        let Some((name, plain)) = self.defined_name(name, span, context) else { return };
        if default && !self.build.defaults.contains(&name) {
            self.build.defaults.push(name);
        }
        if default && self.build.table.global(name).is_some() {
            return;
        }
        let cell = Cell { name, expression: value, context, state: CellState::Waiting };
        let cell = self.build.table.add_cell(cell);
        let plain = plain && context.expansion == 0;
        self.enter(TableEntry {
            name,
            kind: SymbolKind::Constant,
            cell,
            size: 0,
            span: Some(span),
            context,
            plain,
        });
        // A failure is reported at once; a value that needs later names waits for them.
        let _ = self.build.cell_value(cell, Stage::Expanding);
    }

    pub(super) fn ram(&mut self, name: DefinedName, count: Option<Expression>, span: Span, context: Context) {
        let Some((name, plain)) = self.defined_name(name, span, context) else { return };
        let count = match count {
            None => Some(1),
            Some(expression) => self.known(expression, context, "`.ram`").and_then(|value| {
                let bytes =
                    u16::try_from(value.number).ok().filter(|bytes| (1..=WORKING_RAM_END).contains(bytes));
                if bytes.is_none() {
                    let message = format!("`.ram` cannot have {} bytes", value.number);
                    let label = format!("expected 1..{WORKING_RAM_END}");
                    let span = expression.span(context.file);
                    self.build.report(Diagnostic::error(span, message).label(label), context.expansion);
                }
                bytes
            }),
        };
        let Some(count) = count else {
            self.build.table.broken.insert(name);
            return;
        };
        let address = self.allocate(count, span, context);
        let value = Value { number: i64::from(address), kind: ValueKind::Ram };
        let cell = self.build.table.known(name, value);
        let (kind, plain) = (SymbolKind::Ram, plain && context.expansion == 0);
        self.enter(TableEntry { name, kind, cell, size: count, span: Some(span), context, plain });
    }

    /// Takes bytes of RAM.
    pub(super) fn allocate(&mut self, count: u16, span: Span, context: Context) -> u16 {
        let address = self.next_ram;
        if count > WORKING_RAM_END - address {
            if !self.ram_full {
                let left = WORKING_RAM_END - address;
                let diagnostic = Diagnostic::error(span, "RAM is full")
                    .label(format!("{count} bytes are asked for, {left} are left of 000..FDF"));
                self.build.report(diagnostic, context.expansion);
            }
            self.ram_full = true;
        } else {
            self.next_ram += count;
        }
        address
    }

    pub(super) fn org(&mut self, target: Expression, context: Context) {
        let Some(value) = self.known(target, context, "`.org`") else { return };
        match u16::try_from(value.number) {
            Ok(sequence) if usize::from(sequence) < PROGRAM_WORDS && value.kind != ValueKind::Ram => {
                self.here = u32::from(sequence);
                self.in_trouble = false;
            }
            _ => {
                let message = format!("there is no sequence number {}", value.number);
                let diagnostic = Diagnostic::error(target.span(context.file), message);
                self.build.report(diagnostic.label("`.org` expects 0..4095"), context.expansion);
            }
        }
    }

    pub(super) fn assertion(&mut self, assertion: Assertion) {
        match self.build.evaluate(assertion.condition, assertion.context, Stage::Expanding) {
            Ok(value) => self.build.judge(assertion, value),
            Err(NoValue::Failed) => {}
            Err(NoValue::NotYet(..)) => self.assertions.push(assertion),
        }
    }

    /// Puts a word at the current place and goes to the next.
    pub(super) fn place(&mut self, content: Content, context: Context, span: Span) {
        let address = self.here;
        self.here += 1;
        let number = self.words.len() as u32;
        if address as usize >= PROGRAM_WORDS {
            if !std::mem::replace(&mut self.in_trouble, true) {
                let diagnostic = Diagnostic::error(span, "the program is too long")
                    .label("this would be word 4,096 or later; expected 0..4095");
                self.build.report(diagnostic, context.expansion);
            }
            return;
        }
        let address = address as u16;
        match self.occupied.take(address, number) {
            None => self.in_trouble = false,
            Some(first) => {
                if !std::mem::replace(&mut self.in_trouble, true) {
                    let first = self.words[first as usize].span;
                    let diagnostic =
                        Diagnostic::error(span, format!("two words for sequence number {address}"))
                            .label("expected a place that is still free; is an `.org` wrong?")
                            .related(first, "this word is there already");
                    self.build.report(diagnostic, context.expansion);
                }
                return;
            }
        }
        self.words.push(PlacedWord { address, content, context, span });
    }
}
