//! Completions.

use crate::lsp::editor::{Editor, edited, place, uri};
use serde_json::{Value, json};

const PROGRAM: &str = "\
limit = 8
.ram  lines
.macro store level, where
        lda  level
.endmacro
start:
.loop: jmp  start
      store 
";

fn complete(editor: &mut Editor, position: &Value) -> Vec<Value> {
    let answer = editor.ask_at("completion", position).expect("an answer");
    answer["items"].as_array().cloned().unwrap_or_default()
}

/// The labels in the order in which an editor shows them, those that begin with some letters.
fn labels(items: &[Value], beginning: &str) -> Vec<String> {
    let text = |item: &Value, key: &str| item[key].as_str().unwrap_or_default().to_owned();
    let mut found: Vec<(String, String)> =
        items.iter().map(|item| (text(item, "sortText"), text(item, "label"))).collect();
    found.sort();
    found.into_iter().map(|(_, label)| label).filter(|label| label.starts_with(beginning)).collect()
}

#[test]
fn what_fits_is_offered() {
    let mut editor = Editor::with(PROGRAM);
    for (wanted, beginning, expected) in [
        // In a macro its parameters come first, and names of RAM where a byte is wanted.
        ("level\n", "l", &["level", "lines", "limit", "len"][..]),
        ("start\n", "s", &["start", "size"]),
        ("start\n", ".", &[".loop"]),
        ("lda", "st", &["sta", "store"]),
        (
            "lda",
            ".en",
            &[
                ".endfor",
                ".endif",
                ".endmacro",
                ".endrepeat",
                ".endrepeat_until",
                ".endroutine",
                ".endwhen",
                ".endwhile",
                ".ensures",
            ],
        ),
        ("lda", "mul", &["multiply"]),
        ("lines", "", &[]),
    ] {
        let items = complete(&mut editor, &place(PROGRAM, wanted));
        assert_eq!(labels(&items, beginning), expected, "{wanted}");
    }
}

#[test]
fn contracts_have_words_of_their_own() {
    let source = ".ram  one\n.ensures o\n      lda  o\nhalt: jmp  halt\n";
    let mut editor = Editor::with(source);
    let in_contract = complete(&mut editor, &json!({ "line": 1, "character": 10 }));
    assert_eq!(labels(&in_contract, "o"), ["one", "old"]);
    let elsewhere = complete(&mut editor, &json!({ "line": 2, "character": 12 }));
    assert_eq!(labels(&elsewhere, "o"), ["one"]);
}

#[test]
fn an_idiom_comes_with_its_cost_and_its_include() {
    let source = "      mu\nhalt: jmp  halt\n";
    let capabilities =
        json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
    let mut editor = Editor::that_can(&[], capabilities);
    editor.open("/home/main.g1", source);
    let items = complete(&mut editor, &json!({ "line": 0, "character": 8 }));
    let multiply = items.iter().find(|item| item["label"] == "multiply").expect("it is offered");
    assert_eq!(multiply["detail"], "multiply x, y 5 words + 28 once 114 to 157 cycles");
    assert_eq!(multiply["textEdit"]["newText"], "multiply ${1:x}, ${2:y}");
    let mut edits = multiply["additionalTextEdits"].as_array().cloned().unwrap_or_default();
    edits.push(multiply["textEdit"].clone());
    let text = edited(source, &json!(edits));
    assert_eq!(text, "      multiply ${1:x}, ${2:y}\nhalt: jmp  halt\n\n.include \"lib/all.g1\"\n");
    // Where the library is included already, the include is not repeated.
    editor.open("/home/main.g1", &(source.to_owned() + ".include \"lib/multiply.g1\"\n"));
    let items = complete(&mut editor, &json!({ "line": 0, "character": 8 }));
    let multiply = items.iter().find(|item| item["label"] == "multiply").expect("it is offered");
    assert_eq!(multiply["additionalTextEdits"], Value::Null);
}

#[test]
fn files_and_warnings_are_offered_where_they_belong() {
    let source = ".include \"lib/\n.allow un\n; a com\n";
    let mut editor = Editor::with(source);
    let at = |line: usize, character: usize| json!({ "line": line, "character": character });
    assert!(labels(&complete(&mut editor, &at(0, 14)), "lib/all").len() == 1);
    assert_eq!(labels(&complete(&mut editor, &at(1, 9)), "unused"), ["unused-definition", "unused-name"]);
    assert_eq!(complete(&mut editor, &at(2, 7)).len(), 0);
    assert!(editor.diagnostics.contains_key(&uri("/home/main.g1")));
}

