//! Maps each request to the function that answers it.

use crate::completion::completion;
use crate::fixes::fixes;
use crate::format::{formatted, formatted_range};
use crate::heat::heat;
use crate::hints::hints;
use crate::hover::hover;
use crate::names::{definition, highlights, prepare_rename, references, rename};
use crate::ranges::{folding, selection};
use crate::semantic::tokens;
use crate::server::{Failure, Server, typed};
use crate::signature::signature;
use crate::symbols::{document_symbols, workspace_symbols};
use gen_lsp_types::{
    CodeActionParams, DocumentFormattingParams, DocumentRangeFormattingParams, DocumentSymbolParams,
    FoldingRangeParams, InlayHintParams, ReferenceParams, RenameParams, SelectionRangeParams,
    SemanticTokensParams, SemanticTokensRangeParams, TextDocumentPositionParams, WorkspaceSymbolParams,
};
use serde_json::{Value, json};

/// The characters that trigger a completion, besides letters.
pub const TRIGGERS: [&str; 3] = [".", "#", "\""];

/// Answers a request after the session has been initialized.
pub fn answer(
    server: &mut Server,
    method: &str,
    params: &Value,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Value, Failure> {
    server.forget_unopened();
    let about_text = method.strip_prefix("textDocument/");
    let Some(what) = about_text.or((method == "workspace/symbol").then_some(method)) else {
        return Err(Failure::UnknownMethod(method.to_owned()));
    };
    Ok(match what {
        "hover" | "definition" | "documentHighlight" | "prepareRename" | "completion" | "signatureHelp" => {
            answer_at(server, what, params, is_stopped)?
        }
        "references" => {
            let ReferenceParams { context, text_document_position_params: at, .. } = typed(params)?;
            server.refresh_all(is_stopped)?;
            server.find_unopened(&at.text_document.uri, is_stopped)?;
            let view = server.view(&at.text_document.uri, is_stopped)?;
            json!(references(&view, view.offset(at.position), context.include_declaration))
        }
        "rename" => {
            let RenameParams { new_name, text_document_position_params: at, .. } = typed(params)?;
            server.refresh_all(is_stopped)?;
            server.find_unopened(&at.text_document.uri, is_stopped)?;
            let view = server.view(&at.text_document.uri, is_stopped)?;
            json!(rename(&view, view.offset(at.position), &new_name)?)
        }
        "documentSymbol" => {
            let DocumentSymbolParams { text_document, .. } = typed(params)?;
            json!(document_symbols(&server.view(&text_document.uri, is_stopped)?))
        }
        "workspace/symbol" => {
            let WorkspaceSymbolParams { query, .. } = typed(params)?;
            json!(workspace_symbols(server, &query, is_stopped)?)
        }
        "formatting" => {
            let DocumentFormattingParams { text_document, .. } = typed(params)?;
            json!(formatted(&server.view(&text_document.uri, is_stopped)?)?)
        }
        "rangeFormatting" => {
            let DocumentRangeFormattingParams { text_document, range, .. } = typed(params)?;
            json!(formatted_range(&server.view(&text_document.uri, is_stopped)?, range)?)
        }
        "codeAction" => {
            let CodeActionParams { text_document, range, context, .. } = typed(params)?;
            let view = server.view(&text_document.uri, is_stopped)?;
            json!(fixes(&view, range, &context))
        }
        "inlayHint" => {
            let InlayHintParams { text_document, range, .. } = typed(params)?;
            let view = server.view(&text_document.uri, is_stopped)?;
            json!([hints(&view, range), heat(&view, range)].concat())
        }
        "foldingRange" => {
            let FoldingRangeParams { text_document, .. } = typed(params)?;
            json!(folding(&server.view(&text_document.uri, is_stopped)?))
        }
        "selectionRange" => {
            let SelectionRangeParams { text_document, positions, .. } = typed(params)?;
            json!(selection(&server.view(&text_document.uri, is_stopped)?, &positions))
        }
        "semanticTokens/full" => {
            let SemanticTokensParams { text_document, .. } = typed(params)?;
            json!(tokens(&server.view(&text_document.uri, is_stopped)?, None))
        }
        "semanticTokens/range" => {
            let SemanticTokensRangeParams { text_document, range, .. } = typed(params)?;
            json!(tokens(&server.view(&text_document.uri, is_stopped)?, Some(range)))
        }
        _ => return Err(Failure::UnknownMethod(method.to_owned())),
    })
}

/// Answers a request that is only about a position.
fn answer_at(
    server: &mut Server,
    what: &str,
    params: &Value,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Value, Failure> {
    let TextDocumentPositionParams { text_document, position } = typed(params)?;
    if what == "prepareRename" {
        server.refresh_all(is_stopped)?;
        server.find_unopened(&text_document.uri, is_stopped)?;
    }
    let view = server.view(&text_document.uri, is_stopped)?;
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
