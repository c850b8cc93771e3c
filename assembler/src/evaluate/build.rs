//! The data that all stages after the parser share: the files, the names, the expansions and the diagnostics so far.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::evaluate::Evaluation;
use crate::expansion::{Expansion, ExpansionKind, ExpansionNode, ancestors};
use crate::kind::SymbolKind;
use crate::library::Library;
use crate::names::{Name, is_name};
use crate::source::Span;
use crate::syntax::{Part, WrittenName, tokens};
use crate::table::{Loss, Table, TableEntry};
use gray1_text::closest_affordable;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;

/// The work budget. A program that exceeds it is assumed never to end.
pub(crate) const MAX_WORK: u64 = 12_000_000;
/// The work between two calls of `Loader::is_stopped`: a few milliseconds.
const WORK_BETWEEN_CHECKS: u64 = 50_000;
/// The work of a report.
const REPORT_WORK: u64 = 32;
/// The maximum number of letter pairs that the search for misspelt names compares.
const MAX_SUGGESTION_WORK: u64 = 20_000_000;

/// A program being built.
pub(crate) struct Build<'a> {
    pub library: Library<'a>,
    pub table: Table,
    pub expansions: Vec<ExpansionNode>,
    pub diagnostics: Diagnostics,
    /// The work so far, which is limited so that the assembler terminates.
    pub work: u64,
    /// The work at which the loader is asked next whether to stop.
    next_check: u64,
    /// Set if the loader has asked to stop.
    stopped: bool,
    /// The remaining budget for suggestions.
    suggestion_budget: u64,
    /// The names that have a default (`?=`).
    pub defaults: BTreeSet<Name>,
    /// The constants from outside that were used.
    pub used_predefined: HashSet<Name>,
    pub evaluation: Evaluation,
    /// Set once the excess of work has been reported.
    pub gave_up: bool,
    /// The names that each pasting has made.
    pub pasted: HashSet<(u32, Name)>,
    /// Names of the program that were resolved to a definition of the library, with their first use.
    pub borrowed: HashMap<Name, (Span, u32)>,
    pub root_causes: RootCauses,
}

/// Errors that cause others, which are then not reported.
#[derive(Default)]
pub(crate) struct RootCauses {
    /// Set if there are words beyond the end of program memory. Jumps to them are errors, too.
    pub is_too_long: bool,
    /// The expansions with a failed `.assert` about names. Values in them may be out of range.
    pub asserted: Vec<u32>,
}

