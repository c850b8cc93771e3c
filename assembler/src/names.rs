//! Names as small numbers: each spelling is kept once, and comparing two names is comparing two numbers.

use std::collections::HashMap;
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

/// More candidates than this are not compared with a misspelt name.
pub(crate) const MOST_CANDIDATES: usize = 10_000;

/// Every name met so far.
///
/// A program and the library may use the same spelling: these are two names, each other's *namesakes*.
#[derive(Debug, Default)]
pub(crate) struct Names {
    spellings: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
    /// The names that are the library's own.
    of_library: HashMap<Arc<str>, u32>,
    namesakes: HashMap<Name, Name>,
    /// For each name, whether an expression or a call mentions it anywhere.
    pub(crate) mentioned: Vec<bool>,
    /// For each name, whether a statement defines it anywhere.
    pub(crate) defined: Vec<bool>,
}

impl Names {
    pub(crate) fn intern(&mut self, spelling: &str) -> Name {
        if let Some(&number) = self.numbers.get(spelling) {
            return Name(number);
        }
        let (name, spelling) = self.add(spelling);
        self.meet(name, self.of_library.get(&spelling).copied());
        self.numbers.insert(spelling, name.0);
        name
    }

    /// The same for a name that is the library's own.
    pub(crate) fn intern_of_library(&mut self, spelling: &str) -> Name {
        if let Some(&number) = self.of_library.get(spelling) {
            return Name(number);
        }
        let (name, spelling) = self.add(spelling);
        self.meet(name, self.numbers.get(&spelling).copied());
        self.of_library.insert(spelling, name.0);
        name
    }

    fn add(&mut self, spelling: &str) -> (Name, Arc<str>) {
        let number = self.spellings.len() as u32;
        let spelling: Arc<str> = spelling.into();
        self.spellings.push(Arc::clone(&spelling));
        self.mentioned.push(false);
        self.defined.push(false);
        (Name(number), spelling)
    }

    fn meet(&mut self, name: Name, other: Option<u32>) {
        if let Some(other) = other.map(Name) {
            self.namesakes.insert(name, other);
            self.namesakes.insert(other, name);
        }
    }

    /// The library's name of this spelling for one of a program, and the other way round.
    pub(crate) fn namesake(&self, name: Name) -> Option<Name> {
        self.namesakes.get(&name).copied()
    }

    pub(crate) fn is_of_library(&self, name: Name) -> bool {
        self.of_library.get(self.spelling(name)) == Some(&name.0)
    }

    pub(crate) fn spelling(&self, name: Name) -> &str {
        &self.spellings[name.index()]
    }

    /// A shared copy of the spelling.
    pub(crate) fn shared(&self, name: Name) -> Arc<str> {
        Arc::clone(&self.spellings[name.index()])
    }

    pub(crate) fn is_local(&self, name: Name) -> bool {
        self.spelling(name).starts_with('.')
    }

    /// The name as messages show it: a spelling of absurd length is cut.
    pub(crate) fn show(&self, name: Name) -> String {
        shorten(self.spelling(name))
    }
}

/// Whether this can be a name: a letter or `_`, then letters, digits, `_`; maybe after the dot of a local label.
pub(crate) fn is_name(spelling: &str) -> bool {
    let letters = spelling.strip_prefix('.').unwrap_or(spelling);
    letters.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && name_length(letters) == letters.len()
}

/// How many letters, digits and `_` a text begins with.
pub(crate) fn name_length(text: &str) -> usize {
    text.bytes().take_while(|&byte| byte == b'_' || byte.is_ascii_alphanumeric()).count()
}

/// A piece of source short enough for a message.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 48;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// The mnemonic that a word was most likely meant to be, in the case it is written in.
pub(crate) fn near_mnemonic(wanted: &str) -> Option<String> {
    let mut mnemonics = gray1_isa::INSTRUCTIONS.iter().map(|row| row.mnemonic);
    let meant = mnemonics.find(|mnemonic| distance(wanted, mnemonic, 1, &mut { u64::MAX }).is_some())?;
    let in_capitals = wanted.chars().all(|c| !c.is_ascii_lowercase());
    Some(if in_capitals { meant.to_owned() } else { meant.to_ascii_lowercase() })
}

