//! Statements that were not understood or that are skipped. The names that they would have defined count as lost rather
//! than unknown, so that one error causes no others.

use super::expander::{Expander, MacroDefinition};
use crate::names::Name;
use crate::syntax::{StatementKind, WrittenName};
use crate::table::Loss;
use hashbrown::HashSet;

/// The maximum depth to which chains of macro calls are followed.
const MAX_DEPTH: usize = 100;

impl Expander<'_, '_> {
    /// Skips a broken statement, which probably defines this name or calls the macro of this name.
    pub fn broken(&mut self, name: Name) {
        self.build.table.lose(name, Loss::Broken);
        self.skip_call(name, &mut HashSet::new());
    }

    /// Skips statements, because the value that decides about them is not known.
    pub fn skip_broken(&mut self, start: u32, end: u32) {
        self.skip(start, end, &mut HashSet::new());
    }

    fn skip(&mut self, start: u32, end: u32, skipped_macros: &mut HashSet<Name>) {
        self.build.work += u64::from(end.saturating_sub(start));
        for index in start..end {
            let kind = self.syntax().statements[index as usize].kind;
            match kind {
                StatementKind::Call(WrittenName::Plain(name), _) => self.skip_call(name, skipped_macros),
                StatementKind::Include(_) => self.build.table.incomplete = true,
                _ => kind.defines().into_iter().for_each(|name| self.build.lose(name)),
            }
        }
    }

    fn skip_call(&mut self, name: Name, skipped_macros: &mut HashSet<Name>) {
        let definition = self.build.library.names.find(name, |name| self.macros.get(&name));
        let Some(&MacroDefinition { statement, .. }) = definition else { return };
        if skipped_macros.len() <= MAX_DEPTH && skipped_macros.insert(name) {
            let end = self.syntax().statements[statement as usize].end;
            self.skip(statement + 1, end, skipped_macros);
        }
    }
}
