//! Tables: `.extend`, and `read_table name`, which replaces the index in A with the value at that index.

use super::branch::{Branch, Target};
use super::expander::Expander;
use super::tree::{self, Shape};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::evaluate::build::MAX_WORK;
use crate::evaluate::byte;
use crate::kind::SymbolKind;
use crate::names::Name;
use crate::syntax::{Operand, Range, Statement, StatementKind, WrittenName};
use crate::table::Context;
use std::rc::Rc;

/// The maximum number of values: the index is a byte.
const MAX_VALUES: usize = 256;

impl Expander<'_, '_> {
    pub fn read_table(&mut self, operands: Range) {
        let Some((written, _)) = self.only_name_of(operands) else {
            let label = "expected the name of a `.table`, and nothing else: the index is in A";
            return self.error(ErrorCode::WrongOperand, self.span, "`read_table` needs a table", label);
        };
        let Some(name) = self.name(written) else { return };
        self.build.library.names.mentioned[name.index()] = true;
        let name = self.find_table(name);
        let Some(tree) = self.tree_of(name) else { return };
        let end = self.new_label();
        self.put_branch(&tree, Target::Hidden(end), self.span);
        self.bind_label(end);
    }

    /// `.extend name, values`.
    pub fn extend_table(&mut self, written: WrittenName) {
        let Some(name) = self.name(written) else { return };
        let name = self.find_table(name);
        if self.values_of(name).is_none() {
            return self.no_table(name);
        }
        if self.tables.contains_key(&name) {
            if self.build.table.extensions.insert(name, Vec::new()).is_some_and(|before| before.is_empty()) {
                return;
            }
            let message = format!("`{}` is extended after it was read", self.show(name));
            let label = "its code is there already";
            let diagnostic = Diagnostic::error(ErrorCode::NotKnownYet, self.span, message, label);
            return self.report(diagnostic.help("extend the table before the first `read_table` of it"));
        }
        let extension = (self.index, self.context);
        self.build.table.extensions.entry(name).or_default().push(extension);
        self.build.table.time += 1;
    }

    fn find_table(&self, name: Name) -> Name {
        self.build.resolve_name(name, |name| self.build.table.definitions.contains_key(&name))
    }

    /// Finds the definition of a table, with its operands.
    fn values_of(&self, name: Name) -> Option<(Statement, Range, Context)> {
        let &(statement, context) = self.build.table.definitions.get(&name)?;
        let statement = self.syntax().statements[statement as usize];
        let StatementKind::Table(_, values) = statement.kind else { return None };
        Some((statement, values, Context { file: statement.span.file, ..context }))
    }

    /// Makes the code that reads a table; `None` if there is no such table, or an error in it, which has been reported.
    fn tree_of(&mut self, name: Name) -> Option<Rc<Branch>> {
        if let Some(tree) = self.tables.get(&name) {
            return tree.clone();
        }
        if self.values_of(name).is_none() {
            self.no_table(name);
            return None;
        }
        let values = self.table_values(name);
        let tree = values.map(|values| {
            self.build.work += tree::work(&values);
            let shape = Shape::best(&values);
            let byte = if shape.needs_byte() { self.compared_byte() } else { 0 };
            Rc::new(shape.code(byte))
        });
        self.tables.insert(name, tree.clone());
        tree
    }

    /// Checks the tables that are not read, which may have errors, too.
    pub fn check_unread_tables(&mut self) {
        let tables = self.build.table.entries.iter().filter(|entry| entry.kind == SymbolKind::Table);
        let unread: Vec<Name> =
            tables.map(|entry| entry.name).filter(|name| !self.tables.contains_key(name)).collect();
        for name in unread {
            if self.build.work > MAX_WORK || self.build.is_stopped() {
                return;
            }
            self.table_values(name);
        }
    }

    /// Computes the values of a table, including those of `.extend`.
    fn table_values(&mut self, name: Name) -> Option<Vec<u8>> {
        let (definition, operands, context) = self.values_of(name)?;
        let reading = self.context;
        let mut values = Some(Vec::new());
        self.more_values(operands, context, &mut values);
        for (statement, context) in self.build.table.extensions.get(&name).cloned().unwrap_or_default() {
            let StatementKind::Extend(_, operands) = self.syntax().statements[statement as usize].kind else {
                continue;
            };
            self.more_values(operands, context, &mut values);
        }
        self.context = context;
        let values = values.filter(|values| {
            let fits = (1..=MAX_VALUES).contains(&values.len());
            if !fits {
                let message = format!("a table of {} values", values.len());
                let label = format!("expected 1..{MAX_VALUES}: the index is the byte in A");
                self.error(ErrorCode::OutOfRange, definition.span, message, label);
            }
            fits
        });
        self.context = reading;
        values
    }

    /// Appends the values of these operands; after an error, there are no values.
    fn more_values(&mut self, operands: Range, context: Context, values: &mut Option<Vec<u8>>) {
        self.build.work += operands.len() as u64;
        self.context = context;
        for index in operands.indices() {
            let operand = self.syntax().operands[index];
            match self.value_or_text(operand) {
                Some(found) => values.iter_mut().for_each(|values| values.extend_from_slice(&found)),
                None => *values = None,
            }
        }
    }

    fn value_or_text(&mut self, operand: Operand) -> Option<Vec<u8>> {
        if let Some(text) = self.text_of(operand) {
            return Some(self.syntax().texts[text as usize].as_bytes().to_vec());
        }
        let number = self.plain_value(operand, "`.table`")?;
        let byte = byte(number);
        if byte.is_none() {
            let message = format!("the value {number} does not fit in a byte");
            self.error(ErrorCode::ConstantRange, operand.span, message, "expected -128..255");
        }
        byte.map(|byte| vec![byte])
    }

    fn no_table(&mut self, name: Name) {
        let message = format!("there is no table `{}`", self.show(name));
        if self.build.may_be_lost(name) || !self.build.is_new(self.span, &message, self.context.expansion) {
            return;
        }
        let tables = self.build.affordable(SymbolKind::Table);
        let diagnostic =
            Diagnostic::error(ErrorCode::UnknownTable, self.span, message, "expected the name of a `.table`");
        let diagnostic = match self.defined_otherwise(name, SymbolKind::Table) {
            Some(help) => diagnostic.help(help),
            None => diagnostic.did_you_mean(self.build.suggestion(name, &tables).as_deref()),
        };
        self.report(diagnostic);
    }
}
