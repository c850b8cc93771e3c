//! Messages of logpoints, which can contain expressions: `n is {n}`.

use crate::error::{DebugError, require};
use crate::expression::{Expression, Parser};
use gray1_machine::ChipsEngine;
use std::fmt::Write;

/// A message with expressions, whose values are inserted when it is printed.
#[derive(Clone, Debug)]
pub struct Template {
    parts: Vec<(String, Option<Expression>)>,
}

impl Template {
    /// Reads a message with expressions in braces.
    pub fn read(text: &str, parser: &Parser) -> Result<Template, DebugError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (text, after) = require(after.split_once('}'), 0, "the message has a `{` without a `}`")?;
            let expression = parser.whole(text);
            let expression =
                expression.map_err(|error| DebugError::input(0, format!("`{{{text}}}`: {error}")))?;
            parts.push((before.to_owned(), Some(expression)));
            rest = after;
        }
        parts.push((rest.to_owned(), None));
        Ok(Template { parts })
    }

    /// The message with the current values of its expressions.
    pub fn fill(&self, machine: &ChipsEngine) -> Result<String, DebugError> {
        let mut text = String::new();
        for (before, expression) in &self.parts {
            text += before;
            if let Some(expression) = expression {
                let _ = write!(text, "{}", expression.value(machine)?);
            }
        }
        Ok(text)
    }
}
