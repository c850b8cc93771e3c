//! The protocol itself: the order of messages, and editors that violate it.

use crate::lsp::editor::{Editor, uri};
use serde_json::{Value, json};
use std::cell::Cell;

fn code(answer: &[Value]) -> i64 {
    assert_eq!(answer.len(), 1, "{answer:?}");
    answer[0]["error"]["code"].as_i64().unwrap_or_default()
}

fn request(id: Value, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[test]
fn every_request_is_answered_in_every_state() {
    let mut editor = Editor::new(&[]);
    let about = |path: &str| json!({ "textDocument": { "uri": uri(path) }, "position": { "line": 0, "character": 0 } });
    for (message, expected) in [
        (request(json!(50), "textDocument/hover", about("/home/none.g1")), -32602),
        (request(json!("x"), "textDocument/hover", json!({})), -32602),
        (request(json!(51), "textDocument/hover", json!(7)), -32602),
        (request(json!(52), "textDocument/nonsense", json!({})), -32601),
        (request(json!(53), "hover", about("/home/none.g1")), -32601),
        (request(json!(54), "initialize", json!({})), -32600),
        (request(json!(null), "textDocument/hover", json!({})), -32600),
        (request(json!(1e99), "textDocument/hover", json!({})), -32600),
        (request(json!([1]), "textDocument/hover", json!({})), -32600),
        (json!({ "id": 7 }), -32600),
        (json!([1, 2]), -32600),
        (json!(null), -32600),
    ] {
        assert_eq!(code(&editor.send(message.clone())), expected, "{message}");
    }
    // A message that is not a request gets no answer.
    for message in [
        json!({ "jsonrpc": "2.0", "method": "$/setTrace", "params": { "value": "off" } }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": { "textDocument": 5 } }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didClose", "params": { "textDocument": { "uri": "file:///x" } } }),
        json!({ "jsonrpc": "2.0", "id": "register", "result": null }),
        json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "what?" } }),
    ] {
        assert_eq!(editor.send(message.clone()), [] as [Value; 0], "{message}");
    }
    // The user is notified of a change that is lost.
    assert_eq!(editor.told.last().map(|told| &told["method"]), Some(&json!("window/showMessage")));
    assert_eq!(editor.ask("shutdown", Value::Null), Ok(Value::Null));
    assert_eq!(code(&editor.send(request(json!(9), "textDocument/hover", about("/x")))), -32600);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.server.is_over(), Some(true));
}

#[test]
fn nothing_is_answered_before_the_introduction() {
    use gray1_editors::lsp::{Host, Server, Settings};
    struct Nothing;
    impl Host for Nothing {
        fn read(&self, _: &str) -> std::io::Result<Vec<u8>> {
            Err(std::io::ErrorKind::NotFound.into())
        }
        fn sources(&self, _: &str) -> Vec<String> {
            Vec::new()
        }
        fn library_file(&self, _: &str) -> Option<String> {
            None
        }
    }
    let mut server = Server::new(Box::new(Nothing), Settings::default());
    server.receive(&request(json!(1), "shutdown", Value::Null), &|| false);
    assert_eq!(code(&server.outgoing()), -32002);
    server.receive(&json!({ "method": "exit" }), &|| false);
    assert_eq!(server.is_over(), Some(false));
}

#[test]
fn cancelled_requests_are_answered_too() {
    let mut editor = Editor::new(&[]);
    let source = "start: jmp start\n.repeat 4000, k\n  x{k}_: lda #1\n.endrepeat\n";
    let open = json!({ "textDocument": { "uri": uri("/home/main.g1"), "languageId": "gray1", "version": 1, "text": source } });
    let open = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open });
    editor.server.receive(&open, &|| false);
    let position = json!({ "line": 0, "character": 0 });
    let hover = request(
        json!(5),
        "textDocument/hover",
        json!({ "textDocument": { "uri": uri("/home/main.g1") }, "position": position }),
    );
    // At once, and while the text is being assembled.
    for calls in [0, 1] {
        let asked = Cell::new(0);
        let is_cancelled = || asked.replace(asked.get() + 1) >= calls;
        editor.server.receive(&hover, &is_cancelled);
        assert_eq!(code(&editor.server.outgoing()), -32800);
    }
    // Without an interruption it is answered.
    editor.server.receive(&hover, &|| false);
    let answers = editor.server.outgoing();
    assert!(answers.iter().any(|answer| answer["result"]["contents"].is_object()), "{answers:?}");
}

