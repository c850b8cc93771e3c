//! The lines of an exercise, as a lesson writes them, and where they are.
//!
//! A line is a sentence of fixed words with names, numbers and texts in it: `at most 8 words`, `when x = 9, y = 3:
//! sends 6`. Each kind of exercise takes the lines that it knows; a line that is left over is a fault.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;

/// What is wrong with a lesson, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl std::error::Error for Fault {}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fault { file, line, message } = self;
        write!(f, "{file}:{line}: {message}")
    }
}

/// The block of an exercise: ```` ```exercise 5.1 program ```` and the lines in it.
pub struct Statement<'a> {
    /// Its number.
    pub id: &'a str,
    /// What kind of exercise it is.
    pub kind: &'a str,
    file: &'a str,
    /// The line of the opening fence.
    fence: usize,
    /// All its lines.
    pub text: &'a str,
    /// The line that is being read.
    at: Cell<usize>,
}

impl<'a> Statement<'a> {
    /// A block with the number and the kind given after its fence.
    pub fn new(file: &'a str, fence: usize, info: &'a str, text: &'a str) -> Statement<'a> {
        let (id, kind) = info.split_once(' ').unwrap_or((info, ""));
        Statement { id, kind: kind.trim(), file, fence, text, at: Cell::new(fence) }
    }

    /// The lines, without empty ones. An error while one of them is read gets its place.
    pub fn lines(&self) -> impl Iterator<Item = &'a str> {
        let lines = (self.fence + 1..).zip(self.text.lines());
        lines.map(|(number, line)| (number, line.trim())).filter(|(_, line)| !line.is_empty()).map(
            |(number, line)| {
                self.at.set(number);
                line
            },
        )
    }

    /// Something wrong with the line that is being read.
    pub fn fault(&self, message: impl Into<String>) -> Fault {
        Fault { file: self.file.to_owned(), line: self.at.get(), message: message.into() }
    }

    /// A line that no kind of exercise knows.
    pub fn unknown(&self, line: &str, expected: &str) -> Fault {
        self.fault(format!("`{line}` is not understood here: {expected}"))
    }

    /// The text between two pieces of a line: the number 8 in `at most 8 words`.
    pub fn number<T: FromStr>(&self, text: &str) -> Result<T, Fault> {
        text.trim().parse().map_err(|_| self.fault(format!("`{text}` is not a number that fits here")))
    }

    /// Words with spaces between them, as numbers.
    pub fn numbers<T: FromStr>(&self, text: &str) -> Result<Vec<T>, Fault> {
        text.split_whitespace().map(|word| self.number(word)).collect()
    }

    /// `name = value`.
    pub fn assignment(&self, text: &'a str) -> Result<(String, &'a str), Fault> {
        match text.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim())),
            None => Err(self.fault(format!("`{text}`: expected `name = value`"))),
        }
    }
}

/// The text between the beginning and the end of a sentence, if the line is that sentence.
pub fn between<'a>(line: &'a str, start: &str, end: &str) -> Option<&'a str> {
    line.strip_prefix(start)?.strip_suffix(end)
}

/// The two halves of a case: what is given, nothing for `always`, and what is expected.
pub fn case(line: &str) -> Option<(&str, &str)> {
    let (given, expected) = line.split_once(':')?;
    let given = if given == "always" { "" } else { given.strip_prefix("when ")? };
    Some((given, expected.trim()))
}

/// The parts of a list, which commas separate; those within quotes do not.
pub fn list(text: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == ',' && !quoted
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}
