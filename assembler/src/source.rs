//! Source files: how they are loaded, and how a byte offset becomes `file:line:column`.
//!
//! The assembler opens no files itself: its caller provides a [`Loader`], for example a
//! [`MemoryLoader`].

use std::collections::BTreeMap;
use std::fmt;
use std::io;

/// The maximum size of a file. No program of 4,096 words needs more.
pub(crate) const MAX_FILE_BYTES: usize = 16 << 20;

/// The source of files.
pub trait Loader {
    /// Loads the file at `path`. `from` is the path (as returned by this loader) of the file that includes it, or
    /// `None` for the root. Diagnostics show the error.
    fn load(&self, path: &str, from: Option<&str>) -> io::Result<Loaded>;

    /// Whether to stop now, because the program is no longer needed. The assembler calls this every few milliseconds.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// A file that a [`Loader`] has loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The path that messages show. Two includes with the same path are the same file.
    pub path: String,
    /// The contents of the file.
    pub bytes: Vec<u8>,
}

/// A loader of files that are in memory.
///
/// ```
/// use gray1_assembler::{Loader, MemoryLoader};
/// let files = MemoryLoader::new([("lib/a.g1", ".include \"b.g1\""), ("lib/b.g1", "")]);
/// assert_eq!(files.load("b.g1", Some("lib/a.g1")).unwrap().path, "lib/b.g1");
/// ```
#[derive(Clone, Debug, Default)]
pub struct MemoryLoader {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryLoader {
    /// A loader of these files, each a path and its contents.
    pub fn new<P: Into<String>, B: Into<Vec<u8>>>(files: impl IntoIterator<Item = (P, B)>) -> MemoryLoader {
        MemoryLoader { files: files.into_iter().map(|(path, bytes)| (path.into(), bytes.into())).collect() }
    }
}

impl Loader for MemoryLoader {
    fn load(&self, path: &str, from: Option<&str>) -> io::Result<Loaded> {
        let path = beside(from, path);
        match self.files.get(&path) {
            Some(bytes) => Ok(Loaded { path, bytes: bytes.clone() }),
            None => Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no file `{path}`"))),
        }
    }
}

/// Resolves a path relative to the file `from`, with `.` and `..`.
///
/// ```
/// assert_eq!(gray1_assembler::beside(Some("programs/queens.g1"), "../lib/./or.g1"), "lib/or.g1");
/// assert_eq!(gray1_assembler::beside(Some("queens.g1"), "."), ".");
/// ```
pub fn beside(from: Option<&str>, path: &str) -> String {
    let folder = from.and_then(|from| from.rsplit_once('/')).map(|(folder, _)| folder);
    let joined = match folder {
        Some(folder) if !path.starts_with('/') => format!("{folder}/{path}"),
        _ => path.to_owned(),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in joined.split('/') {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|&last| last != ".." && !last.is_empty()) => {
                parts.pop();
            }
            "" if !parts.is_empty() => {}
            part => parts.push(part),
        }
    }
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

/// Extracts the comment at the beginning of a source, without the lines for tests.
pub fn head_comment(source: &str) -> String {
    let lines = source.lines().map_while(|line| line.strip_prefix(';'));
    let is_for_people = |line: &&str| !["expect", "input:"].iter().any(|word| line.trim().starts_with(word));
    let lines: Vec<&str> =
        lines.take_while(is_for_people).map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    lines.join("\n").trim_end().to_owned()
}

/// The first sentence of a text, in one line, without its full stop if another sentence follows.
pub(crate) fn first_sentence(text: &str) -> String {
    let ends = |at: &usize| text[at + 1..].starts_with(char::is_whitespace);
    let end = text.match_indices('.').map(|(at, _)| at).find(ends).unwrap_or(text.len());
    text[..end].replace('\n', " ")
}

/// A range of a source file, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file, an index in [`Sources`].
    pub file: u32,
    /// The first byte.
    pub start: u32,
    /// Past the last byte.
    pub end: u32,
}

/// A human-readable position: `file:line:column`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The path of the file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// All files of an assembly, in the order in which they were first needed.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

#[derive(Clone, Debug)]
struct SourceFile {
    path: String,
    text: String,
    line_starts: Vec<u32>,
}

impl Sources {
    /// The path of a file.
    pub fn path(&self, file: u32) -> &str {
        &self.files[file as usize].path
    }

    /// The text of a file.
    pub fn text(&self, file: u32) -> &str {
        &self.files[file as usize].text
    }

    /// The paths of all files.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_str())
    }

    /// The position at which a span begins.
    pub fn position(&self, span: Span) -> Position {
        let line = self.line_index(span.file, span.start);
        let file = &self.files[span.file as usize];
        let before = &file.text[file.line_starts[line] as usize..span.start as usize];
        Position { file: file.path.clone(), line: line + 1, column: before.chars().count() + 1 }
    }

    /// The line of a byte, from 0.
    pub fn line_index(&self, file: u32, offset: u32) -> usize {
        self.files[file as usize].line_starts.partition_point(|&start| start <= offset) - 1
    }

    /// The number of lines of a file.
    pub fn line_count(&self, file: u32) -> usize {
        self.files[file as usize].line_starts.len()
    }

    /// The offset of a line (from 0), and its text without the line end.
    pub fn line(&self, file: u32, line: usize) -> (u32, &str) {
        let file = &self.files[file as usize];
        let start = file.line_starts[line];
        let end = file.line_starts.get(line + 1).map_or(file.text.len(), |&next| next as usize - 1);
        let text = &file.text[start as usize..end];
        (start, text.strip_suffix('\r').unwrap_or(text))
    }

    pub(crate) fn add(&mut self, path: String, text: String) -> u32 {
        let starts_after_newlines =
            text.bytes().zip(1u32..).filter(|&(byte, _)| byte == b'\n').map(|(_, start)| start);
        let line_starts = std::iter::once(0).chain(starts_after_newlines).collect();
        self.files.push(SourceFile { path, text, line_starts });
        self.files.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_without_detours() {
        let cases = [
            (None, "a.g1", "a.g1"),
            (None, "./x/../a.g1", "a.g1"),
            (Some("a.g1"), "b.g1", "b.g1"),
            (Some("x/a.g1"), "b.g1", "x/b.g1"),
            (Some("x/a.g1"), "../../b.g1", "../b.g1"),
            (Some("x/a.g1"), "/y/b.g1", "/y/b.g1"),
            (Some("/a.g1"), "b.g1", "/b.g1"),
        ];
        for (from, path, expected) in cases {
            assert_eq!(beside(from, path), expected, "{path} from {from:?}");
        }
    }

    #[test]
    fn columns_count_characters() {
        let mut sources = Sources::default();
        let file = sources.add("a".into(), "x\n\täö = 1\r\n".into());
        let position = sources.position(Span { file, start: 8, end: 9 });
        assert_eq!(position.to_string(), "a:2:5");
        assert_eq!(sources.line(file, 1), (2, "\täö = 1"));
    }
}
