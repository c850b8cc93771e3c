//! Definitions of names, RAM and words; assertions.

use super::expander::Expander;
use super::words::{Assertion, Content, PlacedWord};
use crate::codes::{ErrorCode, Warning};
use crate::diagnostic::Diagnostic;
use crate::evaluate::Origin;
use crate::kind::SymbolKind;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Expression, Part, WrittenName};
use crate::table::{Loss, NoValue, Region, RegionTitle, TableEntry, Value, ValueKind};
use gray1_isa::PROGRAM_WORDS;
use gray1_isa::memory_map::WORKING_RAM_END;
use gray1_text::{counted, grouped};

impl Expander<'_, '_> {
    /// Determines the name that a statement defines, and whether it is spelled out.
    pub fn defined_name(&mut self, written: WrittenName) -> Option<(Name, bool)> {
        let name = self.name(written);
        match name {
            Some(name) => self.build.library.names.defined[name.index()] = true,
            None => self.build.lose(written),
        }
        name.map(|name| (name, written.plain().is_some()))
    }

    /// Computes a name from its parts.
    pub fn name(&mut self, written: WrittenName) -> Option<Name> {
        let pasting = match written {
            WrittenName::Plain(name) => return Some(name),
            WrittenName::Pasted(pasting) => pasting,
        };
        let mut values = Vec::new();
        for index in 0..self.syntax().pastings[pasting as usize].len() {
            if let Part::Value(value) = self.syntax().pastings[pasting as usize][index] {
                values.push(self.known(value, "a name")?);
            }
        }
        self.build.evaluation.at = Origin::new(self.span, self.context);
        self.build.paste(pasting, &values).ok()
    }

    pub fn label(&mut self, written: WrittenName) {
        let Some((name, spelled)) = self.defined_name(written) else { return };
        if !self.build.library.names.is_local(name) {
            self.open_label_region(name);
        }
        let value = Value { number: i64::from(self.code.here), kind: ValueKind::Label };
        self.define(name, SymbolKind::Label, value, 0, spelled);
    }

    /// Opens the region of a label, to which the local labels after it are private.
    pub fn open_label_region(&mut self, name: Name) {
        let Some(frame) = self.frames.last_mut() else { return };
        let region = Region { outer: None, within: frame.base_region, title: RegionTitle::Label(name) };
        frame.region = self.build.table.open_region(region);
        self.context.region = frame.region;
    }

    pub fn constant(&mut self, written: WrittenName, expression: Expression, default: bool) {
        let Some((name, spelled)) = self.defined_name(written) else { return };
        if default {
            self.build.defaults.insert(name);
        }
        if default && self.build.table.global(name).is_some() {
            return;
        }
        let cell = self.build.table.add_cell(name, expression, self.context);
        self.define_cell(name, SymbolKind::Constant, cell, 0, spelled);
        // An error is reported at once; a value that needs later names waits for them.
        let _ = self.build.cell_value(cell);
    }

    pub fn variable(&mut self, written: WrittenName, expression: Expression) {
        let Some((name, spelled)) = self.defined_name(written) else { return };
        let cell = self.build.table.add_cell(name, expression, self.context);
        match self.build.table.global(name).map(|entry| entry.kind) {
            Some(SymbolKind::Variable) => {
                self.warn_if_hidden(name, spelled);
                self.build.table.set_cell(name, cell);
            }
            _ => self.define_cell(name, SymbolKind::Variable, cell, 0, spelled),
        }
        self.build.table.assign(name, cell);
        let _ = self.build.cell_value(cell);
    }

    /// Defines a function or a table, whose statement is evaluated at its uses.
    pub fn definition(&mut self, written: WrittenName, kind: SymbolKind) {
        let Some((name, spelled)) = self.defined_name(written) else { return };
        if self.build.table.global(name).is_none() {
            self.build.table.definitions.insert(name, (self.index, self.context));
            self.build.table.time += 1;
        }
        self.define(name, kind, Value::plain(0), 0, spelled);
    }

    pub fn ram(&mut self, written: WrittenName, count: Option<Expression>) {
        let Some((name, spelled)) = self.defined_name(written) else { return };
        let Some(count) = count.map_or(Some(1), |count| self.byte_count(count)) else {
            self.build.table.lose(name, Loss::Broken);
            return;
        };
        let value = self.allocate(count);
        self.define(name, SymbolKind::Ram, value, count, spelled);
    }

    fn byte_count(&mut self, count: Expression) -> Option<u16> {
        let number = self.known(count, "`.ram`")?.number;
        let bytes = u16::try_from(number).ok().filter(|bytes| (1..=WORKING_RAM_END).contains(bytes));
        if bytes.is_none() {
            let message = format!("`.ram` cannot have {number} bytes");
            let label = format!("expected 1..{WORKING_RAM_END}");
            self.error(ErrorCode::OutOfRange, count.span(self.context.file), message, label);
        }
        bytes
    }

    /// Allocates bytes of RAM; returns their first address.
    pub fn allocate(&mut self, count: u16) -> Value {
        let address = self.ram.next;
        let left = WORKING_RAM_END - address;
        if count <= left {
            self.ram.next += count;
            self.build.table.ram.insert(address, count);
        } else if !std::mem::replace(&mut self.ram.is_full, true) {
            let asked = counted(usize::from(count), "byte");
            let label = format!("this asks for {asked}; {left} of 000..FDF are left");
            self.error(ErrorCode::RamFull, self.span, "RAM is full", label);
        }
        Value { number: i64::from(address), kind: ValueKind::Ram }
    }

