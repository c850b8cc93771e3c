//! The letters of a command: words, numbers, names, texts, each with its place for messages.

use crate::error::DebugError;
use gray1_assembler::{LiteralError, literal, quoted};

/// A line of text, and how far it has been read.
#[derive(Clone)]
pub struct Scan<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scan<'a> {
    /// The beginning of a line.
    pub fn new(text: &'a str) -> Scan<'a> {
        Scan { text, at: 0 }
    }

    /// How many bytes have been read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The whole line.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips space.
    pub fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Whether nothing but space is left.
    pub fn is_at_end(&mut self) -> bool {
        self.space();
        self.rest().is_empty()
    }

    /// Takes these letters if they come next, space before them or not.
    pub fn take(&mut self, letters: &str) -> bool {
        let before = self.at;
        self.space();
        if self.rest().starts_with(letters) {
            self.at += letters.len();
            return true;
        }
        self.at = before;
        false
    }

    /// Takes a word if it comes next.
    pub fn take_word(&mut self, word: &str) -> bool {
        let before = self.at;
        let is_whole = |rest: &str| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if self.word() == Some(word) && is_whole(self.rest()) {
            return true;
        }
        self.at = before;
        false
    }

    /// The next word: letters only.
    pub fn word(&mut self) -> Option<&'a str> {
        self.space();
        self.while_true(|c| c.is_ascii_alphabetic())
    }

    /// The next name, with the dots of local labels and of `net.`.
    pub fn name(&mut self) -> Option<&'a str> {
        self.space();
        if !self.rest().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '.') {
            return None;
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
        let end = rest[..end.unwrap_or(rest.len())].find("..").or(end).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }

    /// The next number or character as the assembler writes them, without a sign.
    pub fn number(&mut self) -> Result<Option<i64>, DebugError> {
        self.space();
        self.literal(literal(self.rest()))
    }

    /// The next number if it fits a count.
    pub(crate) fn count(&mut self) -> Result<Option<u64>, DebugError> {
        Ok(self.number()?.and_then(|number| u64::try_from(number).ok()))
    }

    /// A text in quotation marks.
    pub fn string(&mut self) -> Result<String, DebugError> {
        self.space();
        let at = self.at;
        let text = self.literal(quoted(self.rest()))?;
        text.ok_or_else(|| DebugError::input(at, "expected a text in quotation marks"))
    }

    fn literal<T>(
        &mut self,
        read: Result<Option<(T, usize)>, LiteralError>,
    ) -> Result<Option<T>, DebugError> {
        match read {
            Ok(Some((value, length))) => {
                self.at += length;
                Ok(Some(value))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(DebugError::input(self.at + error.range.start, error.to_string())),
        }
    }

    /// Takes everything up to the next of these letters, and the letters too.
    pub fn before(&mut self, letters: &str) -> Option<Scan<'a>> {
        let end = self.at + self.rest().find(letters)?;
        let before = Scan { text: &self.text[..end], at: self.at };
        self.at = end + letters.len();
        Some(before)
    }

    /// Takes these letters, or says that they were expected.
    pub fn expect(&mut self, letters: &str) -> Result<(), DebugError> {
        if self.take(letters) {
            return Ok(());
        }
        self.space();
        Err(DebugError::input(self.at, format!("expected `{letters}`")))
    }

    /// Makes sure that nothing is left.
    pub fn end(&mut self) -> Result<(), DebugError> {
        if self.is_at_end() {
            return Ok(());
        }
        Err(DebugError::input(self.at, format!("`{}` is too much here", self.rest().trim_end())))
    }

    fn while_true(&mut self, accepts: impl Fn(char) -> bool) -> Option<&'a str> {
        let rest = self.rest();
        let end = rest.find(|c| !accepts(c)).unwrap_or(rest.len());
        self.at += end;
        (end > 0).then(|| &rest[..end])
    }
}
