//! The search for names in all programs.

use crate::failure::Failure;
use crate::outlines::Outlines;
use crate::symbols::names;
use crate::uri;
use crate::workspace::Workspace;
use gen_lsp_types::{Uri, WorkspaceSymbol};
use gray1_assembler::is_built_in;
use std::collections::BTreeSet;

/// Maximum number of symbols in an answer.
const MOST_SYMBOLS: usize = 1_000;
/// Maximum number of sources searched that are not open.
const MOST_SOURCES: usize = 300;

/// The names in all open programs, and in the sources of the open folders, that contain these letters in this order.
pub fn workspace_symbols(
    workspace: &mut Workspace,
    outlines: &mut Outlines,
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
        folders.flat_map(|folder| workspace.host.sources(folder)).take(MOST_SOURCES).collect();
    outlines.keep(&sources);
    let mut goes_on = Ok(true);
    for path in sources.iter().filter(|path| seen.insert((*path).clone())) {
        goes_on = outlines.of(path, workspace, is_stopped).map(&mut add);
        if !matches!(goes_on, Ok(true)) {
            break;
        }
    }
    goes_on.map(|_| found)
}

/// Whether a name contains the letters of a query in their order, with any others between them.
fn has_letters(name: &str, query: &str) -> bool {
    let mut letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    query.chars().all(|wanted| letters.any(|letter| letter == wanted.to_ascii_lowercase()))
}
