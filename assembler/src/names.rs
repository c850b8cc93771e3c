//! Names as small numbers: each spelling is kept once, and comparing two names is comparing two numbers.

use std::collections::HashMap;
use std::rc::Rc;

/// A name of the source. Local labels keep their leading dot, so `.loop` and `loop` differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Name(u32);

impl Name {
    /// This name's place in a table of all names.
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Every name met so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    spellings: Vec<Rc<str>>,
    numbers: HashMap<Rc<str>, u32>,
}

impl Names {
    pub(crate) fn intern(&mut self, spelling: &str) -> Name {
        if let Some(&number) = self.numbers.get(spelling) {
            return Name(number);
        }
        let number = self.spellings.len() as u32;
        let spelling: Rc<str> = spelling.into();
        self.spellings.push(Rc::clone(&spelling));
        self.numbers.insert(spelling, number);
        Name(number)
    }

    pub(crate) fn spelling(&self, name: Name) -> &str {
        &self.spellings[name.index()]
    }

    pub(crate) fn is_local(&self, name: Name) -> bool {
        self.spelling(name).starts_with('.')
    }

    /// The name as messages show it: a spelling of absurd length is cut.
    pub(crate) fn show(&self, name: Name) -> String {
        shorten(self.spelling(name))
    }
}

/// A piece of source short enough for a message.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 48;
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// The candidate that `wanted` was most likely meant to be, if one is near enough.
pub fn closest<'a>(wanted: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const LONGEST: usize = 64;
    const MOST_CANDIDATES: usize = 10_000;
    let wanted: Vec<char> = wanted.chars().take(LONGEST + 1).collect();
    let allowed = if wanted.len() > LONGEST { return None } else { wanted.len().div_ceil(3).min(3) };
    candidates
        .take(MOST_CANDIDATES)
        .filter(|candidate| candidate.len() <= 4 * LONGEST)
        .filter_map(|candidate| Some((distance(&wanted, candidate, allowed)?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// How many letters must be typed, dropped, changed or swapped with their neighbour, unless it is more than
/// `allowed`. A difference in case alone counts as one.
fn distance(wanted: &[char], candidate: &str, allowed: usize) -> Option<usize> {
    let candidate: Vec<char> = candidate.chars().collect();
    if candidate.len().abs_diff(wanted.len()) > allowed {
        return None;
    }
    if candidate.iter().flat_map(|c| c.to_lowercase()).eq(wanted.iter().flat_map(|c| c.to_lowercase())) {
        return Some(1);
    }
    let mut before = vec![0; candidate.len() + 1];
    let mut above: Vec<usize> = (0..=candidate.len()).collect();
    for (i, &a) in wanted.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &b) in candidate.iter().enumerate() {
            let mut cost = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a == candidate[j - 1] && wanted[i - 1] == b {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    let cost = above[candidate.len()];
    (cost <= allowed && cost < wanted.len().max(candidate.len())).then_some(cost)
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
            ("x", None),
            ("column", None),
        ] {
            assert_eq!(closest(wanted, names.into_iter()), expected, "{wanted}");
        }
    }
}
