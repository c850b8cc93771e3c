//! What every stage after the parser shares: the files, the names, the expansions and the
//! diagnostics so far.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::expansion::{Expansion, ExpansionKind, ExpansionNode, ancestors};
use crate::library::Library;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{Part, WrittenName};
use crate::table::Table;

/// A program being built.
pub(crate) struct Build<'a> {
    pub library: Library<'a>,
    pub table: Table,
    pub expansions: Vec<ExpansionNode>,
    pub diagnostics: Diagnostics,
    /// How much work has been done, so that a program that never ends is stopped.
    pub work: u64,
    /// The names that have a default (`?=`).
    pub defaults: Vec<Name>,
    /// The two sides of the comparison that was computed last.
    pub last_comparison: Option<(i64, i64)>,
}

impl<'a> Build<'a> {
    pub fn new(mut library: Library<'a>, constants: &[(String, i64)]) -> Build<'a> {
        let table = Table::new(&mut library.names, constants);
        let root = Expansion { kind: ExpansionKind::Include, span: Span { file: 0, start: 0, end: 0 } };
        let root = ExpansionNode { parent: 0, expansion: root, first_word: 0, end_word: 0 };
        Build {
            library,
            table,
            expansions: vec![root],
            diagnostics: Diagnostics::default(),
            work: 0,
            defaults: Vec::new(),
            last_comparison: None,
        }
    }

    /// Reports something that came up in an expansion.
    pub fn report(&mut self, diagnostic: Diagnostic, expansion: u32) {
        self.diagnostics.push(diagnostic.within(self.chain(expansion)));
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors() || self.library.diagnostics.has_errors()
    }

    /// Whether a name may be unknown only because what defines it was not understood.
    pub fn may_be_lost(&self, name: Name) -> bool {
        let spelling = self.library.names.spelling(name);
        self.table.incomplete
            || self.table.broken.contains(&name)
            || self.table.broken_beginnings.iter().any(|beginning| spelling.starts_with(beginning))
            || self.library.is_incomplete()
    }

    /// Notes that the definition of a name is lost.
    pub fn lose(&mut self, name: WrittenName) {
        match name {
            WrittenName::Plain(name) => {
                self.table.broken.insert(name);
            }
            WrittenName::Pasted(pasting) => {
                if let Some(Part::Text(beginning)) = self.library.syntax.pastings[pasting as usize].first() {
                    self.table.broken_beginnings.insert(beginning.clone());
                }
            }
        }
    }

    /// How an expansion came about, innermost first.
    pub fn chain(&self, expansion: u32) -> Vec<Expansion> {
        ancestors(&self.expansions, expansion).map(|node| node.expansion.clone()).collect()
    }
}
