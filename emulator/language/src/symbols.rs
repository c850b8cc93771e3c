//! The names of a file, as an outline, and those of all programs, to go to.

use crate::server::{Failure, Server};
use crate::text::Lines;
use crate::uri;
use crate::view::View;
use gen_lsp_types::{
    BaseSymbolInformation, DocumentSymbol, Location, SymbolKind as Kind, Uri, WorkspaceSymbol,
};
use gray1_assembler::{
    Analysis, Definition, Item, ItemKind, Loaded, Loader, Options, SymbolKind, analyze, is_built_in,
};
use std::collections::BTreeSet;
use std::io;

/// So many are told at most.
const MOST_SYMBOLS: usize = 1_000;
/// What lies deeper stands beside what is around it: an editor, and this program, can only nest so far.
const DEEPEST: usize = 32;
/// Of the sources that are not open, so many are looked through.
const MOST_SOURCES: usize = 300;

pub fn document_symbols(view: &View) -> Vec<DocumentSymbol> {
    let lines = view.lines();
    let mut found: Vec<(Definition, &Item)> = outline(&view.analysis, view.file).collect();
    found.sort_by_key(|(definition, _)| (definition.extent.start, std::cmp::Reverse(definition.extent.end)));
    // What is open, the innermost last, each with where it ends.
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

/// Gives those that end before an offset to what is around them.
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

/// What a file defines, without parameters and counters.
fn outline(analysis: &Analysis, file: u32) -> impl Iterator<Item = (Definition, &Item)> {
    let named =
        analysis.items.iter().filter(|item| !matches!(item.kind, ItemKind::Parameter | ItemKind::Counter));
    named.flat_map(move |item| {
        let mut definitions = item.definitions.iter().filter(move |definition| definition.name.file == file);
        // A variable is shown where it is first assigned.
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

/// The names of all open programs, and of the sources in the open folders, that have these letters in this order.
pub fn workspace_symbols(
    server: &mut Server,
    query: &str,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Vec<WorkspaceSymbol>, Failure> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let open: Vec<String> = server.documents().paths().map(str::to_owned).collect();
    for path in open {
        let view = match server.view(&Uri(uri::uri(&path)), is_stopped) {
            Err(Failure::Cancelled) => return Err(Failure::Cancelled),
            // What cannot be looked at has no names; the rest has.
            Err(_) => continue,
            Ok(view) => view,
        };
        let analysis = &view.analysis;
        for (file, path) in analysis.report.sources.paths().enumerate() {
            if !is_built_in(path) && seen.insert(path.to_owned()) {
                add(view.server.uri(path), analysis, file as u32, view.server, query, &mut found);
            }
        }
    }
    let sources: Vec<String> = server
        .client
        .folders
        .iter()
        .flat_map(|folder| server.host.sources(folder))
        .take(MOST_SOURCES)
        .collect();
    for path in sources {
        if is_stopped() {
            return Err(Failure::Cancelled);
        }
        if found.len() >= MOST_SYMBOLS || !seen.insert(path.clone()) {
            continue;
        }
        // Alone, without what it includes: only its own names matter.
        let Ok(bytes) = server.host.read(&path) else { continue };
        let alone = Alone { path: &path, bytes, is_stopped };
        let Ok(analysis) = analyze(&alone, &path, &Options::default()) else { continue };
        if is_stopped() {
            return Err(Failure::Cancelled);
        }
        add(server.uri(&path), &analysis, 0, server, query, &mut found);
    }
    found.truncate(MOST_SYMBOLS);
    Ok(found)
}

/// One source, as if there were no others.
struct Alone<'a> {
    path: &'a str,
    bytes: Vec<u8>,
    is_stopped: &'a dyn Fn() -> bool,
}

impl Loader for Alone<'_> {
    fn load(&self, path: &str, _: Option<&str>) -> io::Result<Loaded> {
        match path == self.path {
            true => Ok(Loaded { path: path.to_owned(), bytes: self.bytes.clone() }),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }
}

fn add(
    uri: Option<Uri>,
    analysis: &Analysis,
    file: u32,
    server: &Server,
    query: &str,
    found: &mut Vec<WorkspaceSymbol>,
) {
    let Some(uri) = uri else { return };
    let lines = Lines::new(analysis.report.sources.text(file), server.encoding());
    for (Definition { name, .. }, item) in outline(analysis, file) {
        if has_letters(&item.name, query) && found.len() < MOST_SYMBOLS {
            let location = Location { uri: uri.clone(), range: lines.range(name.start, name.end) };
            let base_symbol_information =
                BaseSymbolInformation::new(item.name.clone(), kind(item.kind), None, None);
            found.push(WorkspaceSymbol { location: location.into(), base_symbol_information, data: None });
        }
    }
}

/// Whether a name has the letters of a query in their order, whatever stands between them.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    query.chars().all(|wanted| letters.any(|letter| letter == wanted.to_ascii_lowercase()))
}
