//! Checks whether programs found the same solutions. The result of the majority is assumed to be correct.

use super::entry::Entry;
use super::measure::RunResult;
use gray1_text::counted;
use std::collections::{BTreeMap, BTreeSet};

/// Runs whose solutions must be the same.
type Group<'a> = Vec<(&'a Entry, &'a RunResult)>;

/// Returns the size of the problem: N if the program defines it, otherwise the length of its solutions.
pub fn size(entry: &Entry, result: &RunResult) -> Option<u64> {
    entry.n.or_else(|| result.found.length())
}

/// Groups the runs by N. If all runs with an N have the same one, it is assumed for the runs without an N, such as a
/// program that found nothing.
fn groups<'a>(finished: &[(&'a Entry, &'a RunResult)]) -> BTreeMap<Option<u64>, Group<'a>> {
    let sizes: BTreeSet<u64> = finished.iter().filter_map(|(entry, result)| size(entry, result)).collect();
    let common = sizes.first().copied().filter(|_| sizes.len() == 1);
    let mut groups: BTreeMap<Option<u64>, Group> = BTreeMap::new();
    for (entry, result) in finished {
        groups.entry(size(entry, result).or(common)).or_default().push((entry, result));
    }
    groups
}

/// Formats the prefix of a message about a group.
fn prefix(n: Option<u64>) -> String {
    n.map_or_else(String::new, |n| format!("N = {n}: "))
}

/// Lists the contradictions within a result and between results.
pub fn faults(finished: &[(&Entry, &RunResult)]) -> Vec<String> {
    let own = finished
        .iter()
        .filter_map(|(entry, result)| Some(format!("{entry}: {}", result.found.fault.as_ref()?)));
    let between = groups(finished).into_iter().flat_map(|(n, group)| disagreements(&prefix(n), &group));
    own.chain(between).collect()
}

fn disagreements(prefix: &str, group: &Group) -> Vec<String> {
    let solutions = |index: usize| &group[index].1.found.solutions;
    let votes = |index: usize| (0..group.len()).filter(|other| solutions(*other) == solutions(index)).count();
    // The first of the runs with the most votes. `max_by_key` returns the last, hence the `rev`.
    let Some(majority) = (0..group.len()).rev().max_by_key(|index| votes(*index)) else { return Vec::new() };
    let name = |index: usize| &group[index].0.name;
    let others = match votes(majority) - 1 {
        0 => String::new(),
        others => format!(" and {}", counted(others, "other program")),
    };
    let difference = |index: usize| {
        let (found, expected) = (solutions(index), solutions(majority));
        let first = |of: &BTreeSet<String>, without: &BTreeSet<String>| {
            of.difference(without).next().map(|line| line.escape_debug().to_string())
        };
        let (name, right) = (name(index), name(majority));
        let what = match (first(expected, found), first(found, expected)) {
            (Some(line), _) => format!("{right}{others} found {line}, which {name} lacks"),
            (None, Some(line)) if others.is_empty() => {
                format!("{name} found {line}, which {right} lacks")
            }
            (None, Some(line)) => format!("{name} found {line}, which {right}{others} lack"),
            (None, None) => return None,
        };
        Some(format!("{prefix}{name} and {right} disagree: {what}"))
    };
    (0..group.len()).filter_map(difference).collect()
}

/// Formats a line for each N with the number of common solutions, and a line for programs that could not be compared.
pub fn agreement(finished: &[(&Entry, &RunResult)]) -> Vec<String> {
    let (mut lines, mut alone) = (Vec::new(), Vec::new());
    for (n, group) in groups(finished) {
        match group[..] {
            [(entry, _)] => alone.push(entry.to_string()),
            _ => lines.push(format!(
                "{}{} programs agree on the solutions: {}",
                prefix(n),
                group.len(),
                group[0].1.found.solutions.len()
            )),
        }
    }
    if finished.len() > 1 && !alone.is_empty() {
        lines.push(format!("not compared with any other program: {}", alone.join(", ")));
    }
    lines
}
