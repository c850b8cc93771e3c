//! Maps each request to the function that answers it.

use crate::lsp::completion::completion;
use crate::lsp::contracts::{lenses, verdict};
use crate::lsp::failure::Failure;
use crate::lsp::fixes::fixes;
use crate::lsp::format::formatted;
use crate::lsp::hints::hints;
use crate::lsp::hover::hover;
use crate::lsp::names::{definition, prepare_rename, references, rename};
use crate::lsp::semantic::tokens;
use crate::lsp::signature::signature;
use crate::lsp::symbols::document_symbols;
use crate::lsp::uri;
use crate::lsp::view::View;
use crate::lsp::workspace::Workspace;
use gen_lsp_types::{ReferenceContext, TextDocumentIdentifier, Uri};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The characters that trigger a completion, besides letters.
pub const TRIGGERS: [&str; 3] = [".", "#", "\""];

type Handler = fn(&View, &Value) -> Result<Value, Failure>;

/// The requests about a text document, without `textDocument/`.
const REQUESTS: [(&str, Handler); 13] = [
    ("codeAction", code_actions),
    ("codeLens", |view, params| Ok(lenses(view, params["textDocument"]["uri"].as_str().unwrap_or_default()))),
    ("completion", |view, params| Ok(json!(completion(view, offset(view, params)?)))),
    ("definition", |view, params| Ok(json!(definition(view, offset(view, params)?)))),
    ("documentSymbol", |view, _| Ok(json!(document_symbols(view)))),
    ("formatting", |view, _| Ok(json!(formatted(view)?))),
    ("hover", |view, params| Ok(json!(hover(view, offset(view, params)?)))),
    ("inlayHint", |view, params| Ok(json!(hints(view, field(params, "range")?)))),
    ("prepareRename", |view, params| Ok(json!(prepare_rename(view, offset(view, params)?)?))),
    ("references", |view, params| {
        let context: ReferenceContext = field(params, "context")?;
        Ok(json!(references(view, offset(view, params)?, context.include_declaration)))
    }),
    ("rename", |view, params| {
        let new_name: String = field(params, "newName")?;
        Ok(versioned(view.workspace, json!(rename(view, offset(view, params)?, &new_name)?)))
    }),
    ("semanticTokens/full", |view, _| Ok(json!(tokens(view)))),
    ("signatureHelp", |view, params| Ok(json!(signature(view, offset(view, params)?)))),
];
/// The requests that need all programs of the workspace.
const ACROSS_PROGRAMS: [&str; 3] = ["prepareRename", "references", "rename"];

/// Answers a request after the session has been initialized.
pub fn answer(
    workspace: &mut Workspace,
    method: &str,
    params: &Value,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Value, Failure> {
    workspace.forget_unopened();
    match method {
        "codeLens/resolve" => {
            let text = |field: &str| params["data"][field].as_str().map(str::to_owned);
            let (Some(uri), Some(name)) = (text("uri"), text("name")) else {
                return Err(Failure::WrongParams("expected a lens of this server".to_owned()));
            };
            let title = verdict(&workspace.view(&Uri(uri), is_stopped)?, &name, is_stopped)?;
            let mut lens = params.clone();
            lens["command"] = json!({ "title": title, "command": "" });
            Ok(lens)
        }
        _ => {
            let name = method.strip_prefix("textDocument/").unwrap_or_default();
            let request = REQUESTS.iter().find(|(known, _)| *known == name);
            let (_, handler) = request.ok_or_else(|| Failure::UnknownMethod(method.to_owned()))?;
            let TextDocumentIdentifier { uri } = field(params, "textDocument")?;
            if ACROSS_PROGRAMS.contains(&name) {
                workspace.refresh_all(is_stopped)?;
                workspace.find_unopened(&uri, is_stopped)?;
            }
            handler(&workspace.view(&uri, is_stopped)?, params)
        }
    }
}

/// A field of the parameters, as the type that the protocol defines.
fn field<T: DeserializeOwned>(params: &Value, name: &str) -> Result<T, Failure> {
    T::deserialize(&params[name]).map_err(|error| Failure::WrongParams(format!("`{name}`: {error}")))
}

/// The offset of the position that a request is about.
fn offset(view: &View, params: &Value) -> Result<u32, Failure> {
    Ok(view.offset(field(params, "position")?))
}

fn code_actions(view: &View, params: &Value) -> Result<Value, Failure> {
    let mut actions = json!(fixes(view, field(params, "range")?, &field(params, "context")?));
    for action in actions.as_array_mut().into_iter().flatten() {
        action["edit"] = versioned(view.workspace, action["edit"].take());
    }
    Ok(actions)
}

/// Adds the versions of the buffers to an edit, if the editor takes them: it then refuses the edit if a buffer has been
/// changed in the meantime.
fn versioned(workspace: &Workspace, mut edit: Value) -> Value {
    if !workspace.client.versioned_edits {
        return edit;
    }
    let Some(Value::Object(changes)) = edit.get_mut("changes").map(Value::take) else { return edit };
    let documents = changes.into_iter().map(|(uri, edits)| {
        let version = workspace.documents.get(&uri::path(&uri)).map(|document| document.version);
        json!({ "textDocument": { "uri": uri, "version": version }, "edits": edits })
    });
    json!({ "documentChanges": documents.collect::<Vec<_>>() })
}
