//! The state of the server, which takes messages and produces messages, without threads, streams or files.

use crate::lsp::client::Client;
use crate::lsp::diagnostics::diagnostics;
use crate::lsp::failure::{Failure, typed};
use crate::lsp::host::{Host, Settings};
use crate::lsp::lifecycle;
use crate::lsp::requests;
use crate::lsp::uri;
use crate::lsp::workspace::Workspace;
use gen_lsp_types::{
    DidChangeTextDocumentParams, DidChangeWatchedFilesParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, MessageType, PublishDiagnosticsParams, ShowMessageParams, Uri,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A language server for one editor.
pub struct Server {
    workspace: Workspace,
    phase: Phase,
    /// The diagnostics sent last for each file.
    published: BTreeMap<String, Published>,
    outgoing: Vec<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Begun,
    Running,
    ShutDown,
    /// The editor has sent `exit`; whether it has sent `shutdown` before.
    Over(bool),
}

/// The diagnostics sent for a file.
#[derive(Clone, Debug, PartialEq)]
struct Published {
    diagnostics: Vec<gen_lsp_types::Diagnostic>,
    version: Option<i32>,
}

impl Server {
    /// A server that waits for `initialize`.
    pub fn new(host: Box<dyn Host>, settings: Settings) -> Server {
        Server {
            workspace: Workspace::new(host, settings),
            phase: Phase::Begun,
            published: BTreeMap::new(),
            outgoing: Vec::new(),
        }
    }

    /// Takes the messages to be sent to the editor.
    pub fn outgoing(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.outgoing)
    }

    /// `Some` once the editor has sent `exit`, with whether it has sent `shutdown` before.
    pub fn is_over(&self) -> Option<bool> {
        match self.phase {
            Phase::Over(is_proper) => Some(is_proper),
            _ => None,
        }
    }

    /// Whether there is work to do without a request.
    pub fn has_work(&self) -> bool {
        self.phase == Phase::Running
            && (self.workspace.documents.is_stale() || self.workspace.documents.has_news)
    }

    /// Assembles the next program that has changed, and publishes its diagnostics.
    pub fn work(&mut self, is_stopped: &dyn Fn() -> bool) {
        if let Some(path) = self.workspace.documents.first_stale() {
            // A program whose assembly was given up stays stale, so it is assembled later.
            let _ = self.workspace.refresh(&path, is_stopped);
        }
        if !self.workspace.documents.is_stale() {
            self.workspace.documents.has_news = false;
            self.publish();
        }
    }

    /// Takes a message that is not JSON, and answers it with an error.
    pub fn receive_nonsense(&mut self, reason: &str) {
        self.respond(&Value::Null, Err(Failure::NotJson(reason.to_owned())));
    }

    /// Takes a message. Every request is answered; one that is cancelled, with an error.
    pub fn receive(&mut self, message: &Value, is_cancelled: &dyn Fn() -> bool) {
        let (method, id) = (message.get("method"), message.get("id"));
        // A response to one of our requests is not answered, not even one without a readable id.
        if method.is_none() && (message.get("result").is_some() || message.get("error").is_some()) {
            return;
        }
        let params = message.get("params").unwrap_or(&Value::Null);
        match (method.and_then(Value::as_str), id) {
            (Some(method), None) => self.notice(method, params),
            (Some(method), Some(id)) if id.is_i64() || id.is_string() => {
                let result = match is_cancelled() {
                    true => Err(Failure::Cancelled),
                    false => self.answer(method, params, is_cancelled),
                };
                self.respond(id, result);
            }
            _ => self.respond(id.unwrap_or(&Value::Null), Err(Failure::NoMessage)),
        }
    }

    fn respond(&mut self, id: &Value, result: Result<Value, Failure>) {
        self.outgoing.push(match result {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err(failure) => {
                let (code, message) = failure.response();
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
            }
        });
    }

    fn answer(
        &mut self,
        method: &str,
        params: &Value,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Value, Failure> {
        match (self.phase, method) {
            (Phase::Begun, "initialize") => {
                self.workspace.client = Client::of(params);
                self.phase = Phase::Running;
                Ok(lifecycle::introduction())
            }
            (Phase::Begun, _) => Err(Failure::NotBegun),
            (Phase::Running, "initialize") => Err(Failure::BegunAlready),
            (Phase::Running, "shutdown") => {
                self.phase = Phase::ShutDown;
                Ok(Value::Null)
            }
            (Phase::Running, _) => requests::answer(&mut self.workspace, method, params, is_stopped),
            (Phase::ShutDown | Phase::Over(_), _) => Err(Failure::Over),
        }
    }

    fn notice(&mut self, method: &str, params: &Value) {
        match (self.phase, method) {
            (phase, "exit") => self.phase = Phase::Over(phase == Phase::ShutDown),
            (Phase::Running, "initialized") => {
                let requests = lifecycle::first_requests(&self.workspace.client);
                self.outgoing.extend(requests);
            }
            (Phase::Running, "textDocument/didOpen") => {
                let Ok(DidOpenTextDocumentParams { text_document }) = typed(params) else {
                    return self.complain(unreadable(method, params));
                };
                let Uri(uri) = text_document.uri;
                let opened = self.workspace.documents.open(
                    uri::path(&uri),
                    uri,
                    text_document.text,
                    text_document.version,
                );
                self.complain(opened);
            }
            (Phase::Running, "textDocument/didChange") => {
                let Ok(DidChangeTextDocumentParams { text_document, content_changes }) = typed(params) else {
                    return self.complain(unreadable(method, params));
                };
                let path = uri::path(&text_document.text_document_identifier.uri.0);
                let changed = self.workspace.documents.change(&path, text_document.version, &content_changes);
                self.complain(changed);
            }
            (Phase::Running, "textDocument/didClose") => {
                let Ok(DidCloseTextDocumentParams { text_document }) = typed(params) else { return };
                self.workspace.documents.close(&uri::path(&text_document.uri.0));
            }
            (Phase::Running, "workspace/didChangeWatchedFiles") => {
                let Ok(DidChangeWatchedFilesParams { changes }) = typed(params) else { return };
                for change in changes {
                    self.workspace.documents.touch(&uri::path(&change.uri.0));
                }
            }
            _ => {}
        }
    }

    fn complain(&mut self, outcome: Result<(), String>) {
        if let Err(message) = outcome {
            self.notify("window/showMessage", ShowMessageParams { kind: MessageType::Warning, message });
        }
    }

    fn notify(&mut self, method: &str, params: impl serde::Serialize) {
        self.outgoing.push(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends the diagnostics of all files for which they have changed.
    fn publish(&mut self) {
        let mut wrong: BTreeMap<String, Vec<gen_lsp_types::Diagnostic>> = BTreeMap::new();
        for path in self.workspace.documents.paths() {
            // Every buffer gets a message, even without diagnostics, since editors may wait for it.
            wrong.entry(path.to_owned()).or_default();
            let Some(analysis) = self.workspace.documents.analysis(path) else { continue };
            // A buffer that is part of another program is covered by that program.
            if self.workspace.documents.root(path) == path {
                for (file, found) in diagnostics(&self.workspace, &analysis) {
                    wrong.entry(file).or_default().extend(found);
                }
            }
        }
        for path in self.published.keys() {
            wrong.entry(path.clone()).or_default();
        }
        for (path, diagnostics) in wrong {
            let document = self.workspace.documents.get(&path);
            let version = document.map(|document| document.version);
            let uri = document.map_or_else(|| uri::uri(&path), |document| document.uri.clone());
            let is_silent = diagnostics.is_empty() && document.is_none();
            let published = Published { diagnostics, version };
            if self.published.get(&path) == Some(&published) {
                continue;
            }
            let diagnostics = published.diagnostics.clone();
            match is_silent {
                true => self.published.remove(&path),
                false => self.published.insert(path, published),
            };
            let params = PublishDiagnosticsParams { uri: Uri(uri), version, diagnostics };
            self.notify("textDocument/publishDiagnostics", params);
        }
    }
}

/// The error shown to the user if a change could not be read.
fn unreadable(method: &str, params: &Value) -> Result<(), String> {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str).unwrap_or("a buffer");
    Err(format!(
        "{uri}: `{method}` cannot be read, so answers about it may be wrong: close and open it again"
    ))
}