impl<'a> Build<'a> {
    pub fn new(mut library: Library<'a>, constants: &[(String, i64)]) -> Build<'a> {
        let table = Table::new(&mut library.names, constants);
        let root = Expansion { kind: ExpansionKind::Include, span: Span::default() };
        let root = ExpansionNode { parent: 0, expansion: root, scope: 0, first_word: 0, end_word: 0 };
        Build {
            library,
            table,
            expansions: vec![root],
            diagnostics: Diagnostics::default(),
            work: 0,
            next_check: 0,
            stopped: false,
            suggestion_budget: MAX_SUGGESTION_WORK,
            defaults: BTreeSet::new(),
            used_predefined: HashSet::new(),
            evaluation: Evaluation::default(),
            gave_up: false,
            pasted: HashSet::new(),
            borrowed: HashMap::new(),
            root_causes: RootCauses::default(),
        }
    }

    /// Looks up a global name. The program and the library prefer their own definitions, which may still appear while the
    /// program is being expanded.
    pub fn global(&self, name: Name) -> Option<TableEntry> {
        self.table.global(self.resolve_name(name, |name| self.table.global(name).is_some())).copied()
    }

    /// The name to fall back to if this one is not defined: for a name of the program, the library's; and vice versa.
    pub fn namesake(&self, name: Name) -> Option<Name> {
        let names = &self.library.names;
        if !self.evaluation.is_final && names.defined[name.index()] { None } else { names.namesake(name) }
    }

    /// The name itself, or its namesake if there is only that.
    pub fn resolve_name(&self, name: Name, is_there: impl Fn(Name) -> bool) -> Name {
        let namesake = if is_there(name) { None } else { self.namesake(name) };
        namesake.filter(|&namesake| is_there(namesake)).unwrap_or(name)
    }

    /// Records that a name was resolved to a definition of the library, so the program cannot define it any more.
    pub fn borrow(&mut self, name: Name, span: Span, expansion: u32) {
        if !self.library.names.is_of_library(name) {
            self.borrowed.entry(name).or_insert((span, expansion));
        }
    }

    /// Asks the loader, at intervals, whether to stop.
    pub fn is_stopped(&mut self) -> bool {
        if self.work >= self.next_check {
            self.next_check = self.work + WORK_BETWEEN_CHECKS;
            self.stopped |= self.library.loader.is_stopped();
        }
        self.stopped
    }

    /// Whether a message is new at this position. Only then is a suggestion worth its cost.
    pub fn is_new(&mut self, span: Span, message: &str, expansion: u32) -> bool {
        let chain = self.chain(expansion);
        self.work += REPORT_WORK + chain.len() as u64;
        self.diagnostics.is_new(span, message, &chain)
    }

    /// Spends the cost of searching this many names for a suggestion; returns whether the budget allows it.
    pub fn can_afford(&mut self, things: usize) -> bool {
        self.suggestion_budget = self.suggestion_budget.saturating_sub(things as u64);
        self.suggestion_budget > 0
    }

    /// The names of this kind, if the budget allows searching them.
    pub fn affordable(&mut self, kind: SymbolKind) -> Vec<Name> {
        let is_affordable = self.can_afford(self.table.entries.len());
        let entries = self.table.entries.iter().filter(|entry| is_affordable && entry.kind == kind);
        entries.map(|entry| entry.name).collect()
    }

    /// The candidate that is closest to a misspelt name.
    pub fn suggestion(&mut self, wanted: Name, candidates: &[Name]) -> Option<String> {
        let names = &self.library.names;
        let candidates = candidates.iter().map(|&name| names.spelling(name));
        closest_affordable(names.spelling(wanted), candidates, &mut self.suggestion_budget).map(str::to_owned)
    }

    /// Reports a diagnostic in an expansion.
    pub fn report(&mut self, diagnostic: Diagnostic, expansion: u32) {
        self.report_within(diagnostic, Vec::new(), expansion);
    }

    /// Reports a diagnostic in these function calls (innermost first) in an expansion.
    pub fn report_within(&mut self, diagnostic: Diagnostic, calls: Vec<Expansion>, expansion: u32) {
        if self.follows_from_assertion(&diagnostic, expansion) {
            return;
        }
        let chain = [calls, self.chain(expansion)].concat();
        self.work += REPORT_WORK + chain.len() as u64;
        self.diagnostics.push(diagnostic.within(chain));
    }

    /// Records a failed `.assert` about names. At the top of a file, it concerns the whole program.
    pub fn add_root_cause(&mut self, mut expansion: u32) {
        while let node = &self.expansions[expansion as usize]
            && node.expansion.kind == ExpansionKind::Include
            && expansion != 0
        {
            expansion = node.parent;
        }
        self.root_causes.asserted.push(expansion);
    }

    /// Whether a diagnostic is about a size that depends on names, in an expansion with a failed `.assert` about names.
    fn follows_from_assertion(&self, diagnostic: &Diagnostic, expansion: u32) -> bool {
        if self.root_causes.asserted.is_empty() || !diagnostic.code.is_about_size() {
            return false;
        }
        let text = diagnostic.span.map_or("", |Span { file, start, end }| {
            &self.library.sources.text(file)[start as usize..end as usize]
        });
        let mut around = expansion;
        tokens(text).iter().any(|token| is_name(token.text))
            && loop {
                match around {
                    _ if self.root_causes.asserted.contains(&around) => break true,
                    0 => break false,
                    _ => around = self.expansions[around as usize].parent,
                }
            }
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors() || self.library.diagnostics.has_errors()
    }

    /// Whether a name may be unknown only because its definition was not understood.
    pub fn may_be_lost(&self, name: Name) -> bool {
        let spelling = self.library.names.spelling(name);
        self.table.incomplete
            || self.table.lost(name) >= Some(Loss::Broken)
            || self.table.broken_beginnings.iter().any(|beginning| spelling.starts_with(beginning))
            || self.library.is_incomplete(spelling.starts_with('.'))
    }

    /// Records that the definition of a name was not understood.
    pub fn lose(&mut self, name: WrittenName) {
        match name {
            WrittenName::Plain(name) => self.table.lose(name, Loss::Broken),
            WrittenName::Pasted(pasting) => {
                if let Some(Part::Text(beginning)) = self.library.syntax.pastings[pasting as usize].first() {
                    self.table.broken_beginnings.insert(beginning.clone());
                }
            }
        }
    }

    /// The chain of expansions that led to this one, innermost first.
    pub fn chain(&self, expansion: u32) -> Vec<Expansion> {
        ancestors(&self.expansions, expansion).map(|node| node.expansion.clone()).collect()
    }
}
