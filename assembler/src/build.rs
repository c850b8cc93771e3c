//! What every stage behind the parser shares: the files, the names, the expansions under way and the
//! diagnostics so far.

use crate::diagnostic::{Caller, Diagnostic, Diagnostics};
use crate::library::Library;
use crate::names::Name;
use crate::source::Span;
use crate::syntax::{DefinedName, Part};
use crate::table::Table;

/// A program being built.
pub(crate) struct Build<'a> {
    pub library: Library<'a>,
    pub table: Table,
    pub expansions: Vec<Expansion>,
    pub diagnostics: Diagnostics,
    /// How much has been done, so that a program that never ends is stopped.
    pub work: u64,
    /// The names that `?=` gives a default.
    pub defaults: Vec<Name>,
    /// What the comparison computed last has compared.
    pub last_comparison: Option<(i64, i64)>,
}

/// One call, iteration or include. Number 0 is the root file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expansion {
    pub parent: u32,
    /// The statement that asked for it.
    pub span: Span,
    pub what: ExpansionKind,
    /// The words it made: from here, in the order of emission, to there.
    pub first_word: u32,
    pub end_word: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExpansionKind {
    Root,
    Include,
    Macro(Name),
    Iteration { counter: Option<Name>, value: i64 },
}

impl<'a> Build<'a> {
    pub fn new(mut library: Library<'a>, constants: &[(String, i64)]) -> Build<'a> {
        let table = Table::new(&mut library.names, constants);
        let root = Expansion {
            parent: 0,
            span: Span { file: 0, start: 0, end: 0 },
            what: ExpansionKind::Root,
            first_word: 0,
            end_word: 0,
        };
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
    pub fn report(&mut self, mut diagnostic: Diagnostic, expansion: u32) {
        diagnostic.chain = self.chain(expansion);
        self.diagnostics.push(diagnostic);
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
    pub fn lose(&mut self, name: DefinedName) {
        match name {
            DefinedName::Plain(name) => {
                self.table.broken.insert(name);
            }
            DefinedName::Pasted(pasting) => {
                if let Some(Part::Text(beginning)) = self.library.syntax.pastings[pasting as usize].first() {
                    self.table.broken_beginnings.insert(beginning.clone());
                }
            }
        }
    }

    /// How an expansion came about, innermost first.
    pub fn chain(&self, mut expansion: u32) -> Vec<Caller> {
        let mut chain = Vec::new();
        while expansion != 0 {
            let Expansion { parent, span, what, .. } = self.expansions[expansion as usize];
            let text = match what {
                ExpansionKind::Root | ExpansionKind::Include => "included here".to_owned(),
                ExpansionKind::Macro(name) => format!("in this call of `{}`", self.library.names.show(name)),
                ExpansionKind::Iteration { counter: Some(name), value } => {
                    format!("in the round with {} = {value}", self.library.names.show(name))
                }
                ExpansionKind::Iteration { counter: None, value } => {
                    format!("in round {value}, counted from 0")
                }
            };
            chain.push(Caller { span, text });
            expansion = parent;
        }
        chain
    }
}
