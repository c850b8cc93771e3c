//! `gray1 dap` and `gray1 lsp` under a flood of requests from a client that does not wait: each gets exactly one
//! response.

use crate::load::{Load, Memory};
use crate::protocol::Client;
use crate::runs::COUNT;
use gray1_text::grouped;
use serde_json::{Value, json};
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::Duration;
use test_support::folder::Folder;
use test_support::process::until;

/// A machine is started and paused again and again, with a logpoint in its loop.
#[test]
fn the_debug_adapter_answers_every_request() {
    let folder = Folder::create();
    let path = folder.path().join("program.g1");
    fs::write(&path, COUNT).expect("a source in the folder");
    let answered = |message: &Value| message["request_seq"].as_u64();
    // The logpoint is reached at cycles 1, 3, 5, …
    let turns = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&turns);
    let mut client = Client::start("dap", answered, move |event| {
        let text = event["body"]["output"].as_str().unwrap_or_default();
        for line in text.lines().filter_map(|line| line.strip_prefix("turn ")) {
            assert_eq!(line.parse(), Ok(2 * counted.fetch_add(1, Ordering::Relaxed) + 1));
        }
    });
    let request = |command: &str, arguments: Value| {
        let command = command.to_owned();
        move |seq: u64| json!({ "seq": seq, "type": "request", "command": command, "arguments": arguments })
    };
    let thread = || json!({ "threadId": 1 });
    let expression = || json!({ "expression": "cycle", "context": "watch" });
    client.request(request("initialize", json!({ "adapterID": "gray1" })));
    client.request(request("launch", json!({ "program": path, "ram": "zero", "stopOnEntry": true })));
    let points = json!([{ "line": 2, "logMessage": "turn {cycle}" }]);
    client.request(request("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": points })));
    client.ask(request("configurationDone", json!({})));
    let mut load = Load::begin("dap", client.process.id());
    while load.is_running() {
        client.request(request("continue", thread()));
        for _ in 0..100 {
            // In this order: answered while the machine runs, answered once it is paused, refused, unknown.
            client.request(request("threads", json!({})));
            client.request(request("evaluate", expression()));
            client.request(request("scopes", json!({ "frameId": 1 })));
            client.request(request("fly", json!({})));
        }
        sleep(Duration::from_millis(20));
        client.request(request("pause", thread()));
        for _ in 0..20 {
            client.request(request("stackTrace", thread()));
            client.request(request("scopes", json!({ "frameId": 1 })));
            client.request(request("variables", json!({ "variablesReference": 1 })));
            client.request(request("evaluate", expression()));
            client.request(request(
                "disassemble",
                json!({ "memoryReference": "0x000", "instructionCount": 50 }),
            ));
        }
    }
    let answers = client.all_answered();
    let cycle = client.ask(request("evaluate", expression()))["body"]["result"].to_string();
    let cycle: u64 =
        cycle.trim_matches('"').split(' ').next().and_then(|text| text.parse().ok()).expect("a cycle");
    assert!(turns.load(Ordering::Relaxed).abs_diff(cycle / 2) <= 1, "{cycle}: {turns:?}");
    let status = load.end(|| {
        client.process.interrupt();
        client.process.wait()
    });
    assert_eq!(status.code(), Some(130));
    let turns = turns.load(Ordering::Relaxed);
    load.report(Memory::HISTORY, &format!("{} answers, {} messages", grouped(answers), grouped(turns)));
}

fn request(method: &str, params: Value) -> impl FnOnce(u64) -> Value {
    let method = method.to_owned();
    move |id| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

fn notice(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// Replaces the first line of a document.
fn edit(uri: &str, version: u64, line: &str) -> Value {
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    let changes = json!([{ "range": range, "text": format!("{line}\n") }]);
    let document = json!({ "uri": uri, "version": version });
    notice("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }))
}

/// A program is edited faster than it can be assembled, with requests about every version.
#[test]
fn the_language_server_answers_every_request() {
    let folder = Folder::create();
    let uri = format!("file://{}", folder.path().join("program.g1").display());
    let answered =
        |message: &Value| message.get("method").is_none().then(|| message["id"].as_u64()).flatten();
    let diagnostics = Arc::new(Mutex::new(Value::Null));
    let newest = Arc::clone(&diagnostics);
    let mut client = Client::start("lsp", answered, move |notice| {
        assert_eq!(notice["method"], "textDocument/publishDiagnostics");
        *newest.lock().expect("nobody has failed") = notice["params"].clone();
    });
    client.ask(request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} })));
    client.notify(&notice("initialized", json!({})));
    let text = format!("version = 0\n{}", include_str!("../../programs/queens.g1"));
    let document = json!({ "uri": uri, "languageId": "gray1", "version": 0, "text": text });
    client.notify(&notice("textDocument/didOpen", json!({ "textDocument": document })));
    let document = json!({ "uri": uri });
    let about = |position: Value| json!({ "textDocument": document, "position": position });
    let first = json!({ "line": 0, "character": 2 });
    let mut load = Load::begin("lsp", client.process.id());
    let mut version = 0;
    while load.is_running() {
        version += 1;
        client.notify(&edit(&uri, version, &format!("version = {version}")));
        for method in ["hover", "definition", "completion", "documentHighlight", "prepareRename"] {
            client.request(request(&format!("textDocument/{method}"), about(first.clone())));
        }
        for method in ["documentSymbol", "semanticTokens/full", "foldingRange", "formatting", "nonsense"] {
            client.request(request(
                &format!("textDocument/{method}"),
                json!({ "textDocument": document, "options": {} }),
            ));
        }
        if version % 10 == 0 {
            let newest = json!({ "id": client.sent });
            client.notify(&notice("$/cancelRequest", newest));
        }
    }
    client.all_answered();
    let told =
        client.ask(request("textDocument/hover", about(first.clone())))["result"]["contents"].to_string();
    assert!(told.contains(&format!("version = {version}\\n")), "{told}");
    client.notify(&edit(&uri, version + 1, "version = nowhere"));
    until("there are diagnostics of the newest version", || {
        let told = diagnostics.lock().expect("the listener has not failed");
        (told["version"] == version + 1 && told["diagnostics"][0]["severity"] == 1).then_some(())
    });
    let answers = client.all_answered();
    let status = load.end(|| {
        client.process.interrupt();
        client.process.wait()
    });
    assert_eq!(status.code(), Some(130));
    load.report(
        Memory { filled: 48, most: 64 },
        &format!("{} versions, {} answers", grouped(version), grouped(answers)),
    );
}
