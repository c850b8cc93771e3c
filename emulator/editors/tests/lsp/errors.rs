//! Sources with errors: their diagnostics, the fixes, and that everything else still works.

use crate::lsp::editor::{Editor, edited, place, range, uri};
use serde_json::{Value, json};

#[test]
fn errors_come_with_what_led_there() {
    let source = "\
.macro set value, where
        lda  #value
        sta  where
.endmacro
.ram  x
start: set 300, x
      sta  #5
      jmp  start
";
    let editor = Editor::with(source);
    assert_eq!(
        editor.wrong("/home/main.g1"),
        [
            "1:13-1:19 constant-range: the constant 300 does not fit in a byte",
            "6:11-6:13 constant-operand: STA cannot take a constant",
        ]
    );
    let first = &editor.diagnostics[&uri("/home/main.g1")][0];
    assert_eq!(first["severity"], 1);
    assert_eq!(first["message"], "the constant 300 does not fit in a byte\nexpected -128..255");
    let related = &first["relatedInformation"][0];
    assert_eq!(related["message"], "in this call of `set`");
    assert_eq!(range(&related["location"]["range"]), "5:7-5:10");
}

#[test]
fn an_error_in_the_library_is_shown_at_the_call() {
    let editor = Editor::with("start: sub #300\n      jmp start\n.include \"lib/all.g1\"\n");
    assert_eq!(
        editor.wrong("/home/main.g1"),
        ["0:7-0:10 assertion-failed: assertion failed: a constant is -128..255"]
    );
    let related = &editor.diagnostics[&uri("/home/main.g1")][0]["relatedInformation"];
    assert_eq!(related[0]["location"]["uri"], "file:///cache/lib/arithmetic.g1");
    assert_eq!(related[1]["message"], "in this call of `sub`");
}

#[test]
fn errors_are_told_of_the_file_that_they_are_in_and_go_away() {
    let mut editor = Editor::new(&[("/home/more.g1", "x = 1 +\n")]);
    editor.open("/home/main.g1", ".include \"more.g1\"\nstart: jmp start\n");
    assert_eq!(editor.wrong("/home/main.g1"), [""; 0]);
    assert_eq!(editor.wrong("/home/more.g1").len(), 1);
    // The buffer comes before the file.
    editor.open("/home/more.g1", "x = 1\n");
    assert_eq!(editor.wrong("/home/more.g1"), [""; 0]);
    let change = json!({ "range": { "start": { "line": 0, "character": 4 }, "end": { "line": 0, "character": 5 } }, "text": "$" });
    let document = json!({ "uri": uri("/home/more.g1"), "version": 2 });
    editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    assert_eq!(editor.wrong("/home/more.g1").len(), 1);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri("/home/main.g1") } }));
    // Now it is a separate program.
    assert_eq!(editor.wrong("/home/more.g1").len(), 1);
    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri("/home/more.g1") } }));
    assert_eq!(editor.wrong("/home/more.g1"), [""; 0]);
}

#[test]
fn everything_else_works_while_there_are_errors() {
    let source = "\
limit = 8
@@@
.macro store value, where
        lda  value
        sta  where
        lda  [where]
.endmacro
start: store #limit, OUT
      lda  #limit +
      jmp  strat
.if limit == 8
      sta  GREEN
.endmacro
      jmp  start
";
    let mut editor = Editor::with(source);
    assert!(editor.wrong("/home/main.g1").len() >= 4);
    let hover = editor.ask_at("hover", &place(source, "limit#2")).expect("an answer");
    assert_eq!(hover["contents"]["value"], "limit = 8\n\na constant: 8 = $08 = %00001000");
    for (wanted, found) in
        [("limit#3", "0:0-0:5"), ("start#2", "7:0-7:5"), ("where]", "2:20-2:25"), ("store#2", "2:7-2:12")]
    {
        let answer = editor.ask_at("definition", &place(source, wanted)).expect("an answer");
        assert_eq!(range(&answer[0]["range"]), found, "{wanted}");
    }
    let hover = editor.ask_at("hover", &place(source, "store#2")).expect("an answer");
    assert!(
        hover["contents"]["value"].as_str().is_some_and(|text| text.ends_with("here: 2 words, 2 cycles")),
        "{hover}"
    );
}

#[test]
fn deep_nests_and_long_lists_are_no_trouble() {
    let nest = |open: &str, close: &str| open.repeat(20_000) + "x := 1\n" + &close.repeat(20_000);
    for source in [
        nest(".macro m\n", ".endmacro\n"),
        nest(".if 1\n", ".endif\n"),
        nest(".while carry\n", ".endwhile\n"),
        "x := 1\n".repeat(20_000) + &"  lda x\n".repeat(4_000),
    ] {
        let mut editor = Editor::with(&source);
        let position = place(&source, "x :=");
        for question in ["definition", "hover", "completion"] {
            assert!(editor.ask_at(question, &position).is_ok());
        }
        editor.ask_about("documentSymbol");
    }
}