/// An editor in JavaScript can send half of an emoji.
#[test]
fn half_of_an_emoji_is_a_character() {
    let params = r#"{"uri":"file:///home/main.g1","languageId":"gray1","version":1,"text":"; \ud83d\nstart: jmp start\n"}"#;
    let open = format!(
        r#"{{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{{"textDocument":{params}}}}}"#
    );
    let mut editor = Editor::new(&[]);
    editor.send(gray1_editors::framing::parse(open.as_bytes()).expect("a message"));
    assert_eq!(editor.wrong("/home/main.g1"), [""; 0]);
    // It is one unit of UTF-16 long, so the text after it on the line has the same positions as in the editor.
    let range = json!({ "start": { "line": 0, "character": 3 }, "end": { "line": 1, "character": 0 } });
    let change = json!([{ "range": range, "text": "\nlimit = 3\n" }]);
    let document = json!({ "uri": uri("/home/main.g1"), "version": 2 });
    editor.tell("textDocument/didChange", json!({ "textDocument": document, "contentChanges": change }));
    let symbols = editor.ask_about("documentSymbol");
    assert_eq!((&symbols[0]["name"], &symbols[1]["name"]), (&json!("limit"), &json!("start")), "{symbols}");
}

#[test]
fn errors_are_told_even_if_a_question_comes_first() {
    let mut editor = Editor::new(&[]);
    let document =
        json!({ "uri": uri("/home/main.g1"), "languageId": "gray1", "version": 1, "text": "@@@\n" });
    let open = json!({ "textDocument": document });
    let open = json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": open });
    editor.server.receive(&open, &|| false);
    editor.ask_about("semanticTokens/full");
    assert_eq!(editor.wrong("/home/main.g1").len(), 1);
}

#[test]
fn files_that_change_on_disk_are_noticed() {
    let watches = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let mut editor = Editor::that_can(&[("/home/more.g1", "x = 1 +\n")], watches);
    assert_eq!(editor.told[0]["method"], "client/registerCapability");
    editor.open("/home/main.g1", ".include \"more.g1\"\nstart: jmp start\n");
    assert_eq!(editor.wrong("/home/more.g1").len(), 1);
    let changes = json!({ "changes": [{ "uri": uri("/home/more.g1"), "type": 2 }] });
    editor.tell("workspace/didChangeWatchedFiles", changes);
    assert_eq!(editor.wrong("/home/more.g1").len(), 1);
}

#[test]
fn the_last_buffer_that_there_is_room_for_can_be_changed() {
    let mut editor = Editor::new(&[]);
    let open = |number: usize| {
        let document = json!({ "uri": uri(&format!("/home/{number}.g1")), "languageId": "gray1", "version": 1, "text": "" });
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } })
    };
    for number in 0..1_000 {
        editor.server.receive(&open(number), &|| false);
    }
    let version = json!({ "uri": uri("/home/5.g1"), "version": 2 });
    let change = json!({ "textDocument": version, "contentChanges": [{ "text": "x = 1\n" }] });
    let change = json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": change });
    editor.server.receive(&change, &|| false);
    assert_eq!(editor.server.outgoing(), [] as [Value; 0]);
    editor.server.receive(&open(1_000), &|| false);
    assert_eq!(editor.server.outgoing()[0]["method"], "window/showMessage");
}
