//! The cases of the corpus, some random cases, and the command. `CASES=100000 cargo test -p gray1-fuzz`
//! tries more.

use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_fuzz::campaign::{Campaign, failure};
use gray1_fuzz::{TARGETS, corpus};
use gray1_machine::State;
use gray1_machine::board::Board;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use test_support::folder::Folder;
use test_support::process::output;
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

#[test]
fn random_cases_pass() {
    let cases = std::env::var("CASES").map_or(1_000, |cases| cases.parse().expect("CASES is a number"));
    let campaign = Campaign::new(7, &[]);
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    for number in 0..cases {
        let (target, find) = campaign.run(number);
        *counts.entry(target.name).or_default() += 1;
        if let Some(find) = find {
            panic!("{find:?}\n{}", String::from_utf8_lossy(&find.case));
        }
    }
    assert_eq!(counts.len(), TARGETS.len(), "every target has its share");
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

fn fuzz(folder: &Path, arguments: &[&str]) -> Output {
    output(Command::new(env!("CARGO_BIN_EXE_gray1-fuzz")).args(arguments).current_dir(folder))
}

fn output_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_case_can_be_shown_and_replayed() {
    let folder = Folder::create();
    let case = fuzz(folder.path(), &["states", "--show", "5"]).stdout;
    assert_eq!(case, Campaign::new(1, &["states".to_owned()]).case(5).1);
    fs::write(folder.path().join("case"), case).expect("there is room");
    let replayed = fuzz(folder.path(), &["states", "--replay", "case"]);
    assert!(
        replayed.status.success() && output_text(&replayed).contains("1 cases      0 finds"),
        "{replayed:?}"
    );
    for (wrong, code) in [
        (&["nonsense"][..], 2),
        (&["--replay", "case"], 2),
        (&["states", "boards", "--replay", "case"], 1),
        (&["states", "--replay", "none"], 1),
    ] {
        assert_eq!(fuzz(folder.path(), wrong).status.code(), Some(code), "{wrong:?}");
    }
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
