//! Typing in an editor: after many small changes, the language server gives the same answers as for the whole text. The
//! first line of a case is a source as a JSON string, each other line a change in the encoding of the protocol.

use super::messages::{MAIN, send, server};
use super::{drawn, text};
use gray1_editors::lsp::Server;
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::fs;
use std::sync::LazyLock;
use test_support::programs::folder;
use test_support::random::messages::{change, edited, event, uri};
use test_support::random::sources::program;

/// The limit on the changes of a case. More would make it slow and find nothing new.
const MAX_CHANGES: usize = 24;

/// The short programs of the project.
static PROGRAMS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let files = fs::read_dir(folder()).expect("there are programs");
    let texts = files.flatten().filter_map(|file| fs::read_to_string(file.path()).ok());
    let mut texts: Vec<String> = texts.filter(|text| text.len() < 4_000).collect();
    texts.sort();
    texts
});

pub fn generate(runner: &mut TestRunner) -> Vec<u8> {
    let source = prop_oneof![1 => prop::sample::select(&PROGRAMS[..]), 2 => program()];
    let (mut source, changes) = drawn(runner, &(source, prop::collection::vec(change(), 1..12)));
    let mut lines = vec![json!(source).to_string()];
    for change in changes {
        let event = event(&source, &change);
        source = edited(&source, &json!([{ "range": event["range"], "newText": event["text"] }]));
        lines.push(event.to_string());
    }
    lines.join("\n").into_bytes()
}

pub fn check(case: &[u8]) {
    let text = text(case);
    let mut lines = text.lines();
    let Some(Ok(mut source)) = lines.next().map(serde_json::from_str::<String>) else { return };
    let mut typed = server(&source);
    for (version, line) in (2..).zip(lines.take(MAX_CHANGES)) {
        let Ok(event) = serde_json::from_str::<Value>(line) else { return };
        if !is_sound(&source, &event) {
            return;
        }
        source = edited(&source, &json!([{ "range": event["range"], "newText": event["text"] }]));
        let document = json!({ "uri": uri(MAIN), "version": version });
        let params = json!({ "textDocument": document, "contentChanges": [event] });
        let method = "textDocument/didChange";
        send(&mut typed, &json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }
    let mut whole = server(&source);
    assert_eq!(answers(&mut typed), answers(&mut whole), "of:\n{source}");
}

/// Whether an editor could send this change: between positions that exist, the start not after the end.
fn is_sound(text: &str, event: &Value) -> bool {
    let place = |name: &str| {
        let place = &event["range"][name];
        let (line, character) = (place["line"].as_u64()?, place["character"].as_u64()?);
        let line_text = text.split('\n').nth(usize::try_from(line).ok()?)?;
        let mut units = 0;
        let mut ends = line_text.chars().map(|c| {
            units += c.len_utf16() as u64;
            units
        });
        (character == 0 || ends.any(|end| end == character)).then_some((line, character))
    };
    let (Some(start), Some(end)) = (place("start"), place("end")) else { return false };
    // Whether a lone carriage return ends a line is not the same everywhere, so texts with one are left out.
    start <= end && event["text"].as_str().is_some_and(|new| !new.contains('\r')) && !text.contains('\r')
}

/// The answers of a server about its text.
fn answers(server: &mut Server) -> Vec<Value> {
    let methods = ["semanticTokens/full", "documentSymbol"];
    let ask = |(id, method): (i64, &str)| {
        let params = json!({ "textDocument": { "uri": uri(MAIN) } });
        let method = format!("textDocument/{method}");
        let mut heard =
            send(server, &json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        heard.retain(|message| message["id"] == id);
        assert_eq!(heard.len(), 1, "one answer to {method}");
        heard.remove(0)
    };
    (1..).zip(methods).map(ask).collect()
}
