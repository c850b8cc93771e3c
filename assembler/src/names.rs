//! Names as small numbers: each spelling is kept once, and comparing two names means comparing two numbers.

use gray1_text::distance;
use hashbrown::HashMap;
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
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// For each name, its spelling, and whether it belongs to the library.
    spellings: Vec<(Arc<str>, bool)>,
    /// The names of the program, and those of the library, by their spellings.
    by_spelling: [HashMap<Arc<str>, Name>; 2],
    /// For each name, whether an expression or a call mentions it.
    pub(crate) mentioned: Vec<bool>,
    /// For each name, whether a contract mentions it.
    pub(crate) promised: Vec<bool>,
    /// For each name, whether a statement defines it.
    pub(crate) defined: Vec<bool>,
}

impl Names {
    /// Interns a name of the program.
    pub(crate) fn intern(&mut self, spelling: &str) -> Name {
        self.find_or_add(spelling, false)
    }

    /// Interns a name of the library.
    pub(crate) fn intern_of_library(&mut self, spelling: &str) -> Name {
        self.find_or_add(spelling, true)
    }

    fn find_or_add(&mut self, spelling: &str, is_of_library: bool) -> Name {
        let by_spelling = &mut self.by_spelling[usize::from(is_of_library)];
        if let Some(&known) = by_spelling.get(spelling) {
            return known;
        }
        let (name, spelling) = (Name(self.spellings.len() as u32), Arc::<str>::from(spelling));
        by_spelling.insert(Arc::clone(&spelling), name);
        self.spellings.push((spelling, is_of_library));
        self.mentioned.push(false);
        self.promised.push(false);
        self.defined.push(false);
        name
    }

    /// Finds the namesake of a name.
    pub(crate) fn namesake(&self, name: Name) -> Option<Name> {
        let owner = usize::from(!self.is_of_library(name));
        self.by_spelling[owner].get(self.spelling(name)).copied()
    }

    /// Looks up a name, and its namesake if there is nothing of that name itself.
    pub(crate) fn find<T>(&self, name: Name, look_up: impl Fn(Name) -> Option<T>) -> Option<T> {
        look_up(name).or_else(|| look_up(self.namesake(name)?))
    }

    pub(crate) fn is_of_library(&self, name: Name) -> bool {
        self.spellings[name.index()].1
    }

    pub(crate) fn spelling(&self, name: Name) -> &str {
        &self.spellings[name.index()].0
    }

    /// Returns a shared copy of the spelling.
    pub(crate) fn shared(&self, name: Name) -> Arc<str> {
        Arc::clone(&self.spellings[name.index()].0)
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
    shorten_to(48, text)
}

/// Shortens a message of the program itself, which may be repeated a thousand times.
pub(crate) fn shorten_message(text: &str) -> String {
    shorten_to(400, text)
}

fn shorten_to(characters: usize, text: &str) -> String {
    match text.char_indices().nth(characters) {
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
        let own = ["a", "b", "a"].map(|spelling| names.intern(spelling));
        assert!(own[0] == own[2] && own[0] != own[1]);
        assert_eq!(names.namesake(own[0]), None);
        let other = names.intern_of_library("a");
        assert_eq!((names.spelling(other), names.is_of_library(other)), ("a", true));
        assert_eq!((names.namesake(own[0]), names.namesake(other)), (Some(other), Some(own[0])));
    }
}
