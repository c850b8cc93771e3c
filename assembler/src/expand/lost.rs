//! What is lost with a statement that was not understood: the names it would have defined. They count as broken
//! rather than unknown, so that one mistake is one error.

use super::{Expander, MacroDefinition};
use crate::names::Name;
use crate::syntax::{DefinedName, StatementKind};
use std::collections::HashSet;

impl Expander<'_, '_> {
    /// A statement that was meant to define this name, or to call the macro of this name.
    pub(super) fn broken(&mut self, name: Name) {
        self.build.table.broken.insert(name);
        self.lose_call(name, &mut HashSet::new());
    }

    /// Statements that are skipped because what decides about them has no value.
    pub(super) fn skip_broken(&mut self, start: u32, end: u32) {
        self.lose(start, end, &mut HashSet::new());
    }

    fn lose(&mut self, start: u32, end: u32, lost_macros: &mut HashSet<Name>) {
        for index in start..end {
            let name = match self.build.library.syntax.statements[index as usize].kind {
                StatementKind::Label(name)
                | StatementKind::Constant { name, .. }
                | StatementKind::Ram { name, .. } => name,
                StatementKind::Macro { name, .. }
                | StatementKind::Routine { name, .. }
                | StatementKind::Broken(name) => DefinedName::Plain(name),
                StatementKind::Call { name, .. } => {
                    self.lose_call(name, lost_macros);
                    continue;
                }
                StatementKind::Include(_) => {
                    self.build.table.incomplete = true;
                    continue;
                }
                _ => continue,
            };
            self.build.lose(name);
        }
    }

    fn lose_call(&mut self, name: Name, lost_macros: &mut HashSet<Name>) {
        let Some(MacroDefinition { statement, .. }) = self.macros.get(&name).copied() else { return };
        // Macros may call each other in a long chain; what is so deep is left alone.
        if lost_macros.len() > 100 || !lost_macros.insert(name) {
            return;
        }
        if let StatementKind::Macro { end, .. } =
            self.build.library.syntax.statements[statement as usize].kind
        {
            self.lose(statement + 1, end, lost_macros);
        }
    }
}
