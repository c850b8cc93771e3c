//! Reading a line of text: words, numbers, names and strings, each with its offset for error messages.

use crate::error::{DebugError, require};
use gray1_assembler::{LiteralError, literal, quoted};

/// A line of text, and how far it has been read. Space before each item is skipped.
#[derive(Clone)]
pub struct Scanner<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of a line.
    pub fn new(text: &'a str) -> Scanner<'a> {
        Scanner { text, offset: 0 }
    }

    /// Reads a text that has one thing in it and nothing else.
    pub fn whole<T>(
        text: &'a str,
        read: impl FnOnce(&mut Scanner<'a>) -> Result<T, DebugError>,
    ) -> Result<T, DebugError> {
        let mut scanner = Scanner::new(text);
        let read = read(&mut scanner)?;
        scanner.end().map(|()| read)
    }

    /// The offset of the next item.
    pub fn offset(&mut self) -> usize {
        self.offset = self.text.len() - self.rest().trim_start().len();
        self.offset
    }

    /// The text that has not been read yet.
    pub fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// The text that has been read since an offset.
    pub fn since(&self, start: usize) -> &'a str {
        self.text[start..self.offset].trim()
    }

    /// Whether nothing but space is left.
    pub fn is_at_end(&mut self) -> bool {
        self.offset() == self.text.len()
    }

    /// Takes this text if it comes next.
    pub fn take(&mut self, text: &str) -> bool {
        let before = self.offset;
        self.offset();
        let is_next = self.rest().starts_with(text);
        self.offset = if is_next { self.offset + text.len() } else { before };
        is_next
    }

    /// Takes a word if it comes next.
    pub fn take_word(&mut self, word: &str) -> bool {
        let before = self.offset;
        let is_next = self.word() == Some(word)
            && !self.rest().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if !is_next {
            self.offset = before;
        }
        is_next
    }

    /// The next word, which consists of letters only.
    pub fn word(&mut self) -> Option<&'a str> {
        self.offset();
        let rest = self.rest();
        self.advance(rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len()))
    }

    /// The next name, with the dots of local labels and of `net.`.
    pub fn name(&mut self) -> Option<&'a str> {
        self.offset();
        let rest = self.rest();
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        if !rest.starts_with(is_part) || rest.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.advance(rest[..end].find("..").unwrap_or(end))
    }

    /// The next number or character in the syntax of the assembler, without a sign.
    pub fn number(&mut self) -> Result<Option<i64>, DebugError> {
        self.offset();
        self.literal(literal(self.rest()))
    }

    /// The next number, if it is not negative.
    pub(crate) fn count(&mut self) -> Result<Option<u64>, DebugError> {
        Ok(self.number()?.and_then(|number| u64::try_from(number).ok()))
    }

    /// A string in quotation marks.
    pub fn string(&mut self) -> Result<String, DebugError> {
        let offset = self.offset();
        require(self.literal(quoted(self.rest()))?, offset, "expected a string in quotation marks")
    }

    fn literal<T>(
        &mut self,
        read: Result<Option<(T, usize)>, LiteralError>,
    ) -> Result<Option<T>, DebugError> {
        match read {
            Ok(Some((value, length))) => {
                self.offset += length;
                Ok(Some(value))
            }
            Ok(None) => Ok(None),
            Err(error) => Err(DebugError::input(self.offset + error.range.start, error.to_string())),
        }
    }

    /// Takes the text up to the next occurrence of `text`, and `text` itself; returns a scanner for the former.
    pub fn before(&mut self, text: &str) -> Option<Scanner<'a>> {
        let end = self.offset + self.rest().find(text)?;
        let before = Scanner { text: &self.text[..end], offset: self.offset };
        self.offset = end + text.len();
        Some(before)
    }

    /// Takes the rest of the line.
    pub(crate) fn take_rest(&mut self) -> &'a str {
        self.offset();
        let rest = self.rest();
        self.offset = self.text.len();
        rest.trim_end()
    }

    /// Takes this text, or fails with the message that it was expected.
    pub fn expect(&mut self, text: &str) -> Result<(), DebugError> {
        if self.take(text) {
            return Ok(());
        }
        Err(DebugError::input(self.offset(), format!("expected `{text}`")))
    }

    /// Fails if anything but space is left.
    pub fn end(&mut self) -> Result<(), DebugError> {
        if self.is_at_end() {
            return Ok(());
        }
        Err(DebugError::input(self.offset, format!("unexpected `{}`", self.rest().trim_end())))
    }

    /// Takes this many bytes.
    pub(crate) fn advance(&mut self, length: usize) -> Option<&'a str> {
        let taken = &self.rest()[..length];
        self.offset += length;
        Some(taken).filter(|taken| !taken.is_empty())
    }
}
