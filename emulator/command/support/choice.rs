//! Options with a fixed set of values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// The two formats of results.
#[derive(Clone, Copy, PartialEq)]
pub enum Format {
    Text,
    Json,
}

/// A parser of `--format`; `json` describes the format for programs.
pub fn format(json: &'static str) -> impl TypedValueParser<Value = Format> {
    choice([("text", "For people", Format::Text), ("json", json, Format::Json)])
}

/// A parser of the names of some values, each with its description.
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
