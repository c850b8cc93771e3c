//! Parses the lines of an exercise and tracks their positions.
//!
//! A line is a fixed sentence with names, numbers and strings in it: `at most 8 words`, `when x = 9, y = 3: sends 6`.
//! Each kind of exercise has its own set of lines. Any other line is an error.

use gray1_text::Formula;
use std::cell::Cell;
use std::str::FromStr;
use thiserror::Error;

/// An error in the source of a lesson.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{file}:{line}: {message}")]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The error, and what was expected.
    pub message: String,
}

/// The block of an exercise: ```` ```exercise 5.1 program ```` and the lines in it.
pub struct Statement<'a> {
    /// The number of the exercise.
    pub id: &'a str,
    /// The kind of exercise.
    pub kind: &'a str,
    file: &'a str,
    /// The line of the opening fence.
    fence: usize,
    /// The text between the fences.
    pub text: &'a str,
    /// The line that is being parsed.
    current_line: Cell<usize>,
}

impl<'a> Statement<'a> {
    /// Makes a statement of a block; `info` is its info string without the word `exercise`.
    pub fn new(file: &'a str, fence: usize, info: &'a str, text: &'a str) -> Statement<'a> {
        let (id, kind) = info.split_once(' ').unwrap_or((info, ""));
        Statement { id, kind: kind.trim(), file, fence, text, current_line: Cell::new(fence) }
    }

    /// Iterates over the non-empty lines. An error refers to the line that was returned last.
    pub fn lines(&self) -> impl Iterator<Item = &'a str> {
        let lines = (self.fence + 1..).zip(self.text.lines());
        lines.map(|(number, line)| (number, line.trim())).filter(|(_, line)| !line.is_empty()).map(
            |(number, line)| {
                self.current_line.set(number);
                line
            },
        )
    }

    /// Makes an error about the current line.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault { file: self.file.to_owned(), line: self.current_line.get(), message: message.into() }
    }

    /// Makes an error about an unknown line or part of one.
    pub fn unknown(&self, line: &str, expected: &str) -> Fault {
        self.fault(format!("`{line}` is not understood here: {expected}"))
    }

    /// Parses a number, such as the 8 in `at most 8 words`.
    pub fn number<T: FromStr>(&self, text: &str) -> Result<T, Fault> {
        text.trim().parse().map_err(|_| self.fault(format!("`{text}` is not a valid number here")))
    }

    /// Parses numbers that are separated by spaces.
    pub fn numbers<T: FromStr>(&self, text: &str) -> Result<Vec<T>, Fault> {
        text.split_whitespace().map(|word| self.number(word)).collect()
    }

    /// Parses a formula over these names.
    pub fn formula(&self, text: &str, names: &[&str]) -> Result<Formula, Fault> {
        Formula::parse(text, names).map_err(|error| self.fault(format!("`{text}`: {error}")))
    }

    /// Splits `name = value`.
    pub fn assignment(&self, text: &'a str) -> Result<(String, &'a str), Fault> {
        match text.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim())),
            None => Err(self.fault(format!("`{text}`: expected `name = value`"))),
        }
    }
}

/// Returns the text between a prefix and a suffix, if the line has both.
pub fn between<'a>(line: &'a str, start: &str, end: &str) -> Option<&'a str> {
    line.strip_prefix(start)?.strip_suffix(end)
}

/// Splits a case into its condition, which is empty for `always`, and its expectation.
pub fn split_case(line: &str) -> Option<(&str, &str)> {
    let (given, expected) = line.split_once(':')?;
    let given = if given == "always" { "" } else { given.strip_prefix("when ")? };
    Some((given, expected.trim()))
}

/// Splits a list at commas, except at commas inside quotes.
pub fn split_list(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}
