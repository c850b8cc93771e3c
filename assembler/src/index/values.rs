//! The values of names and the costs of code, as far as the program was assembled.

use super::Analysis;
use super::items::Item;
use crate::cost::Cycles;
use crate::expansion::ExpansionKind;
use crate::program::{Local, Symbol};
use crate::source::Span;

/// The maximum number of expansions of a statement that are examined.
const MAX_EXPANSIONS: usize = 4_096;

/// The cost of code.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cost {
    /// The number of words.
    pub words: u32,
    /// The cycles; `None` if the words are not contiguous, or have errors.
    pub cycles: Option<Cycles>,
}

impl Analysis {
    /// The symbols of an item: several if it is defined in a macro or a loop. Symbols without a value are omitted.
    pub fn symbols(&self, item: &Item) -> impl Iterator<Item = &Symbol> {
        let built_in = item.definitions.is_empty().then_some(&item.name).into_iter();
        let built_in = built_in.flat_map(|name| {
            self.program.symbols.iter().filter(move |symbol| symbol.span.is_none() && symbol.name == *name)
        });
        let own = item
            .definitions
            .iter()
            .flat_map(|definition| self.symbols_by_span.get(&definition.statement).into_iter().flatten());
        let own = own.map(|&symbol| &self.program.symbols[symbol as usize]);
        // A pasting defines many names at one place; the name of a local label is qualified.
        let is_meant = move |symbol: &&Symbol| {
            symbol.name == item.name
                || symbol.name.strip_prefix("lib.") == Some(&item.name)
                || item.name.starts_with('.') && symbol.name.ends_with(&item.name)
        };
        own.filter(is_meant).chain(built_in)
    }

    /// The distinct values of a parameter or a counter, in the order of the expansions.
    pub fn arguments(&self, item: &Item) -> Vec<&Local> {
        let Some(extent) = item.definitions.first().map(|definition| definition.extent) else {
            return Vec::new();
        };
        let mut found: Vec<&Local> = Vec::new();
        let mut last = None;
        for scope in self.expansions_inside(extent) {
            let local = self.program.bindings(scope).find(|local| *local.name == *item.name);
            if last.replace(scope) != Some(scope)
                && let Some(local) = local.filter(|local| !found.contains(local))
            {
                found.push(local);
            }
            if found.len() >= MAX_EXPANSIONS {
                break;
            }
        }
        found
    }

    /// The scopes of the expansions of statements in a range of the source.
    fn expansions_inside(&self, extent: Span) -> impl Iterator<Item = u32> {
        let is_inside = move |span: Span| {
            span.file == extent.file && extent.start <= span.start && span.end <= extent.end
        };
        let inside = self.program.statements.iter().filter(move |statement| is_inside(statement.span));
        inside.map(|statement| self.program.expansions[statement.expansion as usize].scope)
    }

    /// The distinct costs of a macro call, a `call` or an instruction in all its expansions.
    pub fn costs(&self, statement: Span) -> Vec<Cost> {
        let expanded = self.program.statements.iter().filter(|other| other.span == statement);
        let ranges = expanded.take(MAX_EXPANSIONS).map(|expanded| {
            let call = expanded.call.map(|call| &self.program.expansions[call as usize]);
            call.map_or((expanded.first_word, expanded.end_word), |call| (call.first_word, call.end_word))
        });
        self.distinct(ranges)
    }

    /// The distinct costs of the code between two statements, including the last one.
    pub fn costs_between(&self, first: Span, last: Span) -> Vec<Cost> {
        let statements = &self.program.statements;
        let begins =
            statements.iter().enumerate().filter(|(_, other)| other.span == first).take(MAX_EXPANSIONS);
        let ranges = begins.filter_map(|(index, begin)| {
            let mut rest = statements[index + 1..].iter();
            let end = rest.find(|other| other.span == last && other.expansion == begin.expansion)?;
            Some((begin.first_word, end.end_word))
        });
        self.distinct(ranges)
    }

    /// The distinct costs of all iterations of a `.for` or `.repeat` together.
    pub fn costs_of_loop(&self, statement: Span) -> Vec<Cost> {
        let mut ranges: Vec<(u32, u32, u32)> = Vec::new();
        for node in &self.program.expansions {
            if node.expansion.span != statement || !node.expansion.kind.is_iteration() {
                continue;
            }
            if let Some((parent, _, end)) = ranges.last_mut()
                && *parent == node.parent
                && *end == node.first_word
            {
                *end = node.end_word;
            } else if ranges.len() < MAX_EXPANSIONS {
                ranges.push((node.parent, node.first_word, node.end_word));
            }
        }
        self.distinct(ranges.into_iter().map(|(_, first, end)| (first, end)))
    }

    /// The values of a loop's counter in its first expansion, or the numbers of the iterations.
    pub fn rounds(&self, statement: Span) -> Vec<i64> {
        let mut parent = None;
        let rounds = self.program.expansions.iter().filter_map(|node| match node.expansion.kind {
            ExpansionKind::Iteration { value, .. } if node.expansion.span == statement => {
                (*parent.get_or_insert(node.parent) == node.parent).then_some(value)
            }
            _ => None,
        });
        rounds.take(MAX_EXPANSIONS).collect()
    }

    fn distinct(&self, ranges: impl Iterator<Item = (u32, u32)>) -> Vec<Cost> {
        let mut costs: Vec<Cost> = ranges.map(|(first, end)| self.cost(first, end)).collect();
        costs.sort();
        costs.dedup();
        costs
    }

    fn cost(&self, first: u32, end: u32) -> Cost {
        let end = end.min(self.program.words.len() as u32);
        let is_valid = self.is_valid.get(first as usize..end as usize);
        let is_valid = is_valid.is_some_and(|words| words.iter().all(|&is_valid| is_valid));
        let cycles = self.program.cycles(first, end).filter(|_| is_valid);
        Cost { words: end.saturating_sub(first), cycles }
    }
}
