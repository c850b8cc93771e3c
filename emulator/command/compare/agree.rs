//! Whether programs have found the same solutions. What most of them say is taken for right.

use super::entry::Entry;
use super::measure::Measured;
use std::collections::{BTreeMap, BTreeSet};

/// Runs whose solutions must be the same.
type Group<'a> = Vec<(&'a Entry, &'a Measured)>;

/// The size of the problem: what the program says, or else the length of its solutions.
pub fn size(entry: &Entry, measured: &Measured) -> Option<u64> {
    entry.n.or_else(|| measured.found.length())
}

/// The runs by their N. Without an N there is nothing to compare with.
fn groups<'a>(finished: &[(&'a Entry, &'a Measured)]) -> BTreeMap<u64, Group<'a>> {
    let mut groups: BTreeMap<u64, Group> = BTreeMap::new();
    for (entry, measured) in finished {
        if let Some(n) = size(entry, measured) {
            groups.entry(n).or_default().push((entry, measured));
        }
    }
    groups
}

/// What programs say that contradicts themselves or the others.
pub fn faults(finished: &[(&Entry, &Measured)]) -> Vec<String> {
    let own = finished
        .iter()
        .filter_map(|(entry, measured)| Some(format!("{entry}: {}", measured.found.fault.as_ref()?)));
    let between = groups(finished).into_iter().flat_map(|(n, group)| disagreements(n, &group));
    own.chain(between).collect()
}

fn disagreements(n: u64, group: &Group) -> Vec<String> {
    let solutions = |index: usize| &group[index].1.found.solutions;
    let votes = |index: usize| (0..group.len()).filter(|other| solutions(*other) == solutions(index)).count();
    // The first of those that most agree with; `max_by_key` would take the last.
    let Some(right) = (0..group.len()).rev().max_by_key(|index| votes(*index)) else { return Vec::new() };
    let name = |index: usize| &group[index].0.name;
    let others = match votes(right) {
        1 => String::new(),
        2 => " and 1 other program".to_owned(),
        agreeing => format!(" and {} other programs", agreeing - 1),
    };
    let difference = |index: usize| {
        let (these, those) = (solutions(index), solutions(right));
        let first = |of: &BTreeSet<String>, without: &BTreeSet<String>| {
            of.difference(without).next().map(|line| line.escape_debug().to_string())
        };
        let (name, right) = (name(index), name(right));
        let what = match (first(those, these), first(these, those)) {
            (Some(line), _) => format!("{right}{others} found {line}, which {name} lacks"),
            (None, Some(line)) if others.is_empty() => {
                format!("{name} found {line}, which {right} lacks")
            }
            (None, Some(line)) => format!("{name} found {line}, which {right}{others} lack"),
            (None, None) => return None,
        };
        Some(format!("N = {n}: {name} and {right} disagree: {what}"))
    };
    (0..group.len()).filter_map(difference).collect()
}

/// What the programs agree on, a line for each N that several of them have.
pub fn agreement(finished: &[(&Entry, &Measured)]) -> Vec<String> {
    let groups = groups(finished).into_iter().filter(|(_, group)| group.len() > 1);
    let said = groups.map(|(n, group)| {
        let solutions = group[0].1.found.solutions.len();
        format!("N = {n}: {} programs agree on the solutions: {solutions}", group.len())
    });
    said.collect()
}
