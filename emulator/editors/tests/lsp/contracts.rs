//! Lenses over contracts.

use crate::lsp::editor::{Editor, uri};
use serde_json::{Value, json};

const PROGRAM: &str = "\
.ram  x
.ram  y
      lda  #1
      sta  x
      call twice
      inc_x
      call again
halt: jmp  halt
.routine twice
.ensures y == (2 * x & 255)
      lda  x
      add  x
      sta  y
.endroutine
.macro inc_x
.modifies x, c
.ensures x == (old(x) + 1 & 255)
      lda  x
      add  #1
      sta  x
.endmacro
.routine again
.ensures y == 7
.again: lda x
      jmp .again
.endroutine
";

fn titles(editor: &mut Editor) -> Vec<(u64, String)> {
    let document = json!({ "textDocument": { "uri": uri("/home/main.g1") } });
    let lenses = editor.ask("textDocument/codeLens", document).expect("lenses");
    let lenses: Vec<Value> = lenses.as_array().cloned().unwrap_or_default();
    let mut titles = Vec::new();
    for lens in lenses {
        let lens = editor.ask("codeLens/resolve", lens).expect("a title");
        let line = lens["range"]["start"]["line"].as_u64().unwrap_or_default();
        titles.push((line, lens["command"]["title"].as_str().unwrap_or_default().to_owned()));
    }
    titles
}

#[test]
fn a_lens_over_each_contract_says_what_is_proved() {
    let mut editor = Editor::with(PROGRAM);
    let found = titles(&mut editor);
    let expected = [(9, "proved, 4 cycles"), (15, "refuted: x = 0, a = 0, c = 0"), (22, "proved, vacuous")];
    let expected = expected.map(|(line, title)| (line, title.to_owned()));
    assert_eq!(found, expected, "{found:?}");
    let wrong = editor.ask("codeLens/resolve", json!({}));
    assert!(wrong.is_err(), "{wrong:?}");
}

#[test]
fn a_program_with_errors_has_none() {
    let mut editor = Editor::with(&format!("{PROGRAM} lda nothing\n"));
    assert_eq!(titles(&mut editor), []);
}
