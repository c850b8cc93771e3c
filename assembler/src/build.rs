//! The data that all stages after the parser share: the files, the names, the expansions and the diagnostics so far.

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::evaluate::evaluation::{Evaluation, Stage};
use crate::expansion::{Expansion, ExpansionKind, ExpansionNode, ancestors};
use crate::kind::SymbolKind;
use crate::library::Library;
use crate::names::{Name, is_name};
use crate::source::Span;
use crate::syntax::{Part, WrittenName, pieces};
use crate::table::{Lost, Table, TableEntry};
use gray1_text::closest_affordable;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;

/// A program whose expansion takes more work than this is assumed never to end.
pub(crate) const MOST_WORK: u64 = 12_000_000;
/// How much work is done between two calls of `Loader::is_stopped`: a few milliseconds of it.
const LOOK_EVERY: u64 = 50_000;
/// The work of reporting something.
const REPORT_WORK: u64 = 32;
/// The maximum number of pairs of letters that are compared to find suggestions for misspelt names.
const MOST_SUGGESTING: u64 = 20_000_000;

/// A program being built.
pub(crate) struct Build<'a> {
    pub library: Library<'a>,
    pub table: Table,
    pub expansions: Vec<ExpansionNode>,
    pub diagnostics: Diagnostics,
    /// The amount of work so far, which is limited so that the assembler terminates.
    pub work: u64,
    /// The amount of work at which to ask the loader next whether to stop, and whether it has asked to stop.
    next_look: u64,
    stopped: bool,
    /// The effort that may still be spent on suggestions for misspelt names.
    suggesting: u64,
    /// The names that have a default (`?=`).
    pub defaults: BTreeSet<Name>,
    /// The constants from outside that were used.
    pub used_predefined: HashSet<Name>,
    pub evaluation: Evaluation,
    /// Whether it has been reported that values take too much work.
    pub gave_up: bool,
    /// The names that each pasting has made.
    pub pasted: HashSet<(u32, Name)>,
    /// Names of the program that have been used for a definition of the library, with their first use.
    pub borrowed: HashMap<Name, (Span, u32)>,
    pub spoilt: Spoilt,
}

