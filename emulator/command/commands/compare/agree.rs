//! Checks whether programs have found the same solutions. The result of the majority is assumed to be correct.

use super::entry::Entry;
use super::measure::Measured;
use std::collections::{BTreeMap, BTreeSet};

/// Runs whose solutions must be the same.
type Group<'a> = Vec<(&'a Entry, &'a Measured)>;

/// The size of the problem: N if the program defines it, otherwise the length of its solutions.
pub fn size(entry: &Entry, measured: &Measured) -> Option<u64> {
    entry.n.or_else(|| measured.found.length())
}

/// The runs grouped by N. Runs without one, such as a program that found nothing, are added to the others if all of
/// these have the same N.
fn groups<'a>(finished: &[(&'a Entry, &'a Measured)]) -> BTreeMap<Option<u64>, Group<'a>> {
    let sizes: BTreeSet<u64> =
        finished.iter().filter_map(|(entry, measured)| size(entry, measured)).collect();
    let common = sizes.first().copied().filter(|_| sizes.len() == 1);
    let mut groups: BTreeMap<Option<u64>, Group> = BTreeMap::new();
    for (entry, measured) in finished {
        groups.entry(size(entry, measured).or(common)).or_default().push((entry, measured));
    }
    groups
}

/// The first words of a message about a group.
fn about(n: Option<u64>) -> String {
    n.map_or_else(String::new, |n| format!("N = {n}: "))
}

/// Messages about results that contradict themselves or those of other programs.
pub fn faults(finished: &[(&Entry, &Measured)]) -> Vec<String> {
    let own = finished
        .iter()
        .filter_map(|(entry, measured)| Some(format!("{entry}: {}", measured.found.fault.as_ref()?)));
    let between = groups(finished).into_iter().flat_map(|(n, group)| disagreements(&about(n), &group));
    own.chain(between).collect()
}

fn disagreements(about: &str, group: &Group) -> Vec<String> {
    let solutions = |index: usize| &group[index].1.found.solutions;
    let votes = |index: usize| (0..group.len()).filter(|other| solutions(*other) == solutions(index)).count();
    // The run that most others agree with, the first of several: `max_by_key` returns the last, hence the `rev`.
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
        Some(format!("{about}{name} and {right} disagree: {what}"))
    };
    (0..group.len()).filter_map(difference).collect()
}

/// One line for each N: what its programs agree on, or that a program is the only one with this N.
pub fn agreement(finished: &[(&Entry, &Measured)]) -> Vec<String> {
    let (mut said, mut alone) = (Vec::new(), Vec::new());
    for (n, group) in groups(finished) {
        match group[..] {
            [(entry, _)] => alone.push(entry.to_string()),
            _ => said.push(format!(
                "{}{} programs agree on the solutions: {}",
                about(n),
                group.len(),
                group[0].1.found.solutions.len()
            )),
        }
    }
    if finished.len() > 1 && !alone.is_empty() {
        said.push(format!("not compared with any other program: {}", alone.join(", ")));
    }
    said
}
