//! The names at a position, and whether they can be renamed.

use super::Analysis;
use super::items::{Item, ItemKind};
use super::names::{MAX_PASTED_NAMES, Occurrence};
use super::scopes::Visibility;
use crate::kind::SymbolKind;
use crate::names::is_name;
use crate::source::Span;
use crate::syntax::{FUNCTIONS, Mention, Part, WrittenName, is_statement};
use hashbrown::HashSet;

/// The reason why an item cannot be renamed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It belongs to the library.
    Library,
    /// It is built in, or defined on the command line.
    BuiltIn,
    /// Its name is pasted, for instance here.
    Pasted(Span),
    /// This is not a name.
    NoName,
    /// The name means something else already.
    Taken,
}

impl Analysis {
    /// The names of a file whose meaning is known, by their offsets.
    pub fn occurrences(&self, file: u32) -> &[Occurrence] {
        let of_file = |file: u32| self.occurrences.partition_point(|occurrence| occurrence.span.file < file);
        &self.occurrences[of_file(file)..of_file(file + 1)]
    }

    /// The name at an offset, or just before it; for a pasting, its first occurrence.
    pub fn occurrence_at(&self, file: u32, offset: u32) -> Option<&Occurrence> {
        let of_file = self.occurrences(file);
        let after = of_file.partition_point(|occurrence| occurrence.span.start <= offset);
        // A name inside a pasting comes after the pasting in the list, and has priority if the offset is in it.
        let touches = |occurrence: &&Occurrence| offset <= occurrence.span.end;
        let innermost = of_file[..after].iter().rev().take(MAX_PASTED_NAMES).find(touches)?;
        of_file[..after].iter().find(|occurrence| occurrence.span == innermost.span)
    }

    /// All occurrences of an item, in all files.
    pub fn occurrences_of(&self, item: u32) -> impl Iterator<Item = &Occurrence> {
        self.occurrences.iter().filter(move |occurrence| occurrence.item == item)
    }

    /// The items that the name at this span means; several if it is a pasting.
    pub fn meanings(&self, span: Span) -> impl Iterator<Item = u32> {
        let of_file = self.occurrences(span.file);
        let first = of_file.partition_point(|occurrence| occurrence.span.start < span.start);
        let here = of_file[first..].iter().take_while(move |occurrence| occurrence.span.start == span.start);
        here.filter(move |occurrence| occurrence.span == span).map(|occurrence| occurrence.item)
    }

    /// All items that are visible at an offset; an item comes before those that it hides.
    pub fn visible(&self, file: u32, offset: u32) -> Vec<&Item> {
        // The names of the program take precedence.
        let globals = [false, true].into_iter().flat_map(|library| {
            self.items.iter().filter(move |item| is_global(item) && item.is_of_library == library)
        });
        let mut seen = HashSet::new();
        self.near(file, offset).chain(globals).filter(|item| seen.insert(&item.name)).collect()
    }

    /// The parameters, counters and local labels that are visible at an offset, the innermost first.
    fn near(&self, file: u32, offset: u32) -> impl Iterator<Item = &Item> {
        let Visibility { scope, region } = self.scopes.at(file, offset);
        let labels = self.scopes.regions(region).flat_map(|region| {
            let mut labels: Vec<u32> = region.labels.values().copied().collect();
            labels.sort_unstable();
            labels
        });
        self.scopes.bindings(scope).map(|(_, item)| item).chain(labels).map(|item| &self.items[item as usize])
    }

    /// The reason why an item cannot be renamed, or not to this name.
    pub fn obstacle(&self, item: u32, new_name: Option<&str>) -> Option<Obstacle> {
        let Item { name, kind, definitions, is_of_library, key } = &self.items[item as usize];
        if *is_of_library || definitions.iter().any(|definition| self.is_of_library(definition.name.file)) {
            return Some(Obstacle::Library);
        }
        if definitions.is_empty() {
            return Some(Obstacle::BuiltIn);
        }
        if let Some(&span) = self.pasted.get(key) {
            return Some(Obstacle::Pasted(span));
        }
        if let Some(mention) = self.idle_pastings.iter().find(|mention| self.may_make(mention, name)) {
            return Some(Obstacle::Pasted(mention.span));
        }
        let new_name = new_name.filter(|new_name| new_name != name)?;
        let is_fit = is_name(new_name) && new_name.starts_with('.') == name.starts_with('.');
        let is_function = *kind == ItemKind::Symbol(SymbolKind::Function);
        let is_reserved = is_statement(new_name) || new_name == "here" || new_name.eq_ignore_ascii_case("a");
        if !is_fit || is_reserved || is_function && FUNCTIONS.contains(&new_name) {
            return Some(Obstacle::NoName);
        }
        let mut places = self.occurrences_of(item).map(|occurrence| occurrence.span);
        let is_it = |other: &Item| other.name == new_name;
        let is_own_global = |other: &&Item| is_global(other) && !other.is_of_library;
        let is_taken = places.any(|span| self.near(span.file, span.start).any(is_it))
            || self.items.iter().filter(is_own_global).any(is_it);
        // Uses of the new name elsewhere, which the item would hide.
        let hides = self.occurrences.iter().any(|occurrence| {
            let other = &self.items[occurrence.item as usize];
            other.name == new_name
                && definitions.iter().any(|definition| {
                    let Span { file, start, end } = definition.extent;
                    let is_bound =
                        matches!(self.items[item as usize].kind, ItemKind::Parameter | ItemKind::Counter);
                    let is_inside =
                        occurrence.span.file == file && (start..end).contains(&occurrence.span.start);
                    is_inside || !is_bound && !name.starts_with('.')
                })
        });
        (is_taken || hides).then_some(Obstacle::Taken)
    }

    /// Whether a pasting that no expansion has reached may make this name.
    fn may_make(&self, mention: &Mention, name: &str) -> bool {
        let WrittenName::Pasted(pasting) = mention.name else { return false };
        let parts = &self.syntax.pastings[pasting as usize];
        let (Some(Part::Text(first)), Some(Part::Text(last))) = (parts.first(), parts.last()) else {
            return false;
        };
        let is_constrained = !first.is_empty() || !last.is_empty();
        is_constrained
            && !self.is_of_library(mention.span.file)
            && name.len() > first.len() + last.len()
            && name.starts_with(first.as_str())
            && name.ends_with(last.as_str())
    }

    /// Whether a file is an unchanged file of the built-in library.
    pub fn is_of_library(&self, file: u32) -> bool {
        self.files.get(file as usize).is_some_and(|file| file.is_of_library)
    }
}

fn is_global(item: &Item) -> bool {
    matches!(item.kind, ItemKind::Symbol(_)) && !item.name.starts_with('.')
}
