//! Semantic tokens: the kind of each name, for editors to colour.

use crate::lsp::view::View;
use gen_lsp_types::{SemanticToken, SemanticTokens, SemanticTokensLegend};
use gray1_assembler::{Item, ItemKind, SymbolKind};

/// The types of tokens, by their numbers.
const TYPES: [&str; 6] = ["variable", "parameter", "function", "macro", "label", "method"];
/// The modifiers of tokens, by the numbers of their bits.
const MODIFIERS: [&str; 3] = ["definition", "readonly", "defaultLibrary"];

pub fn legend() -> SemanticTokensLegend {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    SemanticTokensLegend { token_types: owned(&TYPES), token_modifiers: owned(&MODIFIERS) }
}

/// The names of a file. Editors colour the rest of a source by its syntax.
pub fn tokens(view: &View) -> SemanticTokens {
    let lines = view.lines();
    let mut data = Vec::new();
    let (mut last_line, mut last_start, mut end) = (0, 0, 0);
    for place in view.analysis.occurrences(view.file) {
        // Tokens must not overlap, so a name inside a pasted name is left out.
        if place.is_pasted || place.span.start < end {
            continue;
        }
        end = place.span.end;
        let range = lines.range(place.span.start, place.span.end);
        let (line, start) = (range.start.line, range.start.character);
        let (kind, mut modifiers) = kind(view.item(place));
        modifiers |= u32::from(place.is_definition);
        data.push(SemanticToken {
            delta_line: line - last_line,
            delta_start: if line == last_line { start - last_start } else { start },
            length: range.end.character - start,
            token_type: kind,
            token_modifiers_bitset: modifiers,
        });
        (last_line, last_start) = (line, start);
    }
    SemanticTokens { data, ..SemanticTokens::default() }
}

fn kind(item: &Item) -> (u32, u32) {
    let name = match item.kind {
        ItemKind::Parameter | ItemKind::Counter => "parameter",
        ItemKind::Symbol(SymbolKind::Macro) => "macro",
        ItemKind::Symbol(SymbolKind::Function) => "function",
        ItemKind::Symbol(SymbolKind::Routine) => "method",
        ItemKind::Symbol(SymbolKind::Label) => "label",
        _ => "variable",
    };
    let is_fixed =
        matches!(item.kind, ItemKind::Counter | ItemKind::Symbol(SymbolKind::Constant | SymbolKind::Table));
    let number = TYPES.iter().position(|other| *other == name).unwrap_or_default();
    (number as u32, u32::from(is_fixed) << 1 | u32::from(item.is_of_library) << 2)
}
