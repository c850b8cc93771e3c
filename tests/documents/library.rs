//! The table of the library in the language reference is generated from the comments of the library's files.
//! `tests/idioms` checks these comments.

use crate::document::{open, root};
use std::fmt::Write;
use std::fs;
use test_support::library::{After, after};

#[test]
fn the_reference_matches_the_library_comments() {
    // In the order in which `all.g1` includes the files.
    let all = read("all.g1");
    let files: Vec<&str> =
        all.lines().filter_map(|line| line.strip_prefix(".include \"")?.strip_suffix('"')).collect();
    let reference = open("docs/assembly-language.md");
    reference.assert_section("idioms", &table(&files));
    reference.assert_section("letters", &table(&["leds.g1"]));
}

/// The macros of these files with their costs.
fn table(files: &[&str]) -> String {
    let mut table =
        String::from("\n| idiom | what it does | A | C | words, cycles |\n|---|---|---|---|---|\n");
    for file in files {
        let text = read(file);
        let mut heading = ("", "");
        let (mut costs, mut examples) = (Vec::new(), Vec::new());
        for line in text.lines() {
            if let Some(example) = line.strip_prefix(";     ") {
                let at = example.find(" word").and_then(|at| example[..at].rfind(' ')).expect("a cost");
                let (call, cost) = example.split_at(at);
                let call = call.split_whitespace().collect::<Vec<_>>().join(" ");
                let cost = cost.split_whitespace().collect::<Vec<_>>().join(" ");
                let cost = cost.replacen("words ", "words, ", 1).replacen("word ", "word, ", 1);
                examples.push(call.clone());
                costs.push(format!(
                    "`{call}`: {}",
                    cost.replace("words, + ", "words + ").replace("once ", "once, ")
                ));
            } else if line.is_empty() {
                heading = ("", "");
            } else if let ("", Some(first)) = (heading.0, line.strip_prefix("; ")) {
                heading = first.split_once(": ").unwrap_or((first, ""));
            } else if line.starts_with(".macro ") && !costs.is_empty() {
                let (name, what) = heading;
                let [a, c] = words(&examples, file);
                let _ = writeln!(table, "| `{name}` | {what} | {a} | {c} | {} |", costs.join("<br>"));
                costs.clear();
                examples.clear();
            }
        }
    }
    table + "\n"
}

/// The contents of A and C after these calls of an idiom, in words.
fn words(calls: &[String], file: &str) -> [&'static str; 2] {
    let all: Vec<[After; 2]> = calls.iter().map(|call| after(call, file)).collect();
    [0, 1].map(|register| {
        let any = |wanted| all.iter().any(|after| after[register] == wanted);
        if any(After::Lost) {
            "lost"
        } else if any(After::New) {
            "new"
        } else {
            "stays"
        }
    })
}

fn read(file: &str) -> String {
    let path = root().join("programs/lib").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
