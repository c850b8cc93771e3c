//! Answers as JSON, with errors in the same form; and `--quiet`.

use crate::support::{Folder, HI};
use serde_json::{Value, json};

/// Whether a value conforms to a schema, as far as the schema on docs/command-line.md goes.
fn conforms(value: &Value, schema: &Value) -> bool {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    let mut required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut fields = schema["properties"].as_object().into_iter().flatten();
    let is_kind = match &schema["type"] {
        Value::Null => true,
        Value::Array(kinds) => kinds.iter().any(|known| known == kind),
        known => known == kind,
    };
    is_kind
        && schema.get("const").is_none_or(|expected| expected == value)
        && required.all(|name| value.get(name).is_some())
        && fields.all(|(name, schema)| value.get(name).is_none_or(|field| conforms(field, schema)))
}

fn answer(folder: &Folder, line: &str) -> Value {
    let page = include_str!("../../docs/command-line.md");
    let schema = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let stdout = folder.gray1(line).stdout;
    let answer: Value =
        serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{line}: {error}: {stdout}"));
    assert!(conforms(&answer, &serde_json::from_str(schema).unwrap()), "{line}: {stdout}");
    let command = line.split(' ').find(|word| !word.starts_with('-')).unwrap();
    assert_eq!(answer["command"], command, "{line}");
    answer
}

#[test]
fn every_answer_is_an_object_with_a_list_of_its_own() {
    let folder = Folder::with(HI);
    folder.write("c.csv", "A\n00\n68\n68\n69\n69\n0a\n0a\n");
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
        ("timing --format json", "paths"),
        ("timing --constraints --format json", "constraints"),
        ("examples --format json", "programs"),
        ("explain --format json", "codes"),
        ("capture c.csv --program p.g1 --format json", "faults"),
    ] {
        assert!(answer(&folder, line)[list].is_array(), "{line}");
    }
}

#[test]
fn statistics_are_an_object_on_standard_error() {
    let folder = Folder::with(HI);
    let outcome = folder.gray1("run p.g1 --display none --stats=json").succeeds();
    let stats: Value = serde_json::from_str(&outcome.stderr).unwrap();
    assert_eq!(
        (&stats["command"], &stats["cycles"], &stats["instructions"]["STA"]),
        (&json!("run"), &json!(7), &json!(3))
    );
    assert_eq!(outcome.stdout, "hi\n");
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
        let outcome = folder.gray1(line).ends_with(code);
        let error = &answer(&folder, line)["error"];
        assert_eq!((&error["file"], &error["line"]), (&file, &line_number), "{line}: {error}");
        let text = error["message"].as_str().unwrap();
        assert!(text.contains(message) && !text.contains(".g1:"), "{line}: {error}");
        assert!(!outcome.stderr.is_empty(), "{line}");
    }
    // Without `--format json`, standard output stays empty.
    assert_eq!(folder.gray1("why none.g1 A0").ends_with(1).stdout, "");
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
        assert_eq!(folder.gray1(line).succeeds().stderr, "", "{line}");
    }
    assert!(folder.gray1("run p.g1").succeeds().stderr.contains("unused-name"));
    folder.gray1("-q run none.g1").fails(1, &["none.g1: cannot read"]);
    folder.write("p.g1", "stb 3\n");
    folder.gray1("-q run p.g1").fails(1, &["p.g1:1:1"]);
}
