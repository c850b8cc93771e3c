//! Messages with expressions in them: `n is {n}`.

use crate::error::DebugError;
use crate::expression::{Expression, Reader};
use crate::scan::Scan;
use gray1_machine::ChipsEngine;
use std::fmt::Write;

/// A message that is completed when it is given.
#[derive(Clone, Debug)]
pub struct Template {
    parts: Vec<(String, Option<Expression>)>,
}

impl Template {
    /// Reads a message; what stands between braces is an expression.
    pub fn read(text: &str, reader: &Reader) -> Result<Template, DebugError> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((expression, behind)) = behind.split_once('}') else {
                return Err(DebugError::input(0, "a `{` without `}` in the message"));
            };
            let mut scan = Scan::new(expression);
            let result = reader.expression(&mut scan).and_then(|read| scan.end().map(|()| read));
            let read =
                result.map_err(|fault| DebugError::input(0, format!("`{{{expression}}}`: {fault}")))?;
            parts.push((before.to_owned(), Some(read)));
            rest = behind;
        }
        parts.push((rest.to_owned(), None));
        Ok(Template { parts })
    }

    /// The message as it is now.
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
