//! What has become faster or slower since another profile, line by line.
//!
//! Lines move when a program is edited, so lines are compared that have the same text and the same order.

use crate::profile::{LineCount, Profile};
use std::collections::HashMap;

/// Longer programs are compared by a simpler rule, which finds fewer lines again.
const MOST_COMPARED: usize = 1 << 24;

/// Two profiles, compared.
pub struct Against {
    /// The cycles of the other profile.
    pub before: u64,
    /// The cycles of this one.
    pub now: u64,
    /// The lines whose cycles are different, with the largest differences first. Their sum is the difference of the
    /// cycles, as far as these are those of words with a line.
    pub changes: Vec<LineChange>,
}

/// A line that takes more or fewer cycles than before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineChange {
    /// Its text.
    pub text: String,
    /// Where it was, and its own cycles; `None` if it is new.
    pub before: Option<(String, u64)>,
    /// Where it is now, and its own cycles; `None` if it has been removed, or makes no words any more.
    pub now: Option<(String, u64)>,
}

impl LineChange {
    /// The difference in cycles: negative if it has become faster.
    pub fn difference(&self) -> i128 {
        let cycles =
            |side: &Option<(String, u64)>| side.as_ref().map_or(0, |(_, cycles)| i128::from(*cycles));
        cycles(&self.now) - cycles(&self.before)
    }

    /// Where it is, or was.
    pub fn source(&self) -> &str {
        self.now.as_ref().or(self.before.as_ref()).map_or("", |(source, _)| source)
    }
}

impl Profile {
    /// Compares this profile with an older one.
    pub fn against(&self, old: &Profile) -> Against {
        let pairs = pairs(&old.lines, &self.lines);
        let side = |line: Option<&LineCount>| line.map(|line| (line.source.clone(), line.own));
        let changes = pairs.into_iter().map(|(before, now)| {
            let (before, now) = (before.map(|at| &old.lines[at]), now.map(|at| &self.lines[at]));
            let text = now.or(before).map_or(String::new(), |line| line.text.clone());
            LineChange { text, before: side(before), now: side(now) }
        });
        let mut changes: Vec<LineChange> = changes.filter(|change| change.difference() != 0).collect();
        changes.sort_by(|a, b| {
            let size = |change: &LineChange| change.difference().unsigned_abs();
            size(b).cmp(&size(a)).then_with(|| a.source().cmp(b.source()))
        });
        Against { before: old.cycles, now: self.cycles, changes }
    }
}

/// A line before, and the same line now.
type Pair = (Option<usize>, Option<usize>);

fn pairs(old: &[LineCount], new: &[LineCount]) -> Vec<Pair> {
    let same = |a: usize, b: usize| old[a].text == new[b].text;
    let least = old.len().min(new.len());
    let head = (0..least).take_while(|&at| same(at, at)).count();
    let from_end = |at: usize| (old.len() - 1 - at, new.len() - 1 - at);
    let tail = (0..least - head).take_while(|&at| same(from_end(at).0, from_end(at).1)).count();
    let (middle_old, middle_new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let kept = match middle_old.len().saturating_mul(middle_new.len()) <= MOST_COMPARED {
        true => most_in_common(middle_old, middle_new),
        false => next_in_order(middle_old, middle_new),
    };
    let kept = kept.into_iter().map(|(a, b)| (head + a, head + b));
    let equal = (0..head).map(|at| (at, at)).chain(kept).chain((0..tail).rev().map(from_end));
    let (mut pairs, mut a, mut b) = (Vec::new(), 0, 0);
    for (next_a, next_b) in equal.chain([(old.len(), new.len())]) {
        pairs.extend((a..next_a).map(|at| (Some(at), None)));
        pairs.extend((b..next_b).map(|at| (None, Some(at))));
        if next_a < old.len() {
            pairs.push((Some(next_a), Some(next_b)));
        }
        (a, b) = (next_a + 1, next_b + 1);
    }
    pairs
}

/// The longest sequence of lines that both have.
fn most_in_common(old: &[LineCount], new: &[LineCount]) -> Vec<(usize, usize)> {
    let width = new.len() + 1;
    // For each pair of places, the length of the longest sequence from there on.
    let mut length = vec![0u32; (old.len() + 1) * width];
    for a in (0..old.len()).rev() {
        for b in (0..new.len()).rev() {
            length[a * width + b] = match old[a].text == new[b].text {
                true => length[(a + 1) * width + b + 1] + 1,
                false => length[(a + 1) * width + b].max(length[a * width + b + 1]),
            };
        }
    }
    let (mut kept, mut a, mut b) = (Vec::new(), 0, 0);
    while a < old.len() && b < new.len() {
        if old[a].text == new[b].text {
            kept.push((a, b));
            (a, b) = (a + 1, b + 1);
        } else if length[(a + 1) * width + b] >= length[a * width + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    kept
}

/// For each new line, the next old line with the same text.
fn next_in_order(old: &[LineCount], new: &[LineCount]) -> Vec<(usize, usize)> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, line) in old.iter().enumerate() {
        places.entry(&line.text).or_default().push(at);
    }
    let (mut kept, mut from) = (Vec::new(), 0);
    for (at, line) in new.iter().enumerate() {
        let places = places.get(&*line.text).map_or(&[][..], Vec::as_slice);
        if let Some(&place) = places.get(places.partition_point(|&place| place < from)) {
            kept.push((place, at));
            from = place + 1;
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(texts: &str) -> Vec<LineCount> {
        let line = |(at, text): (usize, char)| LineCount {
            source: format!("p.g1:{at}"),
            runs: 1,
            cycles: 1,
            own: 1,
            first: None,
            text: text.to_string(),
        };
        texts.chars().enumerate().map(line).collect()
    }

    #[test]
    fn lines_are_found_again_where_they_have_moved() {
        let cases =
            [("abcd", "abcd", 4), ("abcd", "xabycd", 4), ("abcd", "bad", 2), ("", "a", 0), ("aaa", "aa", 2)];
        for (old, new, kept) in cases {
            let (old, new) = (lines(old), lines(new));
            let pairs = pairs(&old, &new);
            let both = pairs.iter().filter_map(|&(a, b)| Some((a?, b?)));
            assert!(both.clone().all(|(a, b)| old[a].text == new[b].text));
            assert_eq!(both.count(), kept, "{old:?} {new:?}");
            assert_eq!(
                pairs.iter().filter_map(|pair| pair.0).collect::<Vec<_>>(),
                (0..old.len()).collect::<Vec<_>>()
            );
            assert_eq!(
                pairs.iter().filter_map(|pair| pair.1).collect::<Vec<_>>(),
                (0..new.len()).collect::<Vec<_>>()
            );
            let simple = next_in_order(&old, &new);
            assert!(simple.iter().all(|&(a, b)| old[a].text == new[b].text) && simple.is_sorted());
        }
    }
}