/// The candidate that `wanted` was most likely meant to be, if one is near enough.
pub fn closest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    closest_affordable(wanted, candidates, &mut { u64::MAX })
}

/// The same as long as there is effort left, which is taken from: it is about one for each pair of letters compared.
pub(crate) fn closest_affordable<'a>(
    wanted: &str,
    candidates: impl Iterator<Item = &'a str>,
    effort: &mut u64,
) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if *effort == 0 {
        return None;
    }
    let candidates: Vec<&str> =
        candidates.take(MOST_CANDIDATES).filter(|candidate| candidate.len() <= 4 * LONGEST).collect();
    *effort = effort.saturating_sub(candidates.len() as u64);
    if let Some(only) = only_beginning(wanted, &candidates) {
        return Some(only);
    }
    let length = wanted.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return None;
    }
    let allowed = length.div_ceil(3).min(3);
    let nearest = candidates
        .into_iter()
        .filter_map(|candidate| {
            // Of two that are as near, the one that begins alike: first letters are seldom mistyped.
            let begins_otherwise = candidate.chars().next() != wanted.chars().next();
            Some((distance(wanted, candidate, allowed, effort)?, begins_otherwise, candidate))
        })
        .min();
    // What was not compared might have been nearer.
    nearest.filter(|_| *effort > 0).map(|(_, _, candidate)| candidate)
}

/// The only candidate that begins with `wanted`, if that is long enough to tell.
fn only_beginning<'a>(wanted: &str, candidates: &[&'a str]) -> Option<&'a str> {
    const SHORTEST: usize = 4;
    let mut found = candidates.iter().filter(|candidate| candidate.starts_with(wanted));
    match (found.next(), found.next()) {
        (Some(only), None) if wanted.len() >= SHORTEST => Some(only),
        _ => None,
    }
}

/// How many letters must be typed, dropped, changed or swapped with their neighbour, unless it is more than
/// `allowed`. Case does not matter, except that a difference in case alone counts as one.
fn distance(wanted: &str, candidate: &str, allowed: usize, effort: &mut u64) -> Option<usize> {
    let (wanted, candidate) = (wanted.to_ascii_lowercase(), candidate.to_ascii_lowercase());
    let (wanted_length, length) = (wanted.chars().count(), candidate.chars().count());
    if length.abs_diff(wanted_length) > allowed || *effort == 0 {
        return None;
    }
    *effort = effort.saturating_sub((length * wanted_length) as u64);
    if candidate == wanted {
        return Some(1);
    }
    let cost = strsim::osa_distance(&wanted, &candidate);
    (cost <= allowed && cost < wanted_length.max(length)).then_some(cost)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_misses_are_found() {
        let names = ["limit", "queens", "row", ".endrepeat", "LDA"];
        for (wanted, expected) in [
            ("limt", Some("limit")),
            ("Limit", Some("limit")),
            ("quenes", Some("queens")),
            (".endrepeta", Some(".endrepeat")),
            ("lda", Some("LDA")),
            ("ldaa", Some("LDA")),
            (".endr", Some(".endrepeat")),
            ("x", None),
            ("column", None),
        ] {
            assert_eq!(closest(wanted, names.into_iter()), expected, "{wanted}");
        }
    }

    /// 4,000 misspelt names in a program with as many labels once kept the assembler busy for minutes.
    #[test]
    fn suggestions_end_when_the_effort_is_spent() {
        let labels: Vec<String> = (0..4_000).map(|number| format!("{}{number}", "a".repeat(55))).collect();
        let wanted = "a".repeat(55) + "bbb";
        let (mut effort, mut seen) = (20_000_000, 0);
        for _ in 0..4_000 {
            let candidates = labels.iter().map(|label| &label[..]).inspect(|_| seen += 1);
            closest_affordable(&wanted, candidates, &mut effort);
        }
        assert_eq!((effort, seen), (0, 2 * labels.len()));
    }
}
