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

/// The runs by their N. Those that have none, such as a program that has found nothing, go with the others as long as
/// these have one N in common.
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

/// How a message about a group begins.
fn about(n: Option<u64>) -> String {
    n.map_or_else(String::new, |n| format!("N = {n}: "))
}

/// What programs say that contradicts themselves or the others.
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
        Some(format!("{about}{name} and {right} disagree: {what}"))
    };
    (0..group.len()).filter_map(difference).collect()
}

/// What programs agree on, a line for each N that several of them have; and which have nobody to agree with.
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