    /// Defines a name with a value; returns its cell.
    pub fn define(&mut self, name: Name, kind: SymbolKind, value: Value, size: u16, spelled: bool) -> u32 {
        let cell = self.build.table.settled(name, Ok(value));
        self.define_cell(name, kind, cell, size, spelled);
        cell
    }

    fn define_cell(&mut self, name: Name, kind: SymbolKind, cell: u32, size: u16, spelled: bool) {
        let (span, context) = (self.span, self.context);
        let plain = spelled && context.expansion == 0;
        let entry = TableEntry { name, kind, cell, size, span: Some(span), context, plain };
        self.warn_if_hidden(name, spelled);
        let local = self.build.library.names.is_local(name);
        let Err(taken) = self.build.table.enter(entry, local) else { return self.refuse_if_borrowed(name) };
        let shown = self.show(name);
        let label = match taken.span {
            Some(_) => "expected a name that is not taken",
            None if taken.kind == SymbolKind::Ram => "this name is built in",
            None => "this name is predefined, for instance on the command line",
        };
        let mut diagnostic =
            Diagnostic::error(ErrorCode::DuplicateName, span, format!("`{shown}` is defined twice"), label);
        if let Some(first) = taken.span {
            let text = format!("it is a {} already, defined here", taken.kind.noun());
            diagnostic = diagnostic.related(first, text);
            diagnostic.related[0].chain = self.build.chain(taken.context.expansion);
        }
        let help = match taken.span {
            Some(first) if first == span && !self.build.library.is_of_library(span.file) => {
                "the same line defines it each time: use a local label (`.name:`) or paste a number into the \
                 name (`name{k}`)"
            }
            None if taken.kind != SymbolKind::Ram => "write `NAME ?= …` for a value that may be overridden",
            _ => return self.report(diagnostic),
        };
        self.report(diagnostic.help(help.replace("NAME", &shown)));
    }

    /// Reports the definition of a name that was resolved to the library before, because its meaning would change here.
    fn refuse_if_borrowed(&mut self, name: Name) {
        let Some(&(first, expansion)) = self.build.borrowed.get(&name) else { return };
        let shown = self.show(name);
        let message = format!("`{shown}` is defined after it was used");
        let label = "before this line it means what the library defines";
        let mut diagnostic = Diagnostic::error(ErrorCode::DuplicateName, self.span, message, label)
            .related(first, "it is used here")
            .help(format!("define `{shown}` before its first use, or choose another name"));
        diagnostic.related[0].chain = self.build.chain(expansion);
        self.report(diagnostic);
    }

    fn warn_if_hidden(&mut self, name: Name, spelled: bool) {
        if spelled && self.build.table.binding(self.context.scope, name).is_some() {
            let message =
                format!("`{}` is a parameter or counter here, which hides this name", self.show(name));
            let label = "to make a name from its text, write `{…}` around it";
            self.report(Diagnostic::warning(Warning::HiddenName, self.span, &message, label));
        }
    }

    pub fn org(&mut self, target: Expression) {
        let Some(Value { number, kind }) = self.known(target, "`.org`") else { return };
        if kind != ValueKind::Ram && (0..PROGRAM_WORDS as i64).contains(&number) {
            self.code.here = number as u32;
            self.code.orgs += 1;
            self.code.in_trouble = false;
        } else {
            let message = format!("there is no sequence number {number}");
            let label = "`.org` expects 0..4095";
            self.error(ErrorCode::TargetRange, target.span(self.context.file), message, label);
        }
    }

    pub fn assertion(&mut self, condition: Expression, text: Option<u32>) {
        let assertion = Assertion { condition, text, context: self.context };
        self.build.evaluation.last_comparison = None;
        match self.build.evaluate(condition, self.context) {
            Ok(value) => self.build.check_assertion(assertion, value),
            Err(NoValue::Failed) => {}
            Err(NoValue::NotYet(..)) => self.assertions.push(assertion),
        }
    }

    /// Reports a program that is too long, with its length. Jumps beyond the end are then not reported.
    pub fn check_length(&mut self) {
        let Some((span, expansion)) = self.code.beyond.filter(|_| !self.build.gave_up) else { return };
        let (beyond, all) = (self.code.words_beyond, self.code.words.len() + self.code.words_beyond);
        let message = match self.code.orgs {
            0 => format!(
                "the program is too long: {} words, {} more than fit",
                grouped(all as u64),
                grouped(beyond as u64)
            ),
            _ => format!("the program is too long: {} after sequence number 4095", counted(beyond, "word")),
        };
        let label = "this would be word 4,096; expected 0..4095";
        let diagnostic = Diagnostic::error(ErrorCode::ProgramTooLong, span, message, label);
        self.build.report(diagnostic, expansion);
        self.build.root_causes.is_too_long = true;
    }

    /// Emits a word at the current sequence number, and moves to the next.
    pub fn put_word(&mut self, content: Content, span: Span) {
        let address = self.code.here;
        self.code.here += 1;
        let Some(taken) = self.code.word_at.get_mut(address as usize) else {
            self.code.beyond.get_or_insert((span, self.context.expansion));
            self.code.words_beyond += 1;
            return;
        };
        if let Some(first) = *taken {
            if !std::mem::replace(&mut self.code.in_trouble, true) {
                let first = self.code.words[first as usize].span;
                let message = format!("two words for sequence number {address}");
                let label = "expected a free sequence number; is an `.org` wrong?";
                let diagnostic = Diagnostic::error(ErrorCode::OccupiedWord, span, message, label);
                self.report(diagnostic.related(first, "this word is there already"));
            }
            return;
        }
        *taken = Some(self.code.words.len() as u32);
        self.code.in_trouble = false;
        self.code.words.push(PlacedWord { address: address as u16, content, context: self.context, span });
    }
}
