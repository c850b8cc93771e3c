//! Parsers of options: fixed sets of values, and paths with a fixed extension.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use std::path::PathBuf;

/// An output format.
#[derive(Clone, Copy, PartialEq)]
pub enum Format {
    Text,
    Json,
}

/// Makes a parser for `--format`; `json` describes the JSON format.
pub fn format(json: &'static str) -> impl TypedValueParser<Value = Format> {
    choice([("text", "Human-readable text", Format::Text), ("json", json, Format::Json)])
}

/// Makes a parser for a fixed set of values, each with its name and description.
pub fn choice<T: Clone + Send + Sync + 'static>(
    values: impl Into<Vec<(&'static str, &'static str, T)>>,
) -> impl TypedValueParser<Value = T> {
    let values = values.into();
    let names = values.iter().map(|(name, about, _)| PossibleValue::new(*name).help(*about));
    PossibleValuesParser::new(names.collect::<Vec<_>>()).try_map(move |given| {
        let value = values.iter().find(|(name, ..)| *name == given).map(|(.., value)| value.clone());
        value.ok_or("there is no such value")
    })
}

/// Makes a parser for a path with this extension. `message` is the error.
pub fn path_with(extension: &'static str, message: &'static str) -> impl TypedValueParser<Value = PathBuf> {
    move |name: &str| {
        let path = PathBuf::from(name);
        let is_special = std::fs::metadata(&path).is_ok_and(|metadata| !metadata.is_file());
        let is_named = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(extension));
        if is_named || is_special { Ok(path) } else { Err(message) }
    }
}