/// What has gone wrong so that other errors only follow from it.
#[derive(Default)]
pub(crate) struct Spoilt {
    /// Words beyond the end of program memory: jumps to them follow.
    pub is_too_long: bool,
    /// The expansions with a failed `.assert` about names: values out of range in them follow.
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
            next_look: 0,
            stopped: false,
            suggesting: MOST_SUGGESTING,
            defaults: BTreeSet::new(),
            used_predefined: HashSet::new(),
            evaluation: Evaluation::default(),
            gave_up: false,
            pasted: HashSet::new(),
            borrowed: HashMap::new(),
            spoilt: Spoilt::default(),
        }
    }

    /// The meaning of a name in the files of a program, or of the library. Their own definitions have priority, and may
    /// still appear while the program is expanded.
    pub fn global(&self, name: Name, stage: Stage) -> Option<TableEntry> {
        let own = self.table.global(name);
        own.or_else(|| self.table.global(self.namesake(name, stage)?)).copied()
    }

    /// The name that is used if this one is not defined: for a name of a program that of the library, and vice versa.
    pub fn namesake(&self, name: Name, stage: Stage) -> Option<Name> {
        let names = &self.library.names;
        if stage == Stage::Expanding && names.defined[name.index()] { None } else { names.namesake(name) }
    }

    /// Records that a name has been used for a definition of the library, so it cannot be defined any more.
    pub fn borrow(&mut self, name: Name, span: Span, expansion: u32) {
        if !self.library.names.is_of_library(name) {
            self.borrowed.entry(name).or_insert((span, expansion));
        }
    }

    /// Whether the caller has asked to stop.
    pub fn is_stopped(&mut self) -> bool {
        if self.work >= self.next_look {
            self.next_look = self.work + LOOK_EVERY;
            self.stopped |= self.library.loader.is_stopped();
        }
        self.stopped
    }

    /// Whether a message is the first of its kind at a position: only then is a suggestion worth the effort.
    pub fn is_news(&mut self, span: Span, message: &str, expansion: u32) -> bool {
        let chain = self.chain(expansion);
        self.work += REPORT_WORK + chain.len() as u64;
        self.diagnostics.is_news(span, message, &chain)
    }

    /// Whether there is enough effort left to search this many things for a better message.
    pub fn can_afford(&mut self, things: usize) -> bool {
        self.suggesting = self.suggesting.saturating_sub(things as u64);
        self.suggesting > 0
    }

    /// The names of this kind, if there is enough effort left to search them.
    pub fn affordable(&mut self, kind: SymbolKind) -> Vec<Name> {
        let is_affordable = self.can_afford(self.table.entries.len());
        let entries = self.table.entries.iter().filter(|entry| is_affordable && entry.kind == kind);
        entries.map(|entry| entry.name).collect()
    }

    /// The most likely one of these names for a misspelt name.
    pub fn suggestion(&mut self, wanted: Name, candidates: &[Name]) -> Option<String> {
        let names = &self.library.names;
        let candidates = candidates.iter().map(|&name| names.spelling(name));
        closest_affordable(names.spelling(wanted), candidates, &mut self.suggesting).map(str::to_owned)
    }

    /// Reports something that was found in an expansion.
    pub fn report(&mut self, diagnostic: Diagnostic, expansion: u32) {
        self.report_within(diagnostic, Vec::new(), expansion);
    }

    /// Reports something that was found in these function calls (innermost first) in an expansion.
    pub fn report_within(&mut self, diagnostic: Diagnostic, calls: Vec<Expansion>, expansion: u32) {
        if self.follows_from_assertion(&diagnostic, expansion) {
            return;
        }
        let chain = [calls, self.chain(expansion)].concat();
        self.work += REPORT_WORK + chain.len() as u64;
        self.diagnostics.push(diagnostic.within(chain));
    }

    /// Records a failed `.assert` about names; one at the top of a file is about the whole program.
    pub fn spoil(&mut self, mut expansion: u32) {
        while let node = &self.expansions[expansion as usize]
            && node.expansion.kind == ExpansionKind::Include
            && expansion != 0
        {
            expansion = node.parent;
        }
        self.spoilt.asserted.push(expansion);
    }

    /// Whether a diagnostic is about the size of something that depends on names, where an `.assert` about names has
    /// failed.
    fn follows_from_assertion(&self, diagnostic: &Diagnostic, expansion: u32) -> bool {
        if self.spoilt.asserted.is_empty() || !diagnostic.code.is_about_size() {
            return false;
        }
        let text = diagnostic.span.map_or("", |Span { file, start, end }| {
            &self.library.sources.text(file)[start as usize..end as usize]
        });
        let mut around = expansion;
        pieces(text).iter().any(|piece| is_name(piece.text))
            && loop {
                match around {
                    _ if self.spoilt.asserted.contains(&around) => break true,
                    0 => break false,
                    _ => around = self.expansions[around as usize].parent,
                }
            }
    }

    pub fn has_errors(&self) -> bool {
        self.diagnostics.has_errors() || self.library.diagnostics.has_errors()
    }

    /// Whether a name may be unknown only because what defines it was not understood.
    pub fn may_be_lost(&self, name: Name) -> bool {
        let spelling = self.library.names.spelling(name);
        self.table.incomplete
            || self.table.lost(name) >= Some(Lost::Broken)
            || self.table.broken_beginnings.iter().any(|beginning| spelling.starts_with(beginning))
            || self.library.is_incomplete(spelling.starts_with('.'))
    }

    /// Records that the definition of a name was not understood.
    pub fn lose(&mut self, name: WrittenName) {
        match name {
            WrittenName::Plain(name) => self.table.lose(name, Lost::Broken),
            WrittenName::Pasted(pasting) => {
                if let Some(Part::Text(beginning)) = self.library.syntax.pastings[pasting as usize].first() {
                    self.table.broken_beginnings.insert(beginning.clone());
                }
            }
        }
    }

    /// The chain of expansions that led to this one, innermost first.
    pub fn chain(&self, expansion: u32) -> Vec<Expansion> {
        ancestors(&self.expansions, expansion).map(|(_, node)| node.expansion.clone()).collect()
    }
}
