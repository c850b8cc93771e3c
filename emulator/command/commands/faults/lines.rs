//! Lines of JSON that `gray1 faults --format json` has written, to be joined.

use crate::support::files::shown;
use serde::de::DeserializeOwned;
use std::path::Path;

/// The lines of a part, which are parsed one after the other.
pub struct Lines<'a> {
    /// The name of the file.
    name: String,
    /// The command that writes such files.
    writer: &'static str,
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the line that was parsed last.
    number: usize,
}

impl<'a> Lines<'a> {
    pub fn of(path: &Path, writer: &'static str, text: &'a str) -> Lines<'a> {
        Lines { name: shown(path), writer, rest: text.lines().enumerate(), number: 1 }
    }

    /// The next line; `None` at the end.
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, String> {
        self.text().map(|text| self.parse(text)).transpose()
    }

    /// An error in the line that was parsed last, with its place.
    pub fn wrong(&self, what: &str) -> String {
        format!("{}: {what}", self.place())
    }

    /// The place of the line that was parsed last.
    pub fn place(&self) -> String {
        format!("{}: line {}", self.name, self.number)
    }

    /// The next line that is not blank.
    fn text(&mut self) -> Option<&'a str> {
        let (index, text) = self.rest.find(|(_, text)| !text.trim().is_empty())?;
        self.number = index + 1;
        Some(text)
    }

    fn parse<T: DeserializeOwned>(&self, text: &str) -> Result<T, String> {
        serde_json::from_str(text)
            .map_err(|error| self.wrong(&format!("not what `{}` writes: {error}", self.writer)))
    }
}
