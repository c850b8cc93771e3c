//! `gray1 lsp` as editors start it, in whole conversations over pipes.

use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use test_support::folder::Folder;
use test_support::process::Process;

fn framed(text: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{text}", text.len())
}

/// Starts a server, sends it a text, closes the pipe, and returns what the server printed.
fn serve(arguments: &[&str], cache: &Path, text: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gray1"));
    command.arg("lsp").args(arguments).env("XDG_CACHE_HOME", cache);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut server = Process::start(&mut command);
    let mut input = server.stdin.take().expect("a pipe");
    // The server may end before it has read everything.
    let _ = input.write_all(text.as_bytes());
    drop(input);
    server.output()
}

fn messages(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    let mut found = Vec::new();
    let mut rest = &text[..];
    while let Some((header, after)) = rest.split_once("\r\n\r\n") {
        let length = header.strip_prefix("Content-Length: ").and_then(|length| length.parse().ok());
        let (message, next) = after.split_at(length.expect("a length"));
        found.push(serde_json::from_str(message).expect("JSON"));
        rest = next;
    }
    found
}

fn conversation(messages: &[Value]) -> String {
    let mut text = String::new();
    for message in messages {
        let _ = write!(text, "{}", framed(&message.to_string()));
    }
    text
}

#[test]
fn buffers_take_precedence_over_files() {
    let folder = Folder::create();
    let main = folder.path().join("main.g1");
    fs::write(folder.path().join("part.g1"), "limit = 3\n").expect("there is room");
    fs::create_dir(folder.path().join("more")).expect("there is room");
    fs::write(folder.path().join("more/further.g1"), "further = 4\n").expect("there is room");
    let uri = format!("file://{}", main.display());
    let source = ".include \"part.g1\"\n.include \"further.g1\"\nstart: print #limit + further + size\n      jmp  start\n.include \"lib/all.g1\"\n";
    let document = json!({ "uri": uri, "languageId": "gray1", "version": 1, "text": source });
    let at = |line: u32, character: u32| json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": character } });
    let request = |id: u32, method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
    let notice =
        |method: &str, params: Value| json!({ "jsonrpc": "2.0", "method": method, "params": params });
    let text = conversation(&[
        request(1, "initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} })),
        notice("initialized", json!({})),
        notice("textDocument/didOpen", json!({ "textDocument": document })),
        request(2, "textDocument/hover", at(2, 14)),
        request(3, "textDocument/definition", at(2, 8)),
        request(4, "textDocument/definition", at(2, 22)),
        request(5, "shutdown", Value::Null),
        notice("exit", Value::Null),
    ]);
    let more = folder.path().join("more");
    let output = serve(&["-I", more.to_str().expect("text"), "-D", "size=2"], folder.path(), &text);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let told = messages(&output);
    let answer =
        |id: u32| told.iter().find(|message| message["id"] == id).expect("an answer")["result"].clone();
    assert_eq!(answer(1)["serverInfo"]["name"], "gray1");
    assert_eq!(answer(2)["contents"]["value"], "limit = 3\n\na constant: 3 = $03 = %00000011");
    let library = answer(3)[0]["uri"].as_str().expect("a file").to_owned();
    let copy =
        fs::read_to_string(library.strip_prefix("file://").expect("a path")).expect("a copy of the library");
    assert!(copy.contains(".macro print v"));
    let beside = Path::new(library.strip_prefix("file://").expect("a path")).parent().expect("a folder");
    assert!(copy.contains(".include \"") && beside.join("all.g1").exists(), "{copy}");
    for included in copy.lines().filter_map(|line| line.strip_prefix(".include \"")?.strip_suffix('"')) {
        assert!(beside.join(included).exists(), "{included}");
    }
    assert!(answer(4)[0]["uri"].as_str().is_some_and(|uri| uri.ends_with("/more/further.g1")), "{told:?}");
}

#[test]
fn invalid_messages_end_the_server_with_a_reason() {
    let folder = Folder::create();
    let nonsense = framed("{nonsense") + &framed("{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}");
    for (text, reason) in [
        (nonsense.as_str(), "the editor has left without `shutdown`"),
        ("Content-Length: 99999999999999\r\n\r\n", "a message has at most 16777216 bytes"),
        ("Content-Length: 10\r\n\r\n{}", "the stream ends within a message"),
        ("hello\r\n\r\n", "expected `Content-Length: N`"),
    ] {
        let output = serve(&[], folder.path(), text);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(said.contains(reason), "{said}");
    }
    // An editor that closes the pipe without having serve anything is no error.
    assert!(serve(&["--stdio"], folder.path(), "").status.success());
    let told = messages(&serve(&[], folder.path(), &nonsense));
    assert_eq!(told[0]["error"]["code"], -32700);
}
