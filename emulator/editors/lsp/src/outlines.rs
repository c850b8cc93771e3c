//! The names in sources that are not open, cached while the contents of a file stay the same: every letter that is
//! typed in a search needs all of them.

use crate::failure::Failure;
use crate::symbols::names;
use crate::workspace::Workspace;
use gen_lsp_types::WorkspaceSymbol;
use gray1_assembler::{Loaded, Loader, Options, analyze};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

/// A file with more names than this is analysed again each time, so that the size of the cache is bounded.
const MOST_KEPT: usize = 1_000;

/// The names of sources, by path.
#[derive(Default)]
pub struct Outlines {
    known: BTreeMap<String, Outline>,
}

struct Outline {
    /// A hash of the contents of the file.
    bytes: u64,
    names: Vec<WorkspaceSymbol>,
}

impl Outlines {
    /// The names that a file defines by itself, without what it includes; none if it cannot be read.
    pub fn of(
        &mut self,
        path: &str,
        workspace: &Workspace,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Vec<WorkspaceSymbol>, Failure> {
        let Ok(content) = workspace.host.read(path) else { return Ok(Vec::new()) };
        let bytes = hash(&content);
        if let Some(outline) = self.known.get(path).filter(|outline| outline.bytes == bytes) {
            return Ok(outline.names.clone());
        }
        let alone = Alone { path, content, is_stopped };
        let analysis = analyze(&alone, path, &Options::default());
        // An interrupted analysis does not have all names.
        if is_stopped() {
            return Err(Failure::Cancelled);
        }
        let (Ok(analysis), Some(uri)) = (analysis, workspace.uri(path)) else { return Ok(Vec::new()) };
        let names = names(&uri, &analysis, 0, workspace.encoding());
        if names.len() <= MOST_KEPT {
            self.known.insert(path.to_owned(), Outline { bytes, names: names.clone() });
        }
        Ok(names)
    }

    /// Removes all files but these.
    pub fn keep(&mut self, paths: &[String]) {
        self.known.retain(|path, _| paths.contains(path));
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// One source, as if there were no others.
struct Alone<'a> {
    path: &'a str,
    content: Vec<u8>,
    is_stopped: &'a dyn Fn() -> bool,
}

impl Loader for Alone<'_> {
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
