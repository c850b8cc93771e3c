//! Sessions of the Language Server Protocol: each line is a JSON message, each request gets one response, and no
//! response is too long.

use super::{MAX_ANSWER, drawn, text};
use gray1_editors::lsp::{Host, Server, Settings};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::io;
use test_support::random::messages::{message, uri};

/// The limit on the messages of a case. More would make it slow and find nothing new.
const MAX_MESSAGES: usize = 60;
/// The path of the open buffer.
pub const MAIN: &str = "/home/main.g1";

/// A host without files, except for the library.
struct NoFiles;

impl Host for NoFiles {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn sources(&self, _: &str) -> Vec<String> {
        Vec::new()
    }

    fn library_file(&self, name: &str) -> Option<String> {
        Some(format!("/cache/lib/{name}"))
    }
}

/// A server with one open buffer.
pub fn server(text: &str) -> Server {
    let mut server = Server::new(Box::new(NoFiles), Settings::default());
    let document = json!({ "uri": uri(MAIN), "languageId": "gray1", "version": 1, "text": text });
    let begin = [
        json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
    ];
    for message in begin {
        send(&mut server, &message);
    }
    server
}

/// Sends a message, and returns all that the server sends back.
pub fn send(server: &mut Server, message: &Value) -> Vec<Value> {
    server.receive(message, &|| false);
    while server.has_work() {
        server.work(&|| false);
    }
    let heard = server.outgoing();
    let length: usize = heard.iter().map(|message| message.to_string().len()).sum();
    assert!(length < MAX_ANSWER, "{length} bytes in answer to {message}");
    heard
}

pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    let messages = drawn(runner, &prop::collection::vec(message(), 1..24));
    messages.iter().map(Value::to_string).collect::<Vec<_>>().join("\n").into_bytes()
}

pub fn check(case: &[u8]) {
    let mut server = server("limit = 3\nstart: jmp start\n");
    for text in text(case).lines().take(MAX_MESSAGES) {
        let Ok(message) = serde_json::from_str::<Value>(text) else { continue };
        let is_over = server.is_over().is_some();
        let is_notice = message.get("id").is_none() && message["method"].is_string();
        let is_answer = message.get("method").is_none()
            && (message.get("result").is_some() || message.get("error").is_some());
        let answers = send(&mut server, &message);
        let answers = answers.iter().filter(|answer| answer.get("method").is_none()).count();
        let is_asked = !is_notice && !is_answer && !is_over;
        assert!(answers == 1 || answers == 0 && !is_asked, "{answers} answers to {message}");
    }
}
