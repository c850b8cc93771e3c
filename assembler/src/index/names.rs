//! The meaning of each occurrence of a name.

use super::items::{Definition, ItemKind};
use super::resolver::{NameUse, Resolver, Role};
use super::scopes::Visibility;
use crate::evaluate::build::Build;
use crate::evaluate::is_formula_word;
use crate::kind::SymbolKind;
use crate::names::{Name, is_name};
use crate::source::Span;
use crate::syntax::{FUNCTIONS, Mention, WrittenName, is_statement};
use hashbrown::{HashMap, HashSet};

/// The maximum number of names of a pasting that are examined.
pub(super) const MAX_PASTED_NAMES: usize = 512;

/// A name in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Its position.
    pub span: Span,
    /// The index of its meaning in [`super::Analysis::items`].
    pub item: u32,
    /// Whether this is a definition.
    pub is_definition: bool,
    /// Whether this is a pasting, which has an occurrence for each name that it has made.
    pub is_pasted: bool,
}

/// The result of [`names`].
pub(super) struct Resolution<'l, 'a> {
    pub resolver: Resolver<'l, 'a>,
    pub occurrences: Vec<Occurrence>,
    pub pasted: HashMap<Name, Span>,
    pub idle_pastings: Vec<Mention>,
}

/// Determines the meanings of all names.
pub(super) fn names<'l, 'a>(build: &'l Build<'a>) -> Resolution<'l, 'a> {
    let mut resolver = Resolver::through(&build.library);
    let uses = std::mem::take(&mut resolver.uses);
    let mut made: HashMap<u32, Vec<Name>> = HashMap::new();
    for &(pasting, name) in &build.pasted {
        made.entry(pasting).or_default().push(name);
    }
    for names in made.values_mut() {
        // The order of a hash set must not be visible.
        names.sort_unstable();
        names.truncate(MAX_PASTED_NAMES);
    }
    let (mut pasted, mut idle_pastings) = (HashMap::new(), Vec::new());
    for NameUse { mention, .. } in &uses {
        let WrittenName::Pasted(pasting) = mention.name else { continue };
        match made.get(&pasting) {
            Some(names) => names.iter().for_each(|&name| {
                pasted.entry(name).or_insert(mention.span);
            }),
            None => idle_pastings.push(*mention),
        }
    }
    define_unspelled(build, &mut resolver, &pasted);
    let mut occurrences = Vec::with_capacity(uses.len());
    for name_use in &uses {
        let span = name_use.mention.span;
        match name_use.mention.name {
            WrittenName::Plain(name) => {
                let meaning = resolver.meaning(name_use, name);
                let occurrence =
                    |(item, is_definition)| Occurrence { span, item, is_definition, is_pasted: false };
                occurrences.extend(meaning.map(occurrence));
            }
            WrittenName::Pasted(pasting) => {
                let at = Visibility { scope: 0, ..name_use.at };
                let names = made.get(&pasting).into_iter().flatten();
                occurrences.extend(names.filter_map(|&name| resolver.resolve(name, at)).map(|item| {
                    let definitions = &resolver.items[item as usize].definitions;
                    let is_definition = definitions.iter().any(|definition| definition.name == span);
                    Occurrence { span, item, is_definition, is_pasted: true }
                }));
            }
        }
    }
    occurrences.sort_by_key(|occurrence| (occurrence.span.file, occurrence.span.start, occurrence.span.end));
    // A line that was not understood may have been parsed twice.
    occurrences.dedup();
    Resolution { resolver, occurrences, pasted, idle_pastings }
}

impl Resolver<'_, '_> {
    /// The item that a name means, if it is known, and whether this is its definition.
    fn meaning(&mut self, NameUse { mention, at, role }: &NameUse, name: Name) -> Option<(u32, bool)> {
        let library = self.library;
        let (span, spelling) = (mention.span, library.names.spelling(name));
        match role {
            Role::Defines(item) => return Some((*item, true)),
            Role::MayDefine if self.global(name).is_none() && !is_word(spelling) => {
                let item = self.add_item(name, ItemKind::Unknown);
                self.items[item as usize].definitions.push(Definition {
                    name: span,
                    statement: span,
                    extent: span,
                });
                self.globals.insert(name, item);
                return Some((item, true));
            }
            Role::Called | Role::MayDefine => {
                return self.called(name, SymbolKind::Macro).map(|item| (item, false));
            }
            Role::Use => {}
        }
        let behind = &library.sources.text(span.file)[span.end as usize..];
        let is_function = behind.trim_start_matches([' ', '\t']).starts_with('(');
        let item = match is_function {
            true => self.called(name, SymbolKind::Function),
            false => self.resolve(name, *at),
        }?;
        let is_meant = match self.items[item as usize].kind {
            // `old(x)` does not mean a byte of RAM called `old`.
            ItemKind::Symbol(kind) if is_function => {
                kind == SymbolKind::Function || !is_formula_word(spelling)
            }
            // In the library, a register is not a name of the program.
            ItemKind::Symbol(_) => !library.is_of_library(span.file) || !is_formula_word(spelling),
            _ => true,
        };
        is_meant.then_some((item, false))
    }
}

/// Whether a word has a meaning in the language.
fn is_word(word: &str) -> bool {
    is_statement(word) || FUNCTIONS.contains(&word)
}

/// Defines the names that the text does not spell out: built-in and pasted names.
fn define_unspelled(build: &Build, resolver: &mut Resolver, pasted: &HashMap<Name, Span>) {
    let names = &build.library.names;
    let spelled: HashSet<Name> = resolver.globals.keys().copied().collect();
    for entry in &build.table.entries {
        let name = entry.name;
        if spelled.contains(&name) || names.is_local(name) || !is_name(names.spelling(name)) {
            continue;
        }
        let known = resolver.globals.get(&name).copied();
        let item = known.unwrap_or_else(|| resolver.add_item(name, ItemKind::Symbol(entry.kind)));
        resolver.globals.insert(name, item);
        if let Some(statement) = entry.span {
            let is_inside = |name: &Span| {
                name.file == statement.file && statement.start <= name.start && name.end <= statement.end
            };
            let name = pasted.get(&name).copied().filter(is_inside).unwrap_or(statement);
            resolver.items[item as usize].definitions.push(Definition { name, statement, extent: statement });
        }
    }
}
