//! Quick fixes: edits that remove the cause of a diagnostic.

use crate::lsp::completion::include;
use crate::lsp::diagnostics::shown_at;
use crate::lsp::view::View;
use gen_lsp_types::{
    CodeAction, CodeActionContext, CodeActionKind, Location, Range, TextEdit, WorkspaceEdit,
};
use gray1_assembler::{
    Code, Diagnostic, ErrorCode, ItemKind, Span, StatementAt, SymbolKind, Warning, is_built_in, library_file,
};
use gray1_isa::Operand;
use std::collections::HashMap;

/// The fixes for the diagnostics in a range.
pub fn fixes(view: &View, range: Range, context: &CodeActionContext) -> Vec<CodeAction> {
    let is_wanted = |kind: &CodeActionKind| matches!(kind, CodeActionKind::QuickFix | CodeActionKind::Empty);
    if context.only.as_ref().is_some_and(|only| !only.iter().any(is_wanted)) {
        return Vec::new();
    }
    let wanted = view.span(range);
    let mut found: Vec<CodeAction> = Vec::new();
    for diagnostic in &view.analysis.report.diagnostics {
        let Some(span) = shown_at(&view.analysis, diagnostic) else { continue };
        if span.file != view.file || span.end < wanted.start || wanted.end < span.start {
            continue;
        }
        let shown = view.lines().range(span.start, span.end);
        let code = diagnostic.code.name();
        let fixed = context.diagnostics.iter().filter(|other| {
            other.range == shown && other.code.as_ref().is_some_and(|other| *other == code.to_owned().into())
        });
        let fixed: Vec<_> = fixed.cloned().collect();
        for (title, edit) in remedies(view, diagnostic) {
            if found.iter().all(|other| other.title != title || other.edit.as_ref() != Some(&edit)) {
                found.push(CodeAction {
                    title,
                    kind: Some(CodeActionKind::QuickFix),
                    diagnostics: Some(fixed.clone()),
                    edit: Some(edit),
                    ..CodeAction::default()
                });
            }
        }
    }
    // A single fix is marked as preferred.
    if let [only] = &mut found[..] {
        only.is_preferred = Some(true);
    }
    found
}

fn remedies(view: &View, diagnostic: &Diagnostic) -> Vec<(String, WorkspaceEdit)> {
    let mut found = Vec::new();
    found.extend(suggestion(view, diagnostic));
    let Some(span) = diagnostic.span else { return found };
    if is_built_in(view.analysis.report.sources.path(span.file)) {
        return found;
    }
    let at_start = Span { end: span.start, ..span };
    let text = view.source(span);
    match diagnostic.code {
        Code::Warning(Warning::ForgottenHash) | Code::Error(ErrorCode::HashMissing) => {
            found.push(("Add `#`: the number itself".to_owned(), view.edit([(at_start, "#".to_owned())])));
        }
        Code::Error(ErrorCode::AddressRange) if !text.starts_with('#') && takes_value(view, span) => {
            found.push(("Add `#`: the number itself".to_owned(), view.edit([(at_start, "#".to_owned())])));
        }
        Code::Warning(Warning::SuperfluousHash) | Code::Error(ErrorCode::ConstantOperand) => {
            if let Some(rest) = text.strip_prefix('#') {
                let blanks = rest.len() - rest.trim_start().len();
                let hash = Span { end: span.start + 1 + blanks as u32, ..span };
                found.push(("Drop `#`".to_owned(), view.edit([(hash, String::new())])));
            }
        }
        Code::Error(ErrorCode::UnknownStatement | ErrorCode::UnknownName) => {
            found.extend(from_library(view, text));
        }
        _ => {}
    }
    if diagnostic.code == Code::Error(ErrorCode::UnknownName) {
        found.extend(declaration(view, span, text));
    }
    found
}

/// The correction of a misspelt word.
fn suggestion(view: &View, diagnostic: &Diagnostic) -> Option<(String, WorkspaceEdit)> {
    let (span, meant) = diagnostic.suggestion.as_ref()?;
    if is_built_in(view.analysis.report.sources.path(span.file)) {
        return None;
    }
    let text = view.source(*span);
    let (start, length) = match diagnostic.code {
        Code::Error(ErrorCode::CannotInclude) => {
            let quote = text.find('"')? + 1;
            (quote, text[quote..].find('"')?)
        }
        _ => {
            let is_letter = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
            (0, text.find(|c| !is_letter(c)).unwrap_or(text.len()))
        }
    };
    // A name that is pasted together (`a{k}`) is not replaced: the suggestion fits only one of its expansions.
    if length == 0 || text[start + length..].starts_with('{') {
        return None;
    }
    let start = span.start + start as u32;
    let word = Span { start, end: start + length as u32, ..*span };
    Some((format!("Replace with `{meant}`"), view.edit([(word, meant.clone())])))
}

/// Whether an operand can be a constant.
fn takes_value(view: &View, span: Span) -> bool {
    view.analysis.statement_at(span.file, span.start).is_some_and(|statement| match statement.kind {
        StatementAt::Instruction(opcode) => opcode.row().operand == Operand::Value,
        kind => kind == StatementAt::Call,
    })
}

/// The fix that includes the file of the library with this name.
fn from_library(view: &View, name: &str) -> Option<(String, WorkspaceEdit)> {
    let file = library_file(".macro", name).or_else(|| library_file(".ram", name))?;
    // Only in the program's root file: an include at the end of an included file might be in the wrong place.
    let edit = include(view, file)?;
    let title = format!("Add `{}`", edit.new_text.trim());
    Some((title, at(view, edit)?))
}

/// The fix that declares a name which an instruction reads or writes, with `.ram`.
fn declaration(view: &View, span: Span, name: &str) -> Option<(String, WorkspaceEdit)> {
    let statement = view.analysis.statement_at(span.file, span.start)?;
    let StatementAt::Instruction(opcode) = statement.kind else { return None };
    let is_plain = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && !name.contains('{');
    let is_whole = statement.operands.contains(&span);
    if opcode.row().operand == Operand::Target || !is_plain || !is_whole || span.file != view.file {
        return None;
    }
    // Below the last `.ram` at the top of the file, or where the program begins.
    let lines = view.lines();
    let outer = |offset: u32| {
        !view
            .analysis
            .blocks(view.file)
            .any(|block| block.opener.start < offset && offset < block.closer.start)
    };
    let ram = view.analysis.items.iter().filter(|item| item.kind == ItemKind::Symbol(SymbolKind::Ram));
    let places = ram.flat_map(|item| &item.definitions).map(|definition| definition.name);
    let last = places
        .filter(|place| place.file == view.file && place.start < span.start && outer(place.start))
        .max_by_key(|place| place.start);
    let line = match last {
        Some(place) => lines.line_of(place.start) + 1,
        None => {
            let first = view.analysis.statements(view.file).next()?;
            lines.line_of(first.span.start)
        }
    };
    let start = lines.position(lines.bounds(line).0 as u32);
    let edit =
        TextEdit { range: Range { start, end: start }, new_text: format!(".ram  {name}{}", lines.end()) };
    Some((format!("Declare `.ram  {name}`"), at(view, edit)?))
}

/// An edit of this file.
fn at(view: &View, edit: TextEdit) -> Option<WorkspaceEdit> {
    let here = Span { file: view.file, start: 0, end: 0 };
    let Location { uri, .. } = view.locations([here]).into_iter().next()?;
    Some(WorkspaceEdit { changes: Some(HashMap::from([(uri, vec![edit])])), ..WorkspaceEdit::default() })
}
