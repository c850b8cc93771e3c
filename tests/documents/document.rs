//! Reading the documents: which there are, their code blocks, and their computed sections.

use std::fs;
use std::path::{Path, PathBuf};

/// Documents that must be there, besides whatever else lies in `docs`.
const REQUIRED: [&str; 7] = [
    "README.md",
    "docs/architecture.md",
    "docs/command-line.md",
    "docs/debugging.md",
    "docs/instruction-set.md",
    "docs/machine.md",
    "docs/origins.md",
];

/// How editors are set up.
const EDITORS: &str = "docs/editors/README.md";

/// A text with its path from the root of the repository.
pub struct Document {
    pub path: String,
    pub text: String,
}

/// A fenced block.
pub struct Block<'a> {
    /// What stands behind the opening fence: the language, then perhaps a file name.
    pub info: &'a str,
    /// The line of the opening fence, from 1.
    pub line: usize,
    pub lines: Vec<&'a str>,
}

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All documents.
pub fn all() -> Vec<Document> {
    let mut paths: Vec<PathBuf> = fs::read_dir(root().join("docs"))
        .expect("there is a folder `docs`")
        .map(|entry| Path::new("docs").join(entry.expect("it can be read").file_name()))
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .collect();
    paths.sort();
    paths.insert(0, "README.md".into());
    paths.push("programs/README.md".into());
    paths.push(EDITORS.into());
    for path in REQUIRED {
        assert!(paths.contains(&path.into()), "{path} is missing");
    }
    paths.iter().map(|path| open(&path.display().to_string())).collect()
}

/// One document.
pub fn open(path: &str) -> Document {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    Document { path: path.to_owned(), text }
}

impl Document {
    /// The fenced blocks, in order.
    pub fn blocks(&self) -> Vec<Block<'_>> {
        let mut blocks = Vec::new();
        let mut open: Option<Block> = None;
        for (number, line) in (1..).zip(self.text.lines()) {
            match (&mut open, line.strip_prefix("```")) {
                (None, Some(info)) => {
                    open = Some(Block { info: info.trim(), line: number, lines: Vec::new() });
                }
                (Some(_), Some(_)) => blocks.extend(open.take()),
                (Some(block), None) => block.lines.push(line),
                (None, None) => {}
            }
        }
        assert!(open.is_none(), "{}: the last code block is not closed", self.path);
        blocks
    }

    /// The lines that are not in a code block, with their numbers.
    pub fn prose(&self) -> Vec<(usize, &str)> {
        let mut fenced = false;
        let mut prose = Vec::new();
        for (number, line) in (1..).zip(self.text.lines()) {
            if line.starts_with("```") {
                fenced = !fenced;
            } else if !fenced {
                prose.push((number, line));
            }
        }
        prose
    }

    /// What stands in a named section.
    pub fn section(&self, name: &str) -> &str {
        let between = |begin: &str, end: &str| {
            let (_, rest) = self.text.split_once(begin)?;
            Some(rest.split_once(end)?.0.trim())
        };
        let found = between(&format!("<!-- begin: {name} -->"), &format!("<!-- end: {name} -->"));
        found.unwrap_or_else(|| panic!("{} has no section `{name}`", self.path))
    }

    /// Compares a section with what it must be.
    pub fn assert_section(&self, name: &str, right: &str) {
        let written = self.section(name);
        assert!(
            written == right.trim(),
            "{}: section `{name}` is not true any more. Paste this:\n\n{}\n",
            self.path,
            right.trim()
        );
    }

    /// The rows of the table in a named section, cell by cell, without its head.
    pub fn table(&self, name: &str) -> Vec<Vec<&str>> {
        let rows = self.section(name).lines().filter(|line| line.starts_with('|')).skip(2);
        rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
    }
}