#[test]
fn documentation_is_in_the_format_that_is_asked_for() {
    let source = "; Says *hi*.\n.macro hello who\n  lda who\n.endmacro\nstart: hello OUT\n      jmp start\n";
    let markdown = json!({ "hover": { "contentFormat": ["markdown", "plaintext"] } });
    let plain = json!({ "hover": { "contentFormat": ["plaintext"] } });
    for (capabilities, kind) in [(markdown, "markdown"), (plain, "plaintext")] {
        let mut editor = Editor::that_can(&[], json!({ "textDocument": capabilities }));
        editor.open("/home/main.g1", source);
        let items = complete(&mut editor, &place(source, "hello OUT"));
        let item = items.iter().find(|item| item["label"] == "hello").expect("it is offered");
        assert_eq!(item["documentation"]["kind"], kind);
        let fenced = item["documentation"]["value"] == "```gray1\nSays *hi*.\n```";
        assert_eq!(fenced, kind == "markdown", "{item}");
        let answer = editor.ask_at("signatureHelp", &place(source, "OUT")).expect("an answer");
        assert_eq!(answer["signatures"][0]["documentation"]["kind"], kind, "{answer}");
        let answer = editor.ask_at("hover", &place(source, "hello OUT")).expect("an answer");
        assert_eq!(answer["contents"]["kind"], kind);
    }
}

#[test]
fn edits_of_a_text_with_carriage_returns_have_them() {
    let source = "start:  sub #1\r\n sta tally\r\n LDA #1\r\n      jmp  start\r\n";
    let mut editor = Editor::with(source);
    let layout = edited(source, &editor.ask_about("formatting"));
    assert_eq!(layout, "start: sub  #1\r\n      sta  tally\r\n      lda  #1\r\n      jmp  start\r\n");
    for (wanted, expected) in [
        ("tally", format!(".ram  tally\r\n{source}")),
        ("sub", format!("{source}\r\n.include \"lib/all.g1\"\r\n")),
    ] {
        let at = place(source, wanted);
        let document = json!({ "uri": uri("/home/main.g1") });
        let params = json!({ "textDocument": document, "range": { "start": at, "end": at }, "context": { "diagnostics": [] } });
        let actions = editor.ask("textDocument/codeAction", params).expect("an answer");
        let edits = &actions[0]["edit"]["changes"][&uri("/home/main.g1")];
        assert_eq!(edited(source, edits), expected, "{wanted}");
    }
    // A text in the standard layout stays as it is.
    let mut editor = Editor::with(&layout);
    assert_eq!(editor.ask_about("formatting"), json!([]));
}

/// A text in which an editor has accepted a completion at its end.
fn accepted(source: &str, label: &str) -> String {
    let mut editor = Editor::with(source);
    let line = source.matches('\n').count();
    let character = source.rsplit('\n').next().map_or(0, str::len);
    let items = complete(&mut editor, &json!({ "line": line, "character": character }));
    let item =
        items.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("{label}: {items:?}"));
    let mut edits = item["additionalTextEdits"].as_array().cloned().unwrap_or_default();
    edits.push(item["textEdit"].clone());
    edited(source, &json!(edits))
}

#[test]
fn what_is_accepted_takes_the_place_of_what_was_written() {
    for (source, label, expected) in [
        (".include \"lib/pr", "lib/print.g1", ".include \"lib/print.g1\""),
        (".include \"", "lib/print.g1", ".include \"lib/print.g1\""),
        (".include ", "lib/print.g1", ".include \"lib/print.g1\""),
        (".include li", "lib/print.g1", ".include \"lib/print.g1\""),
        (".inc", ".include", ".include"),
        (".allow unused-n", "unused-name", ".allow unused-name"),
        ("here: .allow unused-", "unused-name", "here: .allow unused-name"),
        // The include is not put where the word is.
        ("halt: jmp halt\npri", "print", "halt: jmp halt\n.include \"lib/all.g1\"\nprint"),
        ("pri", "print", ".include \"lib/all.g1\"\nprint"),
    ] {
        assert_eq!(accepted(source, label), expected, "{source}");
    }
    // Within quotes that are closed.
    let source = ".include \"lib/pr.g1\"\n";
    let items = complete(&mut Editor::with(source), &json!({ "line": 0, "character": 16 }));
    let item = items.iter().find(|item| item["label"] == "lib/print.g1").expect("it is offered");
    assert_eq!(edited(source, &json!([item["textEdit"]])), ".include \"lib/print.g1\"\n");
}
