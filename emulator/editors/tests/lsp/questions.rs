//! Hovers, hints, symbols and tokens of a program.

use crate::lsp::editor::{Editor, edited, place, uri};
use serde_json::{Value, json};

const PROGRAM: &str = "\
; How many rounds.
limit = 8
.ram  n, 4                      ; what is counted
; Puts a value somewhere.
.macro store value, where
        lda  value
        sta  where
.endmacro
start:
      store #limit, n
      store #3, OUT
      call beep
.for  k, 0, 4
        add  #k
.endfor
halt: jmp  halt
; Makes a noise.
.routine beep
        lda  #7
        sta  OUT
.endroutine
";

fn hover(editor: &mut Editor, source: &str, wanted: &str) -> String {
    let answer = editor.ask_at("hover", &place(source, wanted)).expect("an answer");
    answer["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hovers_tell_the_words_of_contracts() {
    let source = ".ram  n\n.ensures n == old(n) + c\n      lda  n\n      sta  n\nhalt: jmp  halt\n";
    let mut editor = Editor::with(source);
    assert_eq!(editor.wrong("/home/main.g1"), [""; 0]);
    let old = hover(&mut editor, source, "old");
    assert_eq!(old, "old(x): the value before");
    assert_eq!(hover(&mut editor, source, "c\n"), "the carry, 0 or 1");
    assert_eq!(hover(&mut editor, source, "n)"), ".ram  n\n\na byte of RAM: $000 (0)");
    let ensures = hover(&mut editor, source, ".ensures");
    assert_eq!(ensures, "what holds after it; `old(x)` is the value before");
}

#[test]
fn hovers_tell_values_and_costs() {
    let mut editor = Editor::with(PROGRAM);
    for (wanted, told) in [
        ("limit", "limit = 8\n\na constant: 8 = $08 = %00001000\n\nHow many rounds."),
        ("limit#2", "limit = 8\n\na constant: 8 = $08 = %00001000\n\nHow many rounds."),
        ("n, 4", ".ram  n, 4\n\n4 bytes of RAM: $000 to $003 (0 to 3)\n\nwhat is counted"),
        ("OUT", "OUT\n\nbuilt in: the address $FF0"),
        (
            "store #3",
            ".macro store value, where\n\na macro; 2 words, 2 cycles\n\nPuts a value somewhere.\n\nhere: 2 words, 2 cycles",
        ),
        ("value#2", ".macro store value, where\n\na parameter: 8, 3"),
        ("where#2", ".macro store value, where\n\na parameter: RAM $000, RAM $FF0"),
        ("start", "start:\n\na label: sequence number 0 = $000, on the chips at $000"),
        ("halt#2", "halt:\n\na label: sequence number 9 = $009, on the chips at $00D"),
        (
            "beep",
            ".routine beep\n\na routine: sequence number 10 = $00A, on the chips at $00F; 3 words, 3 cycles\n\nMakes a noise.\n\nhere: 1 word, 1 cycle",
        ),
        ("k, 0", ".for  k, 0, 4\n\nthe counter of a loop: 0, 1, 2, 3"),
        (".for", "4 rounds: 0, 1, 2, 3\n\n4 words, 4 cycles"),
        (".routine", "3 words, 3 cycles"),
        ("lda", "A ← v\n\nload the accumulator; 1 word, 1 cycle"),
        ("#7", ""),
        ("7", "7 = $07 = %00000111"),
        ("; Puts", ""),
    ] {
        assert_eq!(hover(&mut editor, PROGRAM, wanted), told, "{wanted}");
    }
}

#[test]
fn hovers_are_in_markdown_for_who_can_show_it() {
    let capabilities = json!({ "textDocument": { "hover": { "contentFormat": ["markdown", "plaintext"] } } });
    let mut editor = Editor::that_can(&[], capabilities);
    let source = "limit = 8 ; see `here`\n";
    editor.open("/home/main.g1", source);
    let text = hover(&mut editor, source, "limit");
    assert_eq!(
        text,
        "```gray1\nlimit = 8\n```\n\na constant: 8 = $08 = %00001000\n\n```gray1\nsee `here`\n```"
    );
}

#[test]
fn hints_stand_behind_calls_and_loops() {
    let mut editor = Editor::with(PROGRAM);
    let everything = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let document = json!({ "uri": "file:///home/main.g1" });
    let hints =
        editor.ask("textDocument/inlayHint", json!({ "textDocument": document, "range": everything }));
    let hints: Vec<String> = hints
        .expect("hints")
        .as_array()
        .expect("a list")
        .iter()
        .map(|hint| {
            format!(
                "{}:{} {}",
                hint["position"]["line"],
                hint["position"]["character"],
                hint["label"].as_str().unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        hints,
        ["9:21 2 words, 2 cycles", "10:19 2 words, 2 cycles", "11:15 1 word, 1 cycle", "12:13 0, 1, 2, 3"]
    );
}

#[test]
fn signatures_follow_the_commas() {
    let source = "\
.macro store value, where
        lda  value
        sta  where
.endmacro
.function larger(a, b) = a > b ? a : b
start: store #larger(1, 2), OUT
      multiply
";
    let mut editor = Editor::with(source);
    for (wanted, label, parameter) in [
        ("#larger", "store value, where", 0),
        ("1, 2", "larger(a, b)", 0),
        (" 2)", "larger(a, b)", 1),
        (" OUT", "store value, where", 1),
    ] {
        let answer = editor.ask_at("signatureHelp", &place(source, wanted)).expect("an answer");
        assert_eq!(
            (&answer["signatures"][0]["label"], &answer["activeParameter"]),
            (&json!(label), &json!(parameter)),
            "{wanted}"
        );
    }
    // An idiom of the library that is not included yet.
    let source = "      multiply x, \n";
    editor.open("/home/main.g1", source);
    let answer = editor.ask_at("signatureHelp", &json!({ "line": 0, "character": 18 })).expect("an answer");
    assert_eq!(answer["signatures"][0]["label"], "multiply x, y");
    assert_eq!(answer["activeParameter"], 1);
}

#[test]
fn outlines_have_the_inner_in_the_outer() {
    fn tell(symbols: &Value, indent: usize, told: &mut Vec<String>) {
        for symbol in symbols.as_array().into_iter().flatten() {
            let (name, detail) = (symbol["name"].as_str(), symbol["detail"].as_str());
            told.push(format!("{:indent$}{} {}", "", detail.unwrap_or_default(), name.unwrap_or_default()));
            tell(&symbol["children"], indent + 2, told);
        }
    }
    let source = ".macro m p\n  .one: jmp .one\n.endmacro\nx := 1\nx := 2\nstart: m x\n.routine r\n  .two: jc .two\n.endroutine\n";
    let mut editor = Editor::with(source);
    let mut told = Vec::new();
    tell(&editor.ask_about("documentSymbol"), 0, &mut told);
    assert_eq!(told, ["macro m", "  label .one", "variable x", "label start", "routine r", "  label .two"]);
}

#[test]
fn names_are_told_apart_for_colours() {
    let mut editor = Editor::with("limit = 8\nm:    jmp  m\n      lda  #limit\n.include \"lib/all.g1\"\n");
    let tokens = editor.ask_about("semanticTokens/full");
    // Line, start, length, type, modifiers (1 for a definition, 2 for read-only).
    assert_eq!(tokens["data"], json!([0, 0, 5, 0, 3, 1, 0, 1, 4, 1, 0, 11, 1, 4, 0, 1, 12, 5, 0, 2]));
}

#[test]
fn only_the_lines_that_differ_are_formatted() {
    let source = "start:\n lda   #1 ; one\n      sta  OUT\nJMP start\n\n\n\nx = 1\n";
    let formatted =
        "start:\n      lda  #1                   ; one\n      sta  OUT\n      jmp  start\n\nx = 1\n";
    let mut editor = Editor::with(source);
    let edits = editor.ask_about("formatting");
    assert_eq!(edited(source, &edits), formatted);
    assert_eq!(edits.as_array().map(Vec::len), Some(4));
    let document = json!({ "uri": "file:///home/main.g1" });
    let options = json!({ "tabSize": 8, "insertSpaces": true });
    editor.open("/home/main.g1", ".if 1\n");
    let error =
        editor.ask("textDocument/formatting", json!({ "textDocument": document, "options": options }));
    let error = error.expect_err("an error");
    assert!(error["message"].as_str().is_some_and(|text| text.starts_with("not formatted")), "{error}");
}

/// The cycles of a routine that calls another one are more than those of its own words.
#[test]
fn a_routine_with_calls_has_no_cycles() {
    let source = ".ram  n\n      call outer\nhalt: jmp  halt\n.routine outer\n      lda  n\n      call inner\n.endroutine\n\
                  .routine inner\n      sta  n\n.endroutine\n";
    let mut editor = Editor::with(source);
    assert_eq!(hover(&mut editor, source, ".routine outer"), "3 words");
    assert_eq!(hover(&mut editor, source, ".routine inner"), "2 words, 2 cycles");
    let told = hover(&mut editor, source, "outer");
    assert!(told.contains("on the chips at $003; 3 words\n"), "{told}");
}

#[test]
fn a_statement_that_is_wrong_has_no_cost() {
    let mut editor = Editor::with("start: nonsense 5\n      jmp  start\n");
    assert_eq!(editor.ask_at("hover", &json!({ "line": 0, "character": 8 })), Ok(Value::Null));
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 2, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri("/home/main.g1") }, "range": range });
    assert_eq!(editor.ask("textDocument/inlayHint", params), Ok(json!([])));
}
