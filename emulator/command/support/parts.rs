//! Work that is divided with `--shard`: each part writes lines of JSON, and `--join` reads the files of all parts.

use crate::support::files::{self, shown};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::path::{Path, PathBuf};

/// Work whose parts have a first line that says what they are parts of, and a line for each result.
pub trait Work: Serialize + DeserializeOwned {
    type Result: Serialize + DeserializeOwned;
    /// What the work is called.
    const NAME: &'static str;
    /// The command that writes the parts.
    const WRITER: &'static str;

    /// Rejects values that no part has.
    fn check(&self) -> Result<(), String>;

    /// Properties in which two parts may differ only if they belong to different work: whether they do, and its name.
    fn differences(&self, other: &Self) -> Vec<(bool, &'static str)>;
}

/// The file of one part.
pub struct Part<W: Work> {
    /// Its name.
    pub name: String,
    pub work: W,
    pub results: Vec<W::Result>,
}

/// The text of a part.
pub fn text<W: Work>(
    work: &W,
    results: impl IntoIterator<Item = W::Result>,
) -> Result<String, serde_json::Error> {
    let results = results.into_iter().map(|result| serde_json::to_string(&result));
    let lines = std::iter::once(serde_json::to_string(work)).chain(results);
    lines.map(|line| Ok(line? + "\n")).collect()
}

/// Reads parts of the same work. `check` rejects results that do not belong to it.
pub fn join<W: Work>(
    paths: &[PathBuf],
    mut check: impl FnMut(&W, &W::Result) -> Result<(), &'static str>,
) -> Result<Vec<Part<W>>, Box<dyn Error>> {
    let mut parts: Vec<Part<W>> = Vec::new();
    for path in paths {
        let text = files::read_text(path)?;
        let mut lines = Lines::of(path, W::WRITER, &text);
        let work: W = lines.header()?;
        work.check().map_err(|what| lines.wrong(&what))?;
        let mut part = Part { name: shown(path), work, results: Vec::new() };
        if let Some(first) = parts.first() {
            let differences = part.work.differences(&first.work).into_iter().filter(|(differs, _)| *differs);
            let what = differences.map(|(_, what)| what).collect::<Vec<_>>().join(", ");
            if !what.is_empty() {
                let (name, work, first) = (part.name, W::NAME, &first.name);
                return Err(format!(
                    "{name}: this belongs to another {work} than {first}: they differ in {what}"
                )
                .into());
            }
        }
        while let Some(result) = lines.next()? {
            check(&part.work, &result).map_err(|what| lines.wrong(what))?;
            part.results.push(result);
        }
        parts.push(part);
    }
    Ok(parts)
}

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

    /// The first line, which says what the file is a part of.
    fn header<T: DeserializeOwned>(&mut self) -> Result<T, String> {
        let text = self.text().unwrap_or_default();
        self.parse(text)
    }

    /// The next line; `None` at the end.
    pub fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, String> {
        self.text().map(|text| self.parse(text)).transpose()
    }

    /// What is wrong with the line that was parsed last, with its place.
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
