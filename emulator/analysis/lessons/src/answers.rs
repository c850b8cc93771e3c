//! The answers of a student, as a file: what the page exports, and what is handed in.
//!
//! ```json
//! {"gray1": "answers", "name": "Ada", "class": "7b", "answers": {"1.1": "0 0 0 | 0 0\n…"}}
//! ```

use crate::Student;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// What the file calls itself.
const KIND: &str = "answers";

/// The answers of a student.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    gray1: String,
    /// Who has written them.
    #[serde(flatten)]
    pub student: Student,
    /// The texts, by the numbers of their exercises.
    pub answers: BTreeMap<String, String>,
}

/// Why a file is not one of answers.
#[derive(Debug, Error)]
pub enum AnswersError {
    /// It is not JSON of this shape.
    #[error("not answers that the page has saved: {0}")]
    Shape(#[from] serde_json::Error),
    /// It is a file of another kind.
    #[error("not answers that the page has saved: `gray1` is {0:?}, expected \"answers\"")]
    Kind(String),
}

impl Answers {
    /// These answers of this student.
    pub fn new(student: Student, answers: BTreeMap<String, String>) -> Answers {
        Answers { gray1: KIND.to_owned(), student, answers }
    }

    /// Whether a text looks like a file of answers: an attempt never begins like this.
    pub fn is_likely(text: &str) -> bool {
        text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('{')
    }

    /// Reads a file.
    pub fn read(text: &str) -> Result<Answers, AnswersError> {
        let answers: Answers = serde_json::from_str(text.trim_start_matches('\u{feff}'))?;
        if answers.gray1 == KIND { Ok(answers) } else { Err(AnswersError::Kind(answers.gray1)) }
    }

    /// The text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n" // plain data can always be serialised
    }
}
