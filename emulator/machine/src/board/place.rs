//! Errors in board files, and finding the line and column that they belong to.

use crate::ron_text::SyntaxError;
use thiserror::Error;

/// An error in a board file, with its place.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{file}:{line}:{column}: {message}")]
#[allow(missing_docs)]
pub struct BoardError {
    pub file: String,
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// An error found by the checks, before its line and column are known.
#[derive(Debug)]
pub(super) struct Fault {
    /// Words that lead to the place; each is searched for after the one before it.
    trail: Vec<String>,
    message: String,
    /// The offset in bytes from the beginning of the last word.
    after: usize,
}

impl Fault {
    /// An error at the place that these words lead to, for instance the name of a chip and then one of its nets.
    pub fn new<'a>(trail: impl IntoIterator<Item = &'a str>, message: String) -> Fault {
        Fault { trail: trail.into_iter().map(str::to_owned).collect(), message, after: 0 }
    }

    /// Moves the place by this many bytes from the beginning of the last word.
    pub fn after(self, bytes: usize) -> Fault {
        Fault { after: bytes, ..self }
    }

    /// Fails if something wrong was found.
    pub fn of<T>(found: Option<T>, fault: impl FnOnce(T) -> Fault) -> Result<(), Fault> {
        found.map_or(Ok(()), |found| Err(fault(found)))
    }

    /// Fails at the place that these words lead to, unless this holds.
    pub fn unless<'a>(
        holds: bool,
        trail: impl IntoIterator<Item = &'a str>,
        message: impl FnOnce() -> String,
    ) -> Result<(), Fault> {
        Fault::of((!holds).then_some(()), |()| Fault::new(trail, message()))
    }

    /// Finds the place in the source.
    pub fn at(self, source: &str, file: &str) -> BoardError {
        let (mut place, mut next, mut is_found) = (0, 0, true);
        for word in self.trail.iter().filter(|word| !word.is_empty()) {
            match find_word(source, next, word) {
                Some(found) => (place, next) = (found, found + word.len()),
                None => {
                    is_found = false; // a net can be hidden in a range: then the place before is near enough
                    break;
                }
            }
        }
        place += if is_found && source.is_char_boundary(place + self.after) { self.after } else { 0 };
        let before = &source[..place];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        BoardError {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            message: self.message,
        }
    }
}

impl BoardError {
    /// A syntax error in this file.
    pub(super) fn syntax(file: &str, SyntaxError { line, column, message }: SyntaxError) -> BoardError {
        BoardError { file: file.to_owned(), line, column, message }
    }
}

/// The offset of a whole word in the source, at or after `from`, outside of comments.
fn find_word(source: &str, from: usize, word: &str) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut start = from;
    while let Some(offset) = source[start..].find(word) {
        let place = start + offset;
        let line_start = source[..place].rfind('\n').map_or(0, |newline| newline + 1);
        let in_comment = source[line_start..place].contains("//");
        let alone = !source[..place].ends_with(is_part) && !source[place + word.len()..].starts_with(is_part);
        if alone && !in_comment {
            return Some(place);
        }
        start = place + word.len();
    }
    None
}
