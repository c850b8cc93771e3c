//! A simulated editor: it opens buffers, sends requests, and keeps what the server sends.

use gray1_editors::lsp::{Host, Server, Settings};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard};
pub use test_support::random::messages::{edited, uri};

/// Files in memory, shared by the server and the test.
#[derive(Clone, Default)]
pub struct Disk(Arc<Mutex<BTreeMap<String, String>>>);

impl Disk {
    fn files(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().expect("nobody has panicked")
    }
}

impl Host for Disk {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let text = self.files().get(path).cloned().ok_or(io::ErrorKind::NotFound)?;
        Ok(text.into_bytes())
    }

    fn sources(&self, folder: &str) -> Vec<String> {
        self.files().keys().filter(|path| path.starts_with(folder)).cloned().collect()
    }

    fn library_file(&self, name: &str) -> Option<String> {
        Some(format!("/cache/lib/{name}"))
    }
}

pub struct Editor {
    pub server: Server,
    last_id: i64,
    /// The diagnostics received last for each file.
    pub diagnostics: BTreeMap<String, Vec<Value>>,
    /// All other notifications and requests from the server.
    pub told: Vec<Value>,
}

impl Editor {
    /// An editor with these files on its disk that counts in UTF-16, the default of the protocol.
    pub fn new(files: &[(&str, &str)]) -> Editor {
        Editor::that_can(files, json!({}))
    }

    pub fn that_can(files: &[(&str, &str)], capabilities: Value) -> Editor {
        Editor::of(files, capabilities, Settings::default())
    }

    /// An editor with these capabilities, whose programs are assembled with these settings.
    pub fn of(files: &[(&str, &str)], capabilities: Value, settings: Settings) -> Editor {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned()));
        let disk = Disk(Arc::new(Mutex::new(files.collect())));
        let server = Server::new(Box::new(disk), settings);
        let mut editor = Editor { server, last_id: 0, diagnostics: BTreeMap::new(), told: Vec::new() };
        let folders = json!([{ "uri": "file:///home", "name": "work" }]);
        let params = json!({ "capabilities": capabilities, "workspaceFolders": folders });
        editor.ask("initialize", params).expect("the server introduces itself");
        editor.tell("initialized", json!({}));
        editor
    }

    /// An editor with one buffer.
    pub fn with(text: &str) -> Editor {
        let mut editor = Editor::new(&[]);
        editor.open("/home/main.g1", text);
        editor
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request, and returns the result or the error.
    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.last_id += 1;
        let id = self.last_id;
        let mut answers =
            self.send(json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        assert_eq!(answers.len(), 1, "one answer to {method}");
        let answer = answers.remove(0);
        assert_eq!(answer["id"], id);
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Sends a message unchanged, lets the server work, and returns its responses.
    pub fn send(&mut self, message: Value) -> Vec<Value> {
        self.server.receive(&message, &|| false);
        let mut answers = self.collect();
        while self.server.has_work() {
            self.server.work(&|| false);
            answers.extend(self.collect());
        }
        answers
    }

    fn collect(&mut self) -> Vec<Value> {
        let mut answers = Vec::new();
        for message in self.server.outgoing() {
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().unwrap_or_default().to_owned();
                let found = message["params"]["diagnostics"].as_array().cloned().unwrap_or_default();
                self.diagnostics.insert(uri, found);
            } else if message.get("method").is_some() {
                self.told.push(message);
            } else {
                answers.push(message);
            }
        }
        answers
    }

    pub fn open(&mut self, path: &str, text: &str) {
        let document = json!({ "uri": uri(path), "languageId": "gray1", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Asks about a place of `/home/main.g1`.
    pub fn ask_at(&mut self, method: &str, position: &Value) -> Result<Value, Value> {
        let params = json!({ "textDocument": { "uri": uri("/home/main.g1") }, "position": position });
        self.ask(&format!("textDocument/{method}"), params)
    }

    /// Asks about `/home/main.g1` as a whole.
    pub fn ask_about(&mut self, method: &str) -> Value {
        let params = json!({ "textDocument": { "uri": uri("/home/main.g1") }, "options": { "tabSize": 8, "insertSpaces": true } });
        self.ask(&format!("textDocument/{method}"), params).expect("an answer")
    }

    /// The messages about a file, each with its lines and characters.
    pub fn wrong(&self, path: &str) -> Vec<String> {
        let told = self.diagnostics.get(&uri(path)).into_iter().flatten();
        told.map(|told| {
            let message = told["message"].as_str().unwrap_or_default();
            format!(
                "{} {}: {}",
                range(&told["range"]),
                told["code"].as_str().unwrap_or_default(),
                message.lines().next().unwrap_or_default()
            )
        })
        .collect()
    }
}

/// A range as `line:character-line:character`, from 0.
pub fn range(range: &Value) -> String {
    let place = |name: &str| format!("{}:{}", range[name]["line"], range[name]["character"]);
    format!("{}-{}", place("start"), place("end"))
}

/// The position of a text in a source, in UTF-16; the suffix `#2` asks for its second occurrence.
pub fn place(source: &str, wanted: &str) -> Value {
    let (wanted, number) = match wanted.rsplit_once('#') {
        Some((wanted, number)) if number.parse::<usize>().is_ok() && !wanted.is_empty() => {
            (wanted, number.parse().unwrap_or(1))
        }
        _ => (wanted, 1),
    };
    let (at, _) =
        source.match_indices(wanted).nth(number - 1).unwrap_or_else(|| panic!("{wanted} is not there"));
    let line = source[..at].matches('\n').count();
    let start = source[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": source[start..at].encode_utf16().count() })
}
