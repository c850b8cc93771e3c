//! The capabilities of the editor.

use serde_json::Value;

/// The capabilities of an editor that the server makes use of.
#[derive(Clone, Debug, Default)]
pub struct Client {
    /// Whether texts may be in Markdown: an editor that shows it in hovers shows it everywhere.
    pub markdown: bool,
    /// Whether completions may contain placeholders to fill in.
    pub snippets: bool,
    /// Whether edits may have the versions of their buffers.
    pub versioned_edits: bool,
    /// Whether it can be asked to report changed files.
    pub watches_files: bool,
    /// The folders that are open.
    pub folders: Vec<String>,
}

impl Client {
    /// Reads the parameters of `initialize`. A capability that is missing or not understood counts as absent, since an
    /// editor may be newer than this server.
    pub fn of(params: &Value) -> Client {
        let at = |pointer: &str| params.pointer(pointer);
        let is_set = |pointer: &str| at(pointer).is_some_and(|value| *value == true);
        let formats = at("/capabilities/textDocument/hover/contentFormat").and_then(Value::as_array);
        let folders = at("/workspaceFolders").and_then(Value::as_array);
        let folders = folders.into_iter().flatten().filter_map(|folder| folder.get("uri"));
        let root = at("/rootUri").into_iter();
        let mut folders: Vec<String> =
            folders.chain(root).filter_map(Value::as_str).map(crate::lsp::uri::path).collect();
        folders.dedup();
        Client {
            markdown: formats.is_some_and(|formats| formats.iter().any(|format| format == "markdown")),
            snippets: is_set("/capabilities/textDocument/completion/completionItem/snippetSupport"),
            versioned_edits: is_set("/capabilities/workspace/workspaceEdit/documentChanges"),
            watches_files: is_set("/capabilities/workspace/didChangeWatchedFiles/dynamicRegistration"),
            folders,
        }
    }
}
