//! The outline of a file, and the search for names in all programs.

use crate::server::{Failure, Server};
use crate::text::{Encoding, Lines};
use crate::uri;
use crate::view::View;
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, Location, SymbolKind as Kind, Uri, WorkspaceSymbol,
};
use gray1_assembler::{Analysis, Definition, Item, ItemKind, SymbolKind, is_built_in};
use std::collections::BTreeSet;

/// Maximum number of symbols in an answer.
const MOST_SYMBOLS: usize = 1_000;
/// Maximum depth of the outline. Deeper symbols become siblings of the block around them, since neither editors nor the
/// JSON writer can nest without limit.
const DEEPEST: usize = 32;
/// Maximum number of sources searched that are not open.
const MOST_SOURCES: usize = 300;

pub fn document_symbols(view: &View) -> Vec<DocumentSymbol> {
    let lines = view.lines();
    let mut found: Vec<(Definition, &Item)> = outline(&view.analysis, view.file).collect();
    found.sort_by_key(|(definition, _)| (definition.extent.start, std::cmp::Reverse(definition.extent.end)));
    // The blocks around the current symbol, the innermost last, each with its end.
    let mut open: Vec<(u32, DocumentSymbol)> = Vec::new();
    let mut top = Vec::new();
    for (Definition { name, extent, .. }, item) in found {
        close(&mut open, &mut top, extent.start);
        if open.len() == DEEPEST {
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

pub fn kind(kind: ItemKind) -> Kind {
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

/// The names in all open programs, and in the sources of the open folders, that contain these letters in this order.
pub fn workspace_symbols(
    server: &mut Server,
    query: &str,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Vec<WorkspaceSymbol>, Failure> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |names: Vec<WorkspaceSymbol>| {
        let wanted = names.into_iter().filter(|name| has_letters(&name.base_symbol_information.name, query));
        found.extend(wanted);
        found.truncate(MOST_SYMBOLS);
        found.len() < MOST_SYMBOLS
    };
    let open: Vec<String> = server.documents().paths().map(str::to_owned).collect();
    for path in open {
        let view = match server.view(&Uri(uri::uri(&path)), is_stopped) {
            Err(Failure::Cancelled) => return Err(Failure::Cancelled),
            // A file that cannot be viewed is skipped; the others are still listed.
            Err(_) => continue,
            Ok(view) => view,
        };
        for (file, path) in view.analysis.report.sources.paths().enumerate() {
            if !is_built_in(path)
                && seen.insert(path.to_owned())
                && let Some(uri) = view.server.uri(path)
            {
                add(names(&uri, &view.analysis, file as u32, view.server.encoding()));
            }
        }
    }
    let folders = server.client.folders.iter();
    let sources: Vec<String> =
        folders.flat_map(|folder| server.host.sources(folder)).take(MOST_SOURCES).collect();
    let mut outlines = std::mem::take(&mut server.outlines);
    outlines.keep(&sources);
    let mut goes_on = Ok(true);
    for path in sources.iter().filter(|path| seen.insert((*path).clone())) {
        goes_on = outlines.of(path, server, is_stopped).map(&mut add);
        if !matches!(goes_on, Ok(true)) {
            break;
        }
    }
    server.outlines = outlines;
    goes_on.map(|_| found)
}

/// The names that a file defines, with the places where it does.
pub fn names(uri: &Uri, analysis: &Analysis, file: u32, encoding: Encoding) -> Vec<WorkspaceSymbol> {
    let lines = Lines::new(analysis.report.sources.text(file), encoding);
    let named = outline(analysis, file).map(|(Definition { name, .. }, item)| {
        let location = Location { uri: uri.clone(), range: lines.range(name.start, name.end) };
        let base_symbol_information =
            BaseSymbolInformation::new(item.name.clone(), kind(item.kind), None, None);
        WorkspaceSymbol { location: location.into(), base_symbol_information, data: None }
    });
    named.collect()
}

/// Whether a name contains the letters of a query in their order, with any others between them.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    query.chars().all(|wanted| letters.any(|letter| letter == wanted.to_ascii_lowercase()))
}
