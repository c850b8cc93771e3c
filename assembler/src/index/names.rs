//! The meaning of each occurrence of a name.

use super::items::{Definition, ItemKind};
use super::scopes::At;
use super::walk::{Role, Walk};
use crate::build::Build;
use crate::evaluate::is_formula_word;
use crate::kind::SymbolKind;
use crate::names::{Name, is_name};
use crate::source::Span;
use crate::syntax::{FUNCTIONS, Mention, WrittenName};
use gray1_isa::Opcode;
use hashbrown::{HashMap, HashSet};

/// The maximum number of names of one pasting that are examined.
pub(super) const MOST_OF_A_PASTING: usize = 512;

/// A name in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Its position.
    pub span: Span,
    /// The index of its meaning in [`super::Analysis::items`].
    pub item: u32,
    /// Whether this is a definition.
    pub is_definition: bool,
    /// Whether this is a pasting. A pasting has an occurrence for each name that it has made.
    pub is_pasted: bool,
}

/// The result of [`names`].
pub(super) struct Meanings<'l, 'a> {
    pub walk: Walk<'l, 'a>,
    pub occurrences: Vec<Occurrence>,
    pub pasted: HashMap<Name, Span>,
    pub idle_pastings: Vec<Mention>,
}

/// Determines the meanings of all names.
pub(super) fn names<'l, 'a>(build: &'l Build<'a>) -> Meanings<'l, 'a> {
    let library = &build.library;
    let mut walk = Walk::through(library);
    let met = std::mem::take(&mut walk.met);
    let mut made: HashMap<u32, Vec<Name>> = HashMap::new();
    for &(pasting, name) in &build.pasted {
        made.entry(pasting).or_default().push(name);
    }
    let (mut pasted, mut idle_pastings) = (HashMap::new(), Vec::new());
    for met in &met {
        let WrittenName::Pasted(pasting) = met.mention.name else { continue };
        match made.get_mut(&pasting) {
            Some(names) => {
                // The order of a hash set must not be visible.
                names.sort_unstable();
                names.truncate(MOST_OF_A_PASTING);
                names.iter().for_each(|&name| {
                    pasted.entry(name).or_insert(met.mention.span);
                });
            }
            None => idle_pastings.push(met.mention),
        }
    }
    define_the_rest(build, &mut walk, &pasted);
    let mut occurrences = Vec::with_capacity(met.len());
    for met in &met {
        let span = met.mention.span;
        let mut add = |item: u32, is_definition: bool, is_pasted: bool| {
            occurrences.push(Occurrence { span, item, is_definition, is_pasted });
        };
        let name = match met.mention.name {
            WrittenName::Plain(name) => name,
            WrittenName::Pasted(pasting) => {
                for &name in made.get(&pasting).into_iter().flatten() {
                    if let Some(item) = walk.resolve(name, At { scope: 0, ..met.at }) {
                        let definitions = &walk.items[item as usize].definitions;
                        add(item, definitions.iter().any(|definition| definition.name == span), true);
                    }
                }
                continue;
            }
        };
        match met.role {
            Role::Defines(item) => add(item, true, false),
            Role::MayDefine if walk.global(name).is_none() && !is_word(library.names.spelling(name)) => {
                let item = walk.add_item(name, ItemKind::Unknown);
                walk.items[item as usize].definitions.push(Definition {
                    name: span,
                    statement: span,
                    extent: span,
                });
                walk.globals.insert(name, item);
                add(item, true, false);
            }
            Role::Called | Role::MayDefine => {
                if let Some(item) = walk.called(name, SymbolKind::Macro) {
                    add(item, false, false);
                }
            }
            Role::Use => {
                let behind = &library.sources.text(span.file)[span.end as usize..];
                let is_function = behind.trim_start_matches([' ', '\t']).starts_with('(');
                let item = match is_function {
                    true => walk.called(name, SymbolKind::Function),
                    false => walk.resolve(name, met.at),
                };
                let is_of_library = library.is_of_library(span.file);
                let spelling = library.names.spelling(name);
                let means = |item: &u32| match walk.items[*item as usize].kind {
                    // `old(x)` is no use of a byte of RAM called `old`.
                    ItemKind::Symbol(kind) if is_function => {
                        kind == SymbolKind::Function || !is_formula_word(spelling)
                    }
                    // In the library, a register is no name of the program.
                    ItemKind::Symbol(_) => !is_of_library || !is_formula_word(spelling),
                    _ => true,
                };
                if let Some(item) = item.filter(means) {
                    add(item, false, false);
                }
            }
        }
    }
    occurrences.sort_by_key(|occurrence| (occurrence.span.file, occurrence.span.start, occurrence.span.end));
    // A line that is not understood may have been read twice.
    occurrences.dedup();
    Meanings { walk, occurrences, pasted, idle_pastings }
}

/// Whether a word has a meaning in the language.
fn is_word(word: &str) -> bool {
    is_statement(word) || FUNCTIONS.contains(&word)
}

/// Whether a statement of the language begins with this word.
pub(super) fn is_statement(word: &str) -> bool {
    const STATEMENTS: [&str; 3] = ["call", "return", "read_table"];
    Opcode::from_mnemonic(word).is_some()
        || STATEMENTS.iter().any(|statement| statement.eq_ignore_ascii_case(word))
}

/// Adds the names that are not spelled out in the text: built-in names, and pasted names.
fn define_the_rest(build: &Build, walk: &mut Walk, pasted: &HashMap<Name, Span>) {
    let mut added = HashSet::new();
    for entry in &build.table.entries {
        let is_new = !walk.globals.contains_key(&entry.name) || added.contains(&entry.name);
        if !is_new
            || build.library.names.is_local(entry.name)
            || !is_name(build.library.names.spelling(entry.name))
        {
            continue;
        }
        let item = match walk.globals.get(&entry.name) {
            Some(&item) => item,
            None => {
                let item = walk.add_item(entry.name, ItemKind::Symbol(entry.kind));
                walk.globals.insert(entry.name, item);
                added.insert(entry.name);
                item
            }
        };
        if let Some(span) = entry.span {
            let name = pasted.get(&entry.name).copied().unwrap_or(span);
            let inside = name.file == span.file && span.start <= name.start && name.end <= span.end;
            let name = if inside { name } else { span };
            walk.items[item as usize].definitions.push(Definition { name, statement: span, extent: span });
        }
    }
}