/// More than 256 errors are too many, and reported as such.
#[test]
fn many_parameters_are_no_trouble() {
    for count in [256, 1_000] {
        let names = (0..count).map(|number| format!("p{number}")).collect::<Vec<_>>().join(", ");
        let values = vec!["1"; count].join(", ");
        let source =
            format!(".macro m {names}\n  lda #p7 ; here\n.endmacro\nstart: m {values}\n  jmp start\n");
        let mut editor = Editor::with(&source);
        assert_eq!(editor.wrong("/home/main.g1").is_empty(), count == 256);
        for wanted in ["p7 ; here", "p200", "m 1", "1, 1"] {
            for question in ["completion", "hover", "signatureHelp", "definition"] {
                assert!(editor.ask_at(question, &place(&source, wanted)).is_ok(), "{question} {wanted}");
            }
        }
        let answer = editor.ask_at("completion", &place(&source, "p7 ; here")).expect("an answer");
        let labels = answer["items"].as_array().into_iter().flatten().map(|item| item["label"].to_string());
        let offered = labels.filter(|label| label.starts_with("\"p")).count();
        assert_eq!(offered, if count == 256 { 256 } else { 0 });
    }
}

/// The titles of the fixes at a place, and the source after the first of them.
fn fixed(source: &str, wanted: &str) -> (Vec<String>, String) {
    let mut editor = Editor::with(source);
    let at = place(source, wanted);
    let document = json!({ "uri": uri("/home/main.g1") });
    let context = json!({ "diagnostics": editor.diagnostics[&uri("/home/main.g1")] });
    let params = json!({ "textDocument": document, "range": { "start": at, "end": at }, "context": context });
    let actions = editor.ask("textDocument/codeAction", params).expect("an answer");
    let actions = actions.as_array().cloned().unwrap_or_default();
    let titles = actions.iter().map(|action| action["title"].as_str().unwrap_or_default().to_owned());
    let first =
        actions.first().map_or(&Value::Null, |action| &action["edit"]["changes"][&uri("/home/main.g1")]);
    (titles.collect(), edited(source, first))
}

#[test]
fn mistakes_are_mended() {
    let rest = "start: jmp start\n";
    for (line, wanted, title, mended) in [
        ("limit = 3\n lda #limt\n", "limt", "Replace with `limit`", "limit = 3\n lda #limit\n"),
        (" ldaa #3\n", "ldaa", "Replace with `lda`", " lda #3\n"),
        (".fro k, 0, 2\n.endfor\n", ".fro", "Replace with `.for`", ".for k, 0, 2\n.endfor\n"),
        ("limit = 3\n lda limit\n", "limit\n", "Add `#`: the number itself", "limit = 3\n lda #limit\n"),
        (" lda -1\n", "-1", "Add `#`: the number itself", " lda #-1\n"),
        (".ram n\n sta n\n lda # n\n", "# n", "Drop `#`", ".ram n\n sta n\n lda n\n"),
        (" sta #5\n", "#5", "Drop `#`", " sta 5\n"),
        (" lda tally\n", "tally", "Declare `.ram  tally`", ".ram  tally\n lda tally\n"),
        (".ram x\n sta x\n sta y\n", "y", "Declare `.ram  y`", ".ram x\n.ram  y\n sta x\n sta y\n"),
        (".include \"lib/al.g1\"\n", ".include", "Replace with `lib/all.g1`", ".include \"lib/all.g1\"\n"),
    ] {
        let source = line.to_owned() + rest;
        let (titles, text) = fixed(&source, wanted);
        assert_eq!(
            (titles.first().map(String::as_str), text),
            (Some(title), mended.to_owned() + rest),
            "{line}"
        );
    }
    let (titles, text) = fixed(" multiply 3, 4\nstart: jmp start", "multiply");
    assert_eq!(titles, ["Add `.include \"lib/all.g1\"`"]);
    assert_eq!(text, " multiply 3, 4\nstart: jmp start\n\n.include \"lib/all.g1\"\n");
    let (titles, _) = fixed(" lda product\nstart: jmp start\n", "product");
    assert_eq!(titles, ["Add `.include \"lib/all.g1\"`", "Declare `.ram  product`"]);
}

#[test]
fn every_buffer_is_told_about_even_if_nothing_is_wrong() {
    let mut editor = Editor::new(&[]);
    editor.open("/home/main.g1", ".include \"part.g1\"\nstart: jmp start\n");
    editor.open("/home/part.g1", "limit = 3\n");
    assert_eq!(editor.diagnostics.get(&uri("/home/part.g1")), Some(&Vec::new()));
}

#[test]
fn buffers_that_include_each_other_are_told_so() {
    let mut editor = Editor::new(&[]);
    editor.open("/home/a.g1", ".include \"b.g1\"\nstart: jmp start\n");
    editor.open("/home/b.g1", ".include \"a.g1\"\n");
    let wrong = [editor.wrong("/home/a.g1"), editor.wrong("/home/b.g1")].concat();
    assert!(!wrong.is_empty());
}
