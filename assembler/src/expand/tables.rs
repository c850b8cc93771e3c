//! `read_table name`: A becomes the value of a table at the index in A.

use super::conditions::{Branch, Target};
use super::expander::Expander;
use super::tree::{self, Shape};
use crate::build::MOST_WORK;
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::Stage;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Operand, OperandValue, Range, StatementKind};
use crate::table::{BoundValue, Context, SymbolKind};
use std::rc::Rc;

/// The index is a byte.
const MOST_VALUES: usize = 256;

impl Expander<'_, '_> {
    pub fn read_table(&mut self, operands: Range) {
        let named = match self.syntax().operands[operands.indices()] {
            [Operand { immediate: false, value: OperandValue::Expression(value), .. }] => {
                self.syntax().only_written_name(value)
            }
            _ => None,
        };
        let Some(written) = named else {
            let label = "expected the name of a `.table`, and nothing else: the index is in A";
            return self.error(ErrorCode::WrongOperand, self.span, "`read_table` needs a table", label);
        };
        let Some(name) = self.name(written) else { return };
        self.build.library.names.mentioned[name.index()] = true;
        let name = match self.build.table.definitions.contains_key(&name) {
            true => name,
            false => self.build.namesake(name, Stage::Expanding).unwrap_or(name),
        };
        let Some(tree) = self.tree_of(name) else { return };
        let end = self.new_label();
        self.put_branch(&tree, Target::Hidden(end), self.span);
        self.bind_label(end);
    }

    /// The code that reads a table; None if there is no such table, or a mistake in it, which has been reported.
    fn tree_of(&mut self, name: Name) -> Option<Rc<Branch>> {
        if let Some(tree) = self.tables.get(&name) {
            return tree.clone();
        }
        let definition = self.build.table.definitions.get(&name).copied();
        let definition =
            definition.map(|(statement, context)| (self.syntax().statements[statement as usize], context));
        let Some((statement, context)) = definition else {
            self.no_table(name);
            return None;
        };
        let StatementKind::Table(_, values) = statement.kind else {
            self.no_table(name);
            return None;
        };
        let reading = std::mem::replace(&mut self.context, Context { file: statement.span.file, ..context });
        let values = self.table_values(values, statement.span);
        self.context = reading;
        let tree = values.map(|values| {
            self.build.work += tree::work(&values);
            let shape = Shape::best(&values);
            let byte = if shape.needs_byte() { self.compared_byte() } else { 0 };
            Rc::new(shape.code(byte))
        });
        self.tables.insert(name, tree.clone());
        tree
    }

    /// Tables that nothing reads may have mistakes too.
    pub fn check_unread_tables(&mut self) {
        let tables = self.build.table.entries.iter().filter(|entry| entry.kind == SymbolKind::Table);
        let unread: Vec<Name> =
            tables.map(|entry| entry.name).filter(|name| !self.tables.contains_key(name)).collect();
        for name in unread {
            if self.build.work > MOST_WORK || self.build.is_stopped() {
                return;
            }
            if let Some((statement, context)) = self.build.table.definitions.get(&name).copied() {
                let statement = self.syntax().statements[statement as usize];
                let StatementKind::Table(_, values) = statement.kind else { continue };
                self.context = context;
                self.table_values(values, statement.span);
            }
        }
    }

    fn table_values(&mut self, operands: Range, name: Span) -> Option<Vec<u8>> {
        self.build.work += operands.len() as u64;
        let mut values = Some(Vec::new());
        for index in operands.indices() {
            let operand = self.syntax().operands[index];
            match self.value_or_text(operand) {
                Some(found) => values.iter_mut().for_each(|values| values.extend_from_slice(&found)),
                None => values = None,
            }
        }
        let values = values?;
        if values.len() > MOST_VALUES || values.is_empty() {
            let message = format!("a table of {} values", values.len());
            self.error(
                ErrorCode::OutOfRange,
                name,
                message,
                format!("expected 1..{MOST_VALUES}: the index is the byte in A"),
            );
            return None;
        }
        Some(values)
    }

    fn value_or_text(&mut self, operand: Operand) -> Option<Vec<u8>> {
        let expression = match operand.value {
            OperandValue::Text(text) => return Some(self.syntax().texts[text as usize].as_bytes().to_vec()),
            OperandValue::Expression(expression) => expression,
        };
        if let Some(BoundValue::Text(text)) = self.whole_binding(expression).map(|binding| binding.value) {
            return Some(self.syntax().texts[text as usize].as_bytes().to_vec());
        }
        if operand.immediate {
            self.error(
                ErrorCode::WrongOperand,
                operand.span,
                "`.table` takes plain values",
                "expected a value without `#`",
            );
            return None;
        }
        let number = self.known(expression, "`.table`")?.number;
        let byte = u8::try_from(number).or_else(|_| i8::try_from(number).map(|byte| byte as u8));
        if byte.is_err() {
            let message = format!("the value {number} does not fit in a byte");
            self.error(ErrorCode::ConstantRange, operand.span, message, "expected -128..255");
        }
        byte.ok().map(|byte| vec![byte])
    }

    fn no_table(&mut self, name: Name) {
        if self.build.may_be_lost(name) {
            return;
        }
        let shown = self.show(name);
        let message = format!("there is no table `{shown}`");
        if !self.build.is_news(self.span, &message, self.context.expansion) {
            return;
        }
        let is_affordable = self.build.can_afford(self.build.table.entries.len());
        let entries = if is_affordable { &self.build.table.entries[..] } else { &[] };
        let tables = entries.iter().filter(|entry| entry.kind == SymbolKind::Table);
        let tables: Vec<Name> = tables.map(|entry| entry.name).collect();
        let diagnostic =
            Diagnostic::error(ErrorCode::UnknownTable, self.span, message, "expected the name of a `.table`");
        let diagnostic = match self.defined_otherwise(name, SymbolKind::Table) {
            Some(help) => diagnostic.help(help),
            None => diagnostic.did_you_mean(self.build.suggestion(name, &tables).as_deref()),
        };
        self.report(diagnostic);
    }
}
