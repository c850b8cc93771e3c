//! Reading and writing RON.

use ron::Options;
use ron::extensions::Extensions;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// An error in a text that is read as RON.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{line}:{column}: {message}")]
#[allow(missing_docs)]
pub struct SyntaxError {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// Reads a value with at most this many levels of nesting.
pub(crate) fn read<T: DeserializeOwned>(
    text: &str,
    levels: usize,
    extensions: Extensions,
) -> Result<T, SyntaxError> {
    let options = Options::default().with_default_extension(extensions).with_recursion_limit(levels);
    options.from_str(text).map_err(|error| SyntaxError {
        line: error.span.start.line,
        column: error.span.start.col,
        message: error.code.to_string(),
    })
}

/// Writes plain data, with a line for each field and without `Some`.
pub(crate) fn write(value: &impl Serialize) -> String {
    let options = Options::default().with_default_extension(Extensions::IMPLICIT_SOME);
    // Serializing plain data cannot fail.
    options.to_string_pretty(value, ron::ser::PrettyConfig::new().new_line("\n")).unwrap_or_default()
}
