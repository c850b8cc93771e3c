//! Answers as JSON, with errors in the same form; and `--quiet`.

use crate::support::{Folder, HI};
use serde_json::{Value, json};

fn answer(folder: &Folder, line: &str) -> Value {
    let words: Vec<&str> = line.split(' ').collect();
    let stdout = folder.gray1(&words).stdout;
    let answer: Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{line}: {error}: {stdout}"));
    let command = line.split(' ').find(|word| !word.starts_with('-')).unwrap();
    assert_eq!((&answer["version"], &answer["command"]), (&json!(1), &json!(command)), "{line}");
    answer
}

#[test]
fn every_answer_is_an_object_with_a_list_of_its_own() {
    let folder = Folder::with(HI);
    folder.write("s.g1", "lda #1\nsta OUT\nlda #10\nsta OUT\nhalt: jmp halt\n");
    for (line, list) in [
        ("why p.g1 A0 --format json", "steps"),
        ("search a=a+1 --format json", "sequences"),
        ("check 5.1 p.g1 --format json", "attempts"),
        ("check --format=json 5.1 p.g1", "attempts"),
        ("verify --program p.g1 --claim halts --format json", "contracts"),
        ("verify order --format json", "claims"),
        ("compare p.g1 s.g1 --format json", "rows"),
        ("chips --format json", "chips"),
        ("tree queens --max-nodes 3 --format json", "nodes"),
    ] {
        assert!(answer(&folder, line)[list].is_array(), "{line}");
    }
}

#[test]
fn an_error_is_an_answer() {
    let folder = Folder::with(HI);
    folder.write("bad.g1", "lda #1\nstb 3\n");
    folder.write("board.ron", "Board(\n  name: 1)");
    for (line, code, file, line_number, message) in [
        ("why none.g1 A0 --format json", 1, json!("none.g1"), json!(null), "cannot read"),
        ("why bad.g1 A0 --format json", 1, json!("bad.g1"), json!(2), "not assembled"),
        ("why p.g1 A0 --cycle 99 --format json", 1, json!(null), json!(null), "--cycle"),
        ("why p.g1 A0 --format json --board board.ron", 1, json!("board.ron"), json!(2), "string"),
        ("why p.g1 --format json", 2, json!(null), json!(null), "required"),
        ("search a=b --format json", 2, json!(null), json!(null), "a=b"),
        ("verify --format json nonsense", 2, json!(null), json!(null), "nonsense"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let outcome = folder.gray1(&words).ends_with(code);
        let error = &answer(&folder, line)["error"];
        assert_eq!((&error["file"], &error["line"]), (&file, &line_number), "{line}: {error}");
        let text = error["message"].as_str().unwrap();
        assert!(text.contains(message) && !text.contains(".g1:"), "{line}: {error}");
        assert!(!outcome.stderr.is_empty(), "{line}");
    }
    // Without `--format json`, standard output stays empty.
    assert_eq!(folder.gray1(&["why", "none.g1", "A0"]).ends_with(1).stdout, "");
}

#[test]
fn quiet_leaves_only_errors_on_standard_error() {
    let folder = Folder::with("unused = 1\nlda #'!'\nsta OUT\nhalt: jmp halt\n");
    for line in [
        "-q asm p.g1",
        "asm p.g1 --quiet",
        "run p.g1 -q --display none",
        "examples out queens -q",
        "verify order -q",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(folder.gray1(&words).succeeds().stderr, "", "{line}");
    }
    assert!(folder.gray1(&["run", "p.g1"]).succeeds().stderr.contains("unused-name"));
    folder.gray1(&["-q", "run", "none.g1"]).fails(1, &["none.g1: cannot read"]);
    folder.write("p.g1", "stb 3\n");
    folder.gray1(&["-q", "run", "p.g1"]).fails(1, &["p.g1:1:1"]);
}
