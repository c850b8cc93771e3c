//! The cases of the corpus, and some random cases. `CASES=100000 SEED=7 TARGET=sources cargo test -p gray1-fuzz` tries
//! more, of one target.

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_fuzz::campaign::{Campaign, failure};
use gray1_fuzz::{TARGETS, corpus};
use gray1_machine::State;
use gray1_machine::board::Board;
use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};
use test_support::say;

#[test]
fn the_corpus_passes() {
    for target in &TARGETS {
        let cases = corpus(target);
        assert!(!cases.is_empty(), "no cases of {} are kept", target.name);
        for (name, case) in cases {
            assert_eq!(failure(target, &case), None, "{}/{name}", target.name);
        }
    }
}

/// The number in a variable of the environment.
fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{name} is a number")))
}

/// A case that fails is written to a file, and can be kept in the corpus.
#[test]
fn random_cases_pass() {
    let (seed, cases) = (number("SEED").unwrap_or(7), number("CASES").unwrap_or(1_000));
    let names: Vec<String> = env::var("TARGET").into_iter().collect();
    let campaign = Campaign::new(seed, &names);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..cases {
        let (target, case) = campaign.case(number);
        *counts.entry(target.name).or_default() += 1;
        if let Some(message) = failure(target, &case) {
            let path =
                Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{seed}-{number}", target.name));
            fs::write(&path, &case).expect("there is room");
            panic!("{}: {message}", path.display());
        }
    }
    assert!(!names.is_empty() || counts.len() == TARGETS.len(), "every target has its share");
    say(&format!("{cases} random cases: {counts:?}"));
}

/// If the generators made invalid cases only, the checks would not get past the first error.
#[test]
fn many_generated_cases_are_accepted() {
    let accepted = |name: &str, is: &dyn Fn(&str) -> bool| {
        let campaign = Campaign::new(3, &[name.to_owned()]);
        let cases = (0..300).map(|number| campaign.case(number).1);
        cases.filter(|case| std::str::from_utf8(case).is_ok_and(is)).count()
    };
    let is_program = |text: &str| {
        assemble(&MemoryLoader::new([("p.g1", text)]), "p.g1", &Options::default()).program.is_some()
    };
    let sources = accepted("sources", &is_program);
    let states = accepted("states", &|text| State::from_ron(text, "p").is_ok());
    let boards = accepted("boards", &|text| Board::parse(text, "b.ron").is_ok());
    say(&format!("accepted of 300: {sources} sources, {states} states, {boards} boards"));
    assert!(
        sources > 50 && states > 50 && boards > 20,
        "{sources} sources, {states} states, {boards} boards"
    );
}

/// The programs for `cargo fuzz` are those of the table.
#[test]
fn every_target_has_a_binary_for_cargo_fuzz() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cargo-fuzz/Cargo.toml");
    let text = fs::read_to_string(path).expect("the file is there");
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("name = ")).skip(1).collect();
    let expected: Vec<String> = TARGETS.iter().map(|target| format!("\"{}\"", target.name)).collect();
    assert_eq!(names, expected);
}
