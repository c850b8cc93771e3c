//! A student's answers as a file, which the page exports and the student hands in.
//!
//! ```json
//! {"gray1": "answers", "name": "Ada", "class": "7b", "answers": {"1.1": "0 0 0 | 0 0\n…"}}
//! ```

use crate::Student;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use thiserror::Error;

/// The value of the field `gray1`, which identifies the format.
const KIND: &str = "answers";

/// A student's answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    gray1: String,
    /// The author.
    #[serde(flatten)]
    pub student: Student,
    /// The attempts, by the number of the exercise.
    pub answers: BTreeMap<String, String>,
}

/// The reason why a file is not a file of answers.
#[derive(Debug, Error)]
pub enum AnswersError {
    /// The file is not JSON of the expected shape.
    #[error("not a file of answers saved by the page: {0}")]
    Shape(#[from] serde_json::Error),
    /// The file has another format.
    #[error("not a file of answers saved by the page: `gray1` is {0:?}, expected \"answers\"")]
    Kind(String),
}

impl Answers {
    /// Makes a file of these answers.
    pub fn new(student: Student, answers: BTreeMap<String, String>) -> Answers {
        Answers { gray1: KIND.to_owned(), student, answers }
    }

    /// Whether a text looks like a file of answers. An attempt never begins with a brace.
    pub fn is_likely(text: &str) -> bool {
        text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with('{')
    }

    /// Parses a file.
    pub fn read(text: &str) -> Result<Answers, AnswersError> {
        let answers: Answers = serde_json::from_str(text.trim_start_matches('\u{feff}'))?;
        if answers.gray1 == KIND { Ok(answers) } else { Err(AnswersError::Kind(answers.gray1)) }
    }

    /// Formats the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n" // plain data can always be serialised
    }
}
