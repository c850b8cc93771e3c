//! The search for names in all programs.

use crate::failure::Failure;
use crate::symbols::names;
use crate::uri;
use crate::workspace::Workspace;
use gen_lsp_types::{Uri, WorkspaceSymbol};
use gray1_assembler::{Loaded, Loader, Options, analyze, is_built_in};
use std::collections::BTreeSet;
use std::io;

/// Maximum number of symbols in an answer.
const MAX_SYMBOLS: usize = 1_000;
/// Maximum number of sources searched that are not open.
const MAX_SOURCES: usize = 300;

/// The names in all open programs, and in the sources of the open folders, that contain these letters in this order.
pub fn workspace_symbols(
    workspace: &mut Workspace,
    query: &str,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Vec<WorkspaceSymbol>, Failure> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |names: Vec<WorkspaceSymbol>| {
        let wanted = names.into_iter().filter(|name| has_letters(&name.base_symbol_information.name, query));
        found.extend(wanted);
        found.truncate(MAX_SYMBOLS);
        found.len() < MAX_SYMBOLS
    };
    let open: Vec<String> = workspace.documents.paths().map(str::to_owned).collect();
    for path in open {
        let view = match workspace.view(&Uri(uri::uri(&path)), is_stopped) {
            Err(Failure::Cancelled) => return Err(Failure::Cancelled),
            // A file that cannot be viewed is skipped; the others are still listed.
            Err(_) => continue,
            Ok(view) => view,
        };
        for (file, path) in view.analysis.report.sources.paths().enumerate() {
            if !is_built_in(path)
                && seen.insert(path.to_owned())
                && let Some(uri) = view.workspace.uri(path)
            {
                add(names(&uri, &view.analysis, file as u32, view.workspace.encoding()));
            }
        }
    }
    let folders = workspace.client.folders.iter();
    let sources: Vec<String> =
        folders.flat_map(|folder| workspace.host.sources(folder)).take(MAX_SOURCES).collect();
    for path in sources.iter().filter(|path| seen.insert((*path).clone())) {
        if !add(names_in(path, workspace, is_stopped)?) {
            break;
        }
    }
    Ok(found)
}

/// The names that an unopened file defines, without its includes; none if the file cannot be read.
fn names_in(
    path: &str,
    workspace: &Workspace,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Vec<WorkspaceSymbol>, Failure> {
    let Ok(content) = workspace.host.read(path) else { return Ok(Vec::new()) };
    let analysis = analyze(&SingleFile { path, content, is_stopped }, path, &Options::default());
    // An interrupted analysis does not have all names.
    if is_stopped() {
        return Err(Failure::Cancelled);
    }
    let (Ok(analysis), Some(uri)) = (analysis, workspace.uri(path)) else { return Ok(Vec::new()) };
    Ok(names(&uri, &analysis, 0, workspace.encoding()))
}

/// Loads one file, as if there were no others.
struct SingleFile<'a> {
    path: &'a str,
    content: Vec<u8>,
    is_stopped: &'a dyn Fn() -> bool,
}

impl Loader for SingleFile<'_> {
    fn load(&self, path: &str, _: Option<&str>) -> io::Result<Loaded> {
        match path == self.path {
            true => Ok(Loaded { path: path.to_owned(), bytes: self.content.clone() }),
            false => Err(io::ErrorKind::NotFound.into()),
        }
    }

    fn is_stopped(&self) -> bool {
        (self.is_stopped)()
    }
}

/// Whether a name contains the letters of a query in their order, with any others between them.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    query.chars().all(|wanted| letters.any(|letter| letter == wanted.to_ascii_lowercase()))
}
