//! Programs that several students have handed in. Right tables and cells are equal by themselves; programs seldom are.

use super::attempts::Attempt;
use std::collections::BTreeMap;

/// For each attempt, the other files with the same program: the same words in the same order, whatever the comments,
/// the spaces and the capitals.
pub fn same(attempts: &[Attempt]) -> Vec<Vec<String>> {
    let mut files: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    let keys: Vec<_> = attempts.iter().map(key).collect();
    for (attempt, key) in attempts.iter().zip(&keys) {
        if let Some(key) = key {
            files.entry(key.clone()).or_default().push(&attempt.file);
        }
    }
    let others = |(attempt, key): (&Attempt, &Option<_>)| {
        let files = key.as_ref().map_or(&[][..], |key| &files[key]);
        files.iter().filter(|file| **file != attempt.file).map(|file| (*file).to_owned()).collect()
    };
    attempts.iter().zip(&keys).map(others).collect()
}

/// What is compared; nothing if it is not a program, or only what everybody begins with.
fn key(attempt: &Attempt) -> Option<(&str, String)> {
    let (exercise, text) = attempt.read.as_ref().ok()?;
    let compared = bare(text);
    (exercise.kind == "program" && compared != bare(&exercise.start)).then_some((&attempt.id, compared))
}

/// A program without comments, with one space between its words, without capitals.
fn bare(text: &str) -> String {
    let lines = text.lines().map(|line| line.split(';').next().unwrap_or_default());
    let words = lines.flat_map(str::split_whitespace).map(str::to_lowercase);
    words.collect::<Vec<_>>().join(" ")
}
