//! Reads the documents: their list, their code blocks, and their computed sections.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use test_support::golden;

/// Documents that must exist, among all others in `docs`.
const REQUIRED: [&str; 7] = [
    "README.md",
    "docs/architecture.md",
    "docs/command-line.md",
    "docs/debugging.md",
    "docs/instruction-set.md",
    "docs/machine.md",
    "docs/origins.md",
];

/// The document about editors.
const EDITORS: &str = "docs/editors/README.md";

/// A text with its path from the root of the repository.
pub struct Document {
    pub path: String,
    pub text: String,
}

/// A fenced block.
pub struct Block<'a> {
    /// The text after the opening fence: the language, and possibly a file name.
    pub info: &'a str,
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// The text between the fences, and its range in the document.
    pub text: &'a str,
    pub range: Range<usize>,
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All documents.
pub fn all() -> Vec<Document> {
    let mut paths: Vec<PathBuf> =
        ["docs", "docs/internals", "docs/lessons", "docs/levels"].into_iter().flat_map(in_folder).collect();
    paths.sort();
    paths.insert(0, "README.md".into());
    paths.extend(["assembler/diagnostics.md", "programs/README.md"].map(PathBuf::from));
    paths.push(EDITORS.into());
    for path in REQUIRED {
        assert!(paths.contains(&path.into()), "{path} is missing");
    }
    paths.iter().map(|path| open(&path.display().to_string())).collect()
}

/// The length of the fence at the beginning of a line, if there is one, and the rest of the line. A block within another
/// block has a shorter fence.
fn fence(line: &str) -> Option<(usize, &str)> {
    let info = line.trim_start_matches('`');
    let ticks = line.len() - info.len();
    // With more backticks in its line, it is code within the text.
    (ticks >= 3 && !info.contains('`')).then_some((ticks, info.trim()))
}

/// The documents of a folder.
fn in_folder(folder: &str) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(root().join(folder)).unwrap_or_else(|error| panic!("{folder}: {error}"));
    let paths = entries.map(move |entry| Path::new(folder).join(entry.expect("it can be read").file_name()));
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "md"))
}

/// Reads a document.
pub fn open(path: &str) -> Document {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Document { path: path.to_owned(), text }
}

impl Document {
    /// The fenced blocks, in order.
    pub fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open: Option<(usize, &str, usize, usize)> = None;
        let mut at = 0;
        for (number, line) in (1..).zip(self.text.split_inclusive('\n')) {
            match (fence(line), open) {
                (Some((ticks, info)), None) => open = Some((ticks, info, number, at + line.len())),
                (Some((ticks, _)), Some((opened, info, line, start))) if ticks >= opened => {
                    let range = start..at;
                    blocks.push(Block { info, line, text: &self.text[range.clone()], range });
                    open = None;
                }
                _ => {}
            }
            at += line.len();
        }
        assert!(open.is_none(), "{}: the last code block is not closed", self.path);
        blocks
    }

    /// The lines that are not in a code block, with their numbers.
    pub fn prose(&self) -> Vec<(usize, &str)> {
        let mut open = None;
        let mut prose = Vec::new();
        for (number, line) in (1..).zip(self.text.lines()) {
            match (fence(line), open) {
                (Some((ticks, _)), None) => open = Some(ticks),
                (Some((ticks, _)), Some(opened)) if ticks >= opened => open = None,
                (None, None) => prose.push((number, line)),
                _ => {}
            }
        }
        prose
    }

    /// The block with the content of a file that commands of the document use.
    pub fn file(&self, name: &str) -> &str {
        let blocks = self.blocks();
        let block =
            blocks.iter().find(|block| block.info.split_once(' ').is_some_and(|(_, file)| file == name));
        block.unwrap_or_else(|| panic!("{} has no file `{name}`", self.path)).text
    }

    /// The text of a named section.
    pub fn section(&self, name: &str) -> &str {
        self.text[self.section_range(name)].trim()
    }

    fn section_range(&self, name: &str) -> Range<usize> {
        let (begin, end) = (format!("<!-- begin: {name} -->"), format!("<!-- end: {name} -->"));
        let range = self.text.find(&begin).zip(self.text.find(&end)).map(|(at, end)| at + begin.len()..end);
        range.unwrap_or_else(|| panic!("{} has no section `{name}`", self.path))
    }

    /// Asserts that a section has this text. If `UPDATE` is set, rewrites it.
    pub fn assert_section(&self, name: &str, right: &str) {
        let right = right.trim();
        if golden::updates() && self.section(name) != right {
            let _guard = writing();
            let now = open(&self.path); // read again, since other tests may have rewritten other sections
            now.rewrite(vec![(now.section_range(name), format!("\n\n{right}\n\n"))]);
        } else {
            assert!(
                self.section(name) == right,
                "{}: section `{name}` is not true any more; UPDATE=1 rewrites it. It must be:\n\n{right}\n",
                self.path
            );
        }
    }

    /// Writes the document with the text of these ranges replaced. The ranges are in order.
    pub fn rewrite(&self, changes: Vec<(Range<usize>, String)>) {
        let mut text = self.text.clone();
        for (range, right) in changes.into_iter().rev() {
            text.replace_range(range, &right);
        }
        fs::write(root().join(&self.path), text).unwrap_or_else(|error| panic!("{}: {error}", self.path));
    }

    /// The rows of the table in a named section without its header, as cells.
    pub fn table(&self, name: &str) -> Vec<Vec<&str>> {
        let rows = self.section(name).lines().filter(|line| line.starts_with('|')).skip(2);
        rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
    }
}

/// A lock to be held from reading a document to rewriting it, because tests run in parallel.
pub fn writing() -> MutexGuard<'static, ()> {
    static WRITING: Mutex<()> = Mutex::new(());
    WRITING.lock().unwrap_or_else(PoisonError::into_inner)
}
