//! Names in expressions: looking them up, pasting them together, and reporting those that are not defined.

use super::{Effect, Origin};
use crate::codes::{ErrorCode, Warning};
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::Build;
use crate::foreign;
use crate::kind::SymbolKind;
use crate::names::{Name, is_name, shorten};
use crate::source::Span;
use crate::syntax::Part;
use crate::table::{Binding, Blocker, BoundValue, CellState, Context, Loss, NoValue, Value, ValueKind};
use gray1_text::MAX_CANDIDATES;
use std::fmt::Write;

/// The maximum length of a pasted name. A loop can make many of them.
const MAX_PASTED_LENGTH: usize = 100;
/// The initial capacity for a pasted name.
const TYPICAL_PASTED_LENGTH: usize = 32;

impl Build<'_> {
    /// Looks up a name.
    pub(super) fn look_up(&mut self, name: Name) -> Result<Effect, NoValue> {
        let cell = match self.table.binding(self.evaluation.at.context.scope, name) {
            Some(Binding { value: BoundValue::Cell(cell), .. }) => cell,
            Some(_) => {
                let message = format!("`{}` stands for a text here", self.library.names.show(name));
                return self.fail(ErrorCode::WrongKind, message, "expected a value");
            }
            None => self.defined_cell(name)?,
        };
        self.settled(cell).map_or(Ok(Effect::Compute(cell)), |outcome| outcome.map(Effect::Push))
    }

    /// Finds the cell of a name that is neither a parameter nor a counter.
    pub(super) fn defined_cell(&mut self, name: Name) -> Result<u32, NoValue> {
        let Origin { span, context, .. } = self.evaluation.at;
        let table = &self.table;
        let entry = match (self.library.names.is_local(name), self.evaluation.is_final) {
            (false, _) => self.global(name),
            (true, false) => table.own_local(context.region, name).copied(),
            (true, true) => table.local(context.region, name).copied(),
        };
        let Some(entry) = entry else {
            if !self.evaluation.is_final {
                let name = self.resolve_name(name, |name| self.library.names.defined[name.index()]);
                return Err(NoValue::NotYet(Blocker { name, span, region: context.region }));
            }
            self.unknown_name(name, span, context);
            return Err(NoValue::Failed);
        };
        if entry.name != name && !self.evaluation.is_final {
            self.borrow(name, span, context.expansion);
        }
        let (name, table) = (entry.name, &self.table);
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
        self.fail(code, message, label)
    }

    /// Pastes a name from its values on the stack.
    pub(super) fn paste_from(&mut self, pasting: u32) -> Result<Name, NoValue> {
        let parts = self.library.syntax.pastings[pasting as usize].iter();
        let values = parts.filter(|part| matches!(part, Part::Value(_))).count();
        let below = self.evaluation.stack.len().saturating_sub(values);
        let values = self.evaluation.stack.split_off(below);
        let name = self.paste(pasting, &values)?;
        self.library.names.mentioned[name.index()] = true;
        Ok(name)
    }

    /// Pastes a name from these values.
    pub fn paste(&mut self, pasting: u32, values: &[Value]) -> Result<Name, NoValue> {
        let mut spelling = String::with_capacity(TYPICAL_PASTED_LENGTH);
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
                let _ = write!(spelling, "{number}");
            } else {
                let message = format!("{number} cannot be part of a name");
                return self.fail(ErrorCode::BadName, message, "expected 0 or more in the braces");
            }
        }
        if has_address && self.evaluation.at.context.expansion == 0 {
            let message = "an address becomes part of this name, not the byte there";
            let label = "the bytes in RAM are known only when the program runs";
            self.report(
                Diagnostic::warning(Warning::AddressAsValue, self.evaluation.at.span, message, label),
                0,
            );
        }
        if spelling.len() > MAX_PASTED_LENGTH {
            let message = format!("`{}` has more than {MAX_PASTED_LENGTH} characters", shorten(&spelling));
            return self.fail(ErrorCode::BadName, message, "expected a shorter name");
        }
        if !is_name(&spelling) {
            let message = format!("`{}` is not a name", shorten(&spelling));
            let expected = "expected letters, digits and `_`, starting with a letter or `_`";
            return self.fail(ErrorCode::BadName, message, expected);
        }
        // A pasted name in the library belongs to the library if it begins there. If it begins with an argument, it belongs
        // to the caller.
        let parts = &self.library.syntax.pastings[pasting as usize];
        let begins_here = matches!(parts.first(), Some(Part::Text(text)) if is_name(text));
        let is_own = begins_here && !spelling.starts_with('.');
        let name = match is_own && self.library.is_of_library(self.evaluation.at.context.file) {
            true => self.library.names.intern_of_library(&spelling),
            false => self.library.names.intern(&spelling),
        };
        self.pasted.insert((pasting, name));
        Ok(name)
    }

    /// Reports an undefined name, unless its definition may have been lost.
    pub fn unknown_name(&mut self, name: Name, span: Span, context: Context) {
        if self.may_be_lost(name) {
            return;
        }
        let local = self.library.names.is_local(name);
        let what = if local { "local label" } else { "name" };
        let message = format!("unknown {what} `{}`", self.library.names.show(name));
        if !self.is_new(span, &message, context.expansion) {
            return;
        }
        let is_affordable = self.can_afford(self.table.entries.len());
        let entries = if is_affordable { &self.table.entries[..] } else { &[] };
        let names = &self.library.names;
        let candidates = entries.iter().rev().filter(|entry| names.is_local(entry.name) == local);
        let bound = self.table.scopes[context.scope as usize].bindings.iter().map(|binding| binding.name);
        let known = candidates.map(|entry| entry.name).chain(bound).filter(|&other| other != name);
        let known: Vec<Name> = known.take(MAX_CANDIDATES).collect();
        let is_accumulator = names.spelling(name).eq_ignore_ascii_case("a");
        let dotted = format!(".{}", names.spelling(name));
        let elsewhere = entries.iter().find(|entry| local && entry.name == name).copied();
        let dotted = self.library.names.intern(&dotted);
        let has_dot = !local && self.table.local(context.region, dotted).is_some();
        let is_unassembled = elsewhere.is_none() && self.table.lost(name) == Some(Loss::Unassembled);
        let label = match is_unassembled {
            true => "it belongs to a routine that is never called, which is not assembled",
            false => "expected a name that is defined somewhere",
        };
        let diagnostic = Diagnostic::error(ErrorCode::UnknownName, span, message, label);
        let diagnostic = match elsewhere.and_then(|entry| entry.span) {
            Some(span) => diagnostic.related(span, "one with this name is here, private to its section"),
            None if is_unassembled => diagnostic,
            None if has_dot => diagnostic.did_you_mean(Some(self.library.names.spelling(dotted))),
            None if is_accumulator => diagnostic.help("A cannot be an operand: `sta x` first, then use `x`"),
            None => match foreign::library_ram(self.library.names.spelling(name)) {
                Some(help) => diagnostic.help(help),
                None => {
                    let meant = self.suggestion(name, &known);
                    let defined = meant.as_deref().map(|meant| self.library.names.intern(meant));
                    // If that name is unused, its definition is misspelt, which is one error.
                    if defined.is_some_and(|meant| !self.library.names.mentioned[meant.index()]) {
                        self.table.lose(name, Loss::Broken);
                    }
                    diagnostic.did_you_mean(meant.as_deref())
                }
            },
        };
        self.report(diagnostic, context.expansion);
    }
}
