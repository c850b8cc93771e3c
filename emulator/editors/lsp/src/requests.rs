//! Maps each request to the function that answers it.

use crate::completion::completion;
use crate::contracts::{lenses, verdict};
use crate::failure::{Failure, typed};
use crate::fixes::fixes;
use crate::folding::folding;
use crate::format::{formatted, formatted_range};
use crate::hints::hints;
use crate::hover::hover;
use crate::names::{definition, highlights, prepare_rename, references, rename};
use crate::outlines::Outlines;
use crate::search::workspace_symbols;
use crate::semantic::tokens;
use crate::signature::signature;
use crate::symbols::document_symbols;
use crate::uri;
use crate::workspace::Workspace;
use gen_lsp_types::{
    CodeActionParams, CodeLensParams, DocumentFormattingParams, DocumentRangeFormattingParams,
    DocumentSymbolParams, FoldingRangeParams, InlayHintParams, ReferenceParams, RenameParams,
    SemanticTokensParams, SemanticTokensRangeParams, TextDocumentPositionParams, Uri,
    WorkspaceSymbolParams,
};
use serde_json::{Value, json};

/// The characters that trigger a completion, besides letters.
pub const TRIGGERS: [&str; 3] = [".", "#", "\""];

/// Answers a request after the session has been initialized.
pub fn answer(
    workspace: &mut Workspace,
    outlines: &mut Outlines,
    method: &str,
    params: &Value,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Value, Failure> {
    workspace.forget_unopened();
    let about_text = method.strip_prefix("textDocument/");
    let other = ["workspace/symbol", "codeLens/resolve"];
    let Some(what) = about_text.or(other.contains(&method).then_some(method)) else {
        return Err(Failure::UnknownMethod(method.to_owned()));
    };
    Ok(match what {
        "hover" | "definition" | "documentHighlight" | "prepareRename" | "completion" | "signatureHelp" => {
            answer_at(workspace, what, params, is_stopped)?
        }
        "references" => {
            let ReferenceParams { context, text_document_position_params: at, .. } = typed(params)?;
            workspace.refresh_all(is_stopped)?;
            workspace.find_unopened(&at.text_document.uri, is_stopped)?;
            let view = workspace.view(&at.text_document.uri, is_stopped)?;
            json!(references(&view, view.offset(at.position), context.include_declaration))
        }
        "rename" => {
            let RenameParams { new_name, text_document_position_params: at, .. } = typed(params)?;
            workspace.refresh_all(is_stopped)?;
            workspace.find_unopened(&at.text_document.uri, is_stopped)?;
            let view = workspace.view(&at.text_document.uri, is_stopped)?;
            let edit = json!(rename(&view, view.offset(at.position), &new_name)?);
            versioned(workspace, edit)
        }
        "documentSymbol" => {
            let DocumentSymbolParams { text_document, .. } = typed(params)?;
            json!(document_symbols(&workspace.view(&text_document.uri, is_stopped)?))
        }
        "workspace/symbol" => {
            let WorkspaceSymbolParams { query, .. } = typed(params)?;
            json!(workspace_symbols(workspace, outlines, &query, is_stopped)?)
        }
        "formatting" => {
            let DocumentFormattingParams { text_document, .. } = typed(params)?;
            json!(formatted(&workspace.view(&text_document.uri, is_stopped)?)?)
        }
        "rangeFormatting" => {
            let DocumentRangeFormattingParams { text_document, range, .. } = typed(params)?;
            json!(formatted_range(&workspace.view(&text_document.uri, is_stopped)?, range)?)
        }
        "codeAction" => {
            let CodeActionParams { text_document, range, context, .. } = typed(params)?;
            let mut found = json!(fixes(&workspace.view(&text_document.uri, is_stopped)?, range, &context));
            for action in found.as_array_mut().into_iter().flatten() {
                action["edit"] = versioned(workspace, action["edit"].take());
            }
            found
        }
        "codeLens" => {
            let CodeLensParams { text_document, .. } = typed(params)?;
            let uri = text_document.uri.0.clone();
            lenses(&workspace.view(&text_document.uri, is_stopped)?, &uri)
        }
        "codeLens/resolve" => {
            let mut lens = params.clone();
            let text = |field: &str| params["data"][field].as_str().map(str::to_owned);
            let (Some(uri), Some(name)) = (text("uri"), text("name")) else {
                return Err(Failure::WrongParams("expected a lens of this server".to_owned()));
            };
            let title = verdict(&workspace.view(&Uri(uri), is_stopped)?, &name, is_stopped)?;
            lens["command"] = json!({ "title": title, "command": "" });
            lens
        }
        "inlayHint" => {
            let InlayHintParams { text_document, range, .. } = typed(params)?;
            let view = workspace.view(&text_document.uri, is_stopped)?;
            json!(hints(&view, range))
        }
        "foldingRange" => {
            let FoldingRangeParams { text_document, .. } = typed(params)?;
            json!(folding(&workspace.view(&text_document.uri, is_stopped)?))
        }
        "semanticTokens/full" => {
            let SemanticTokensParams { text_document, .. } = typed(params)?;
            json!(tokens(&workspace.view(&text_document.uri, is_stopped)?, None))
        }
        "semanticTokens/range" => {
            let SemanticTokensRangeParams { text_document, range, .. } = typed(params)?;
            json!(tokens(&workspace.view(&text_document.uri, is_stopped)?, Some(range)))
        }
        _ => return Err(Failure::UnknownMethod(method.to_owned())),
    })
}

/// An edit with the versions of the buffers that it is for, if the editor takes them: it then refuses the edit if one has
/// been changed in the meantime.
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

/// Answers a request that is only about a position.
fn answer_at(
    workspace: &mut Workspace,
    what: &str,
    params: &Value,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Value, Failure> {
    let TextDocumentPositionParams { text_document, position } = typed(params)?;
    if what == "prepareRename" {
        workspace.refresh_all(is_stopped)?;
        workspace.find_unopened(&text_document.uri, is_stopped)?;
    }
    let view = workspace.view(&text_document.uri, is_stopped)?;
    let offset = view.offset(position);
    Ok(match what {
        "hover" => json!(hover(&view, offset)),
        "definition" => json!(definition(&view, offset)),
        "documentHighlight" => json!(highlights(&view, offset)),
        "prepareRename" => json!(prepare_rename(&view, offset)?),
        "completion" => json!(completion(&view, offset)),
        _ => json!(signature(&view, offset)),
    })
}
