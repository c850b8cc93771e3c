//! Editors that send all messages at once and only then read.

use crate::lsp::editor::{Disk, uri};
use gray1_editors::lsp::{Settings, serve};
use serde_json::{Value, json};
use std::io::Cursor;

fn request(id: u32, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn notice(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// The answers of a server that gets all of these messages at once, after `initialize`.
fn answers(messages: &[Value]) -> Vec<Value> {
    let beginning =
        [request(1, "initialize", json!({ "capabilities": {} })), notice("initialized", json!({}))];
    let mut input = Vec::new();
    for message in beginning.iter().chain(messages) {
        gray1_editors::framing::write(&mut input, message).expect("memory");
    }
    let mut output = Vec::new();
    let host = Box::new(Disk::default());
    serve(Cursor::new(input), &mut output, host, Settings::default()).expect("a conversation");
    let mut output = Cursor::new(output);
    let read = || gray1_editors::framing::read(&mut output).expect("sound messages");
    let texts: Vec<Vec<u8>> = std::iter::from_fn(read).collect();
    texts.iter().map(|text| serde_json::from_slice(text).expect("JSON")).collect()
}

fn open(text: &str) -> Value {
    let document = json!({ "uri": uri("/home/main.g1"), "languageId": "gray1", "version": 1, "text": text });
    notice("textDocument/didOpen", json!({ "textDocument": document }))
}

fn hover(id: u32) -> Value {
    let params =
        json!({ "textDocument": { "uri": uri("/home/main.g1") }, "position": { "line": 0, "character": 0 } });
    request(id, "textDocument/hover", params)
}

#[test]
fn an_editor_that_leaves_at_once_is_told_what_is_wrong() {
    let shutdown = request(2, "shutdown", Value::Null);
    let exit = notice("exit", Value::Null);
    for end in [&[][..], std::slice::from_ref(&shutdown), &[shutdown.clone(), exit]] {
        let told = answers(&[&[open("@@@\n")], end].concat());
        let published = told.iter().position(|told| told["method"] == "textDocument/publishDiagnostics");
        let published = published.unwrap_or_else(|| panic!("no diagnostics before {end:?}: {told:?}"));
        assert_eq!(told[published]["params"]["diagnostics"].as_array().map(Vec::len), Some(1));
        let answered = told.iter().position(|told| told["id"] == 2);
        assert!(answered.is_none_or(|answered| published < answered), "{told:?}");
    }
}

#[test]
fn a_question_before_a_change_is_answered_about_the_text_before_it() {
    let version = json!({ "uri": uri("/home/main.g1"), "version": 2 });
    let changes = json!([{ "text": "other: jmp other\n" }]);
    let change = json!({ "textDocument": version, "contentChanges": changes });
    let change = notice("textDocument/didChange", change);
    let told = answers(&[open("start: jmp start\n"), hover(2), change, hover(3)]);
    for (id, name) in [(2, "start:"), (3, "other:")] {
        let answer = told.iter().find(|told| told["id"] == id).expect("an answer");
        let text = answer["result"]["contents"]["value"].as_str().unwrap_or_default();
        assert!(text.starts_with(name), "{answer}");
    }
}
