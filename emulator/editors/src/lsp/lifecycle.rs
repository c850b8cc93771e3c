//! The beginning of a session: the capabilities of the server, and what it asks the editor for.

use crate::lsp::client::Client;
use crate::lsp::requests::TRIGGERS;
use crate::lsp::semantic;
use gen_lsp_types::{CodeActionKind, TextDocumentSyncKind};
use serde_json::{Value, json};

/// The answer to `initialize`.
pub fn introduction() -> Value {
    let capabilities = json!({
        "textDocumentSync": { "openClose": true, "change": TextDocumentSyncKind::Incremental },
        "hoverProvider": true,
        "definitionProvider": true,
        "referencesProvider": true,
        "documentSymbolProvider": true,
        "completionProvider": { "triggerCharacters": TRIGGERS },
        "signatureHelpProvider": { "triggerCharacters": [" ", ",", "("] },
        "renameProvider": { "prepareProvider": true },
        "documentFormattingProvider": true,
        "codeActionProvider": { "codeActionKinds": [CodeActionKind::QuickFix] },
        "codeLensProvider": { "resolveProvider": true },
        "inlayHintProvider": true,
        "semanticTokensProvider": { "legend": semantic::legend(), "full": true },
    });
    json!({ "capabilities": capabilities, "serverInfo": { "name": "gray1", "version": env!("CARGO_PKG_VERSION") } })
}

/// The request that the server sends once both sides are ready: to be notified of files that change on disk.
pub fn first_requests(client: &Client) -> Option<Value> {
    let watchers = json!({ "watchers": [{ "globPattern": "**/*.g1" }] });
    let registration =
        json!({ "id": "sources", "method": "workspace/didChangeWatchedFiles", "registerOptions": watchers });
    client.watches_files.then(|| {
        json!({
            "jsonrpc": "2.0",
            "id": "register",
            "method": "client/registerCapability",
            "params": { "registrations": [registration] },
        })
    })
}
