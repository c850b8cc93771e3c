//! Parts of work that was divided with `--shard`, for `--join`: the lines of JSON of a file, and what is wrong with them.

use serde::de::DeserializeOwned;
use std::error::Error;

/// The lines of a part, which are parsed one after the other.
pub struct Lines<'a> {
    /// The name of the file.
    name: &'a str,
    /// The command that writes such files.
    writer: &'static str,
    rest: std::iter::Enumerate<std::str::Lines<'a>>,
    /// The number of the line that was parsed last.
    number: usize,
}

impl<'a> Lines<'a> {
    pub fn of(name: &'a str, writer: &'static str, text: &'a str) -> Lines<'a> {
        Lines { name, writer, rest: text.lines().enumerate(), number: 1 }
    }

    /// The first line, which says what the file is a part of.
    pub fn header<T: DeserializeOwned>(&mut self) -> Result<T, String> {
        let text = self.text().unwrap_or_default();
        self.parse(text)
    }

    /// The next line; `None` at the end.
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, String> {
        self.text().map(|text| self.parse(text)).transpose()
    }

    /// What is wrong with the line that was parsed last, with its place.
    pub fn wrong(&self, what: &str) -> String {
        format!("{}: line {}: {what}", self.name, self.number)
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

/// Refuses a part of other work than the first part. Each difference has a name, and whether it is there.
pub fn check_same<const N: usize>(
    name: &str,
    first: &str,
    work: &str,
    differences: [(bool, &str); N],
) -> Result<(), Box<dyn Error>> {
    let all: Vec<&str> =
        differences.into_iter().filter(|(differs, _)| *differs).map(|(_, what)| what).collect();
    if all.is_empty() {
        return Ok(());
    }
    let what = all.join(", ");
    Err(format!("{name}: this belongs to another {work} than {first}: they differ in {what}").into())
}
