//! The outline of a file.

use crate::lsp::view::View;
use gen_lsp_types::{DocumentSymbol, SymbolKind as Kind};
use gray1_assembler::{Analysis, Definition, Item, ItemKind, SymbolKind};

/// Maximum depth of the outline. Deeper symbols become siblings of the block around them, since neither editors nor the
/// JSON writer can nest without limit.
const MAX_DEPTH: usize = 32;

pub fn document_symbols(view: &View) -> Vec<DocumentSymbol> {
    let lines = view.lines();
    let mut found: Vec<(Definition, &Item)> = outline(&view.analysis, view.file).collect();
    found.sort_by_key(|(definition, _)| (definition.extent.start, std::cmp::Reverse(definition.extent.end)));
    // The blocks around the current symbol, the innermost last, each with its end.
    let mut open: Vec<(u32, DocumentSymbol)> = Vec::new();
    let mut top = Vec::new();
    for (Definition { name, extent, .. }, item) in found {
        close(&mut open, &mut top, extent.start);
        if open.len() == MAX_DEPTH {
            close_last(&mut open, &mut top);
        }
        let range = lines.range(extent.start.min(name.start), extent.end.max(name.end));
        let own = lines.range(name.start, name.end);
        let noun = Some(item.kind.noun().to_owned());
        let symbol =
            DocumentSymbol::new(item.name.clone(), noun, kind(item.kind), None, None, range, own, None);
        open.push((extent.end.max(name.end), symbol));
    }
    close(&mut open, &mut top, u32::MAX);
    top
}

/// Moves the blocks that end before an offset into the blocks around them.
fn close(open: &mut Vec<(u32, DocumentSymbol)>, top: &mut Vec<DocumentSymbol>, start: u32) {
    while open.last().is_some_and(|(end, _)| *end <= start) {
        close_last(open, top);
    }
}

fn close_last(open: &mut Vec<(u32, DocumentSymbol)>, top: &mut Vec<DocumentSymbol>) {
    let Some((_, symbol)) = open.pop() else { return };
    match open.last_mut() {
        Some((_, outer)) => outer.children.get_or_insert_default().push(symbol),
        None => top.push(symbol),
    }
}

/// The definitions of a file, without parameters and loop counters.
fn outline(analysis: &Analysis, file: u32) -> impl Iterator<Item = (Definition, &Item)> {
    let named =
        analysis.items.iter().filter(|item| !matches!(item.kind, ItemKind::Parameter | ItemKind::Counter));
    named.flat_map(move |item| {
        let mut definitions = item.definitions.iter().filter(move |definition| definition.name.file == file);
        // A variable is listed at its first assignment.
        let first = definitions.next();
        let rest = definitions.filter(|_| item.kind != ItemKind::Symbol(SymbolKind::Variable));
        first.into_iter().chain(rest).map(move |&definition| (definition, item))
    })
}

fn kind(kind: ItemKind) -> Kind {
    match kind {
        ItemKind::Symbol(SymbolKind::Constant) | ItemKind::Counter => Kind::Constant,
        ItemKind::Symbol(SymbolKind::Variable | SymbolKind::Ram) | ItemKind::Parameter => Kind::Variable,
        ItemKind::Symbol(SymbolKind::Function | SymbolKind::Macro) => Kind::Function,
        ItemKind::Symbol(SymbolKind::Routine) => Kind::Method,
        ItemKind::Symbol(SymbolKind::Table) => Kind::Array,
        ItemKind::Symbol(SymbolKind::Label) => Kind::Key,
        ItemKind::Unknown => Kind::Null,
    }
}
