//! Who calls whom.

use crate::editor::{Editor, place, range, uri};
use serde_json::{Value, json};

const MAIN: &str = "\
.include \"more.g1\"
.include \"lib/logic.g1\"
.ram  x
      call outer
      twice
halt: jmp  halt
.macro twice
        call inner
        call inner
.endmacro
.routine outer
        twice
        lda  x
        xor  x
.endroutine
";
const MORE: &str = "\
.routine inner
        nop
.endroutine
.macro nop
        jmp  here+1
.endmacro
";

fn editor() -> Editor {
    let mut editor = Editor::new(&[("/home/more.g1", MORE)]);
    editor.open("/home/main.g1", MAIN);
    editor
}

fn prepared(editor: &mut Editor, wanted: &str) -> Value {
    let answer = editor.ask_at("prepareCallHierarchy", &place(MAIN, wanted)).expect("an answer");
    answer[0].clone()
}

/// The other parties of the calls of an item, each with the ranges of the calls.
fn calls(editor: &mut Editor, item: &Value, direction: &str) -> Vec<String> {
    let method = format!("callHierarchy/{}Calls", if direction == "from" { "incoming" } else { "outgoing" });
    let answer = editor.ask(&method, json!({ "item": item })).expect("an answer");
    let calls = answer.as_array().expect("a list").iter();
    let shown = calls.map(|call| {
        let ranges: Vec<String> = call["fromRanges"].as_array().expect("ranges").iter().map(range).collect();
        format!("{} {}", call[direction]["name"].as_str().unwrap_or_default(), ranges.join(" "))
    });
    shown.collect()
}

#[test]
fn callers_and_callees_are_routines_macros_and_the_program() {
    let mut editor = editor();
    for (wanted, name, callers, callees) in [
        (
            "twice#3",
            "twice",
            &["main.g1 4:6-4:11", "outer 11:8-11:13"][..],
            &["inner 7:13-7:18 8:13-8:18"][..],
        ),
        ("outer", "outer", &["main.g1 3:11-3:16"], &["twice 11:8-11:13", "xor 13:8-13:11"]),
        ("inner", "inner", &["twice 7:13-7:18 8:13-8:18"], &["nop 1:8-1:11"]),
        ("halt", "main.g1", &[], &["outer 3:11-3:16", "twice 4:6-4:11"]),
        ("lda  x", "outer", &["main.g1 3:11-3:16"], &["twice 11:8-11:13", "xor 13:8-13:11"]),
        ("xor", "xor", &["outer 13:8-13:11"], &[]),
    ] {
        let item = prepared(&mut editor, wanted);
        assert_eq!(item["name"], name, "{wanted}");
        assert_eq!(calls(&mut editor, &item, "from"), callers, "callers of {wanted}");
        let called = calls(&mut editor, &item, "to");
        assert!(called == callees || name == "xor", "callees of {wanted}: {called:?}");
    }
}

#[test]
fn an_item_of_another_file_can_be_asked_about_further() {
    let mut editor = editor();
    let item = prepared(&mut editor, "inner");
    assert_eq!((&item["uri"], range(&item["range"])), (&json!(uri("/home/more.g1")), "0:0-2:11".to_owned()));
    let callee =
        editor.ask("callHierarchy/outgoingCalls", json!({ "item": item })).expect("an answer")[0]["to"]
            .clone();
    assert_eq!(calls(&mut editor, &callee, "from"), ["inner 1:8-1:11"]);
    let unknown = json!({ "name": "x", "kind": 12, "uri": uri("/home/gone.g1"), "range": item["range"], "selectionRange": item["range"] });
    assert_eq!(editor.ask("callHierarchy/incomingCalls", json!({ "item": unknown })), Ok(Value::Null));
    assert!(editor.ask("callHierarchy/incomingCalls", json!({ "item": 3 })).is_err());
}
