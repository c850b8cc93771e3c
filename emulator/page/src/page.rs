//! The one who answers.

use crate::lessons::{self, Verdict};
use crate::protocol::{Answer, Request};

/// A machine on a page, and what there is around it.
#[derive(Default)]
pub struct Page {
    /// What the last request has made beside its answer.
    made: Vec<u8>,
}

impl Page {
    /// A page without a program.
    pub fn new() -> Page {
        Page::default()
    }

    /// Answers a request, which is a JSON object, by another.
    pub fn ask(&mut self, request: &str) -> String {
        let answer = match serde_json::from_str(request) {
            Ok(request) => self.answer(request).unwrap_or_else(|text| Answer::Error { text }),
            Err(error) => Answer::Error { text: format!("not a request: {error}") },
        };
        serde_json::to_string(&answer).unwrap_or_default() // plain data can always be written
    }

    /// What the last request has made: the bytes of a file, the pixels of a picture. They can be taken once.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.made)
    }

    fn answer(&mut self, request: Request) -> Result<Answer, String> {
        match request {
            Request::Format { text } => {
                let text = gray1_assembler::format("program.g1", text.as_bytes());
                text.map(|text| Answer::Text { text }).map_err(|report| report.to_string())
            }
            Request::Lessons => Ok(Answer::Lessons { lessons: lessons::told() }),
            Request::Judge { exercise, attempt } => {
                let Verdict { passed, text } = lessons::judge(&exercise, &attempt)?;
                Ok(Answer::Judged { passed, text })
            }
            _ => Err("this request is not answered yet".to_owned()),
        }
    }
}
