//! Names as small numbers: each spelling is kept once, and comparing two names means comparing two numbers.

use gray1_text::distance;
use hashbrown::{DefaultHashBuilder, HashMap, HashTable};
use std::cell::RefCell;
use std::hash::BuildHasher;
use std::sync::Arc;

/// A name of the source. Local labels keep their leading dot, so `.loop` and `loop` differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name(u32);

impl Name {
    /// The index of this name in a table of all names.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// All names so far.
///
/// A program and the library may use the same spelling: these are two names, each other's *namesakes*.
///
/// A program can have hundreds of thousands of names, so they share one text.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// All spellings, concatenated.
    text: String,
    /// For each name, the end of its spelling, and its owner.
    ends: Vec<(u32, Owner)>,
    /// Each name at the hash of its spelling.
    places: HashTable<Place>,
    hasher: DefaultHashBuilder,
    shared: RefCell<HashMap<Name, Arc<str>>>,
    /// For each name, whether an expression or a call mentions it.
    pub(crate) mentioned: Vec<bool>,
    /// For each name, whether a contract mentions it.
    pub(crate) promised: Vec<bool>,
    /// For each name, whether a statement defines it.
    pub(crate) defined: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Owner {
    Program,
    Library,
}

#[derive(Clone, Copy, Debug)]
struct Place {
    hash: u64,
    name: Name,
}

impl Names {
    /// Interns a name of the program.
    pub(crate) fn intern(&mut self, spelling: &str) -> Name {
        self.find_or_add(spelling, Owner::Program)
    }

    /// Interns a name of the library.
    pub(crate) fn intern_of_library(&mut self, spelling: &str) -> Name {
        self.find_or_add(spelling, Owner::Library)
    }

    /// Finds the namesake of a name.
    pub(crate) fn namesake(&self, name: Name) -> Option<Name> {
        let other = if self.is_of_library(name) { Owner::Program } else { Owner::Library };
        let spelling = self.spelling(name);
        let is_meant = |place: &Place| self.is_name(place.name, spelling, other);
        self.places.find(self.hasher.hash_one((spelling, other)), is_meant).map(|place| place.name)
    }

    /// Looks up a name, and its namesake if there is nothing of that name itself.
    pub(crate) fn find<T>(&self, name: Name, look_up: impl Fn(Name) -> Option<T>) -> Option<T> {
        look_up(name).or_else(|| look_up(self.namesake(name)?))
    }

    pub(crate) fn is_of_library(&self, name: Name) -> bool {
        self.ends[name.index()].1 == Owner::Library
    }

    pub(crate) fn spelling(&self, name: Name) -> &str {
        let start = name.index().checked_sub(1).map_or(0, |before| self.ends[before].0);
        &self.text[start as usize..self.ends[name.index()].0 as usize]
    }

    fn find_or_add(&mut self, spelling: &str, owner: Owner) -> Name {
        let hash = self.hasher.hash_one((spelling, owner));
        if let Some(known) = self.places.find(hash, |place| self.is_name(place.name, spelling, owner)) {
            return known.name;
        }
        let name = Name(self.ends.len() as u32);
        self.places.insert_unique(hash, Place { hash, name }, |place| place.hash);
        self.text.push_str(spelling);
        self.ends.push((self.text.len() as u32, owner));
        self.mentioned.push(false);
        self.promised.push(false);
        self.defined.push(false);
        name
    }

    fn is_name(&self, name: Name, spelling: &str, owner: Owner) -> bool {
        self.ends[name.index()].1 == owner && self.spelling(name) == spelling
    }

    /// Returns a shared copy of the spelling.
    pub(crate) fn shared(&self, name: Name) -> Arc<str> {
        let mut shared = self.shared.borrow_mut();
        Arc::clone(shared.entry(name).or_insert_with(|| self.spelling(name).into()))
    }

    pub(crate) fn is_local(&self, name: Name) -> bool {
        self.spelling(name).starts_with('.')
    }

    /// The name for messages; a very long spelling is shortened.
    pub(crate) fn show(&self, name: Name) -> String {
        shorten(self.spelling(name))
    }
}

/// Whether this can be a name: a letter or `_`, then letters, digits, `_`; possibly after the dot of a local label.
pub(crate) fn is_name(spelling: &str) -> bool {
    let letters = spelling.strip_prefix('.').unwrap_or(spelling);
    letters.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && name_length(letters) == letters.len()
}

/// The number of letters, digits and `_` at the beginning of a text.
pub(crate) fn name_length(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b'_' || byte.is_ascii_alphanumeric()).count()
}

/// Shortens a piece of source for a message.
pub(crate) fn shorten(text: &str) -> String {
    const MAX_LENGTH: usize = 48;
    shorten_to(MAX_LENGTH, text)
}

/// Shortens a message of the program itself, which may be repeated a thousand times.
pub(crate) fn shorten_message(text: &str) -> String {
    const MAX_LENGTH: usize = 400;
    shorten_to(MAX_LENGTH, text)
}

fn shorten_to(longest: usize, text: &str) -> String {
    match text.char_indices().nth(longest) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// Suggests a mnemonic for a misspelt word, in the same letter case.
pub(crate) fn near_mnemonic(wanted: &str) -> Option<String> {
    let mut mnemonics = gray1_isa::INSTRUCTIONS.iter().map(|row| row.mnemonic);
    let meant = mnemonics.find(|mnemonic| distance(wanted, mnemonic, 1, &mut { u64::MAX }).is_some())?;
    let in_capitals = wanted.chars().all(|c| !c.is_ascii_lowercase());
    Some(if in_capitals { meant.to_owned() } else { meant.to_ascii_lowercase() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_is_one_name_of_each_owner() {
        let mut names = Names::default();
        let spellings: Vec<String> = (0..1_000).map(|number| format!("n{}", number % 500)).collect();
        let own: Vec<Name> = spellings.iter().map(|spelling| names.intern(spelling)).collect();
        assert_eq!(own[..500], own[500..]);
        assert_eq!(names.namesake(own[7]), None);
        let others: Vec<Name> =
            spellings[..500].iter().map(|spelling| names.intern_of_library(spelling)).collect();
        for (index, (&own, &other)) in own.iter().zip(&others).enumerate() {
            assert_eq!(
                (names.spelling(own), names.spelling(other)),
                (&spellings[index][..], &spellings[index][..])
            );
            assert_eq!((names.namesake(own), names.namesake(other)), (Some(other), Some(own)));
            assert_eq!((names.is_of_library(own), names.is_of_library(other)), (false, true));
        }
        assert_eq!(names.ends.len(), 1_000);
    }
}
