//! The smallest pieces of a line: spaces, names and signs.
//!
//! There is no list of tokens: whether `%101` is a number or a remainder depends on what stands before it, and
//! the parser knows that.

use super::literal::{LiteralError, LiteralErrorKind, literal, quoted};
use crate::source::Span;

/// No statement has more labels, operands, parameters, or parts of a name than this.
const MOST_IN_A_LINE: usize = 256;

/// Reads one line from left to right.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    file: u32,
    pub at: usize,
    /// Where the line ends.
    pub line_end: usize,
}

/// What is wrong with a line, and where.
#[derive(Debug)]
pub(super) struct Mistake {
    pub span: Span,
    pub message: String,
    pub label: String,
    pub help: Option<String>,
}

pub(super) type Scanned<T> = Result<T, Box<Mistake>>;

impl Mistake {
    pub fn with_help(mut self: Box<Self>, help: impl Into<String>) -> Box<Self> {
        self.help = Some(help.into());
        self
    }
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, file: u32) -> Scanner<'a> {
        let mut scanner = Scanner { text, file, at: 0, line_end: 0 };
        scanner.find_line_end();
        scanner
    }

    /// Goes to the next line; false at the end of the file.
    pub fn next_line(&mut self) -> bool {
        if self.line_end >= self.text.len() {
            return false;
        }
        self.at = self.line_end + 1;
        self.find_line_end();
        true
    }

    /// Where a word stands last in the whole file, in whatever mixture of cases.
    pub fn last_place_of(&self, word: &str) -> Option<usize> {
        let mut places = self.text.as_bytes().windows(word.len());
        places.rposition(|place| place.eq_ignore_ascii_case(word.as_bytes()))
    }

    fn find_line_end(&mut self) {
        let rest = &self.text.as_bytes()[self.at..];
        self.line_end = self.at + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    pub fn mistake(&self, span: Span, message: impl Into<String>, label: impl Into<String>) -> Box<Mistake> {
        Box::new(Mistake { span, message: message.into(), label: label.into(), help: None })
    }

    pub fn text(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..self.line_end]
    }

    /// The byte here, 0 at the end of the line.
    pub fn peek(&self) -> u8 {
        self.peek_at(0)
    }

    pub fn peek_at(&self, ahead: usize) -> u8 {
        let at = self.at + ahead;
        if at < self.line_end { self.text.as_bytes()[at] } else { 0 }
    }

    pub fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r') && self.at < self.line_end {
            self.at += 1;
        }
    }

    /// Whether nothing but a comment is left on the line.
    pub fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.at >= self.line_end || self.peek() == b';'
    }

    /// Takes this text if it is next, after spaces.
    pub fn take(&mut self, symbol: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    /// Refuses the next of something that a line has too many of.
    pub fn check_count(&self, count: usize, what: &str) -> Scanned<()> {
        if count < MOST_IN_A_LINE {
            return Ok(());
        }
        let message = format!("more than {MOST_IN_A_LINE} {what}");
        Err(self.mistake(self.span(self.at, self.at), message, "expected the end of the line before this"))
    }

    /// What stands here, for a message: a word, a character or the end of the line.
    pub fn show_next(&mut self) -> (Span, String) {
        if self.is_at_end() {
            return (self.span(self.at, self.at), "the end of the line".to_owned());
        }
        let start = self.at;
        let rest = self.rest();
        let word = rest.find(|c: char| !is_name_byte(c as u32)).unwrap_or(rest.len());
        let length = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        let shown = match &rest[..length] {
            "\0" => "a NUL byte".to_owned(),
            text if text.chars().any(char::is_control) => format!("the character {}", text.escape_debug()),
            text => format!("`{}`", crate::names::shorten(text)),
        };
        (self.span(start, start + length), shown)
    }

    /// Says that something else was expected here.
    pub fn unexpected(&mut self, expected: &str) -> Box<Mistake> {
        let (span, found) = self.show_next();
        let mistake = format!("expected {expected}, found {found}");
        let mistake = self.mistake(span, mistake, format!("expected {expected}"));
        let rest = self.text(self.at.saturating_sub(usize::from(self.divides_just_before())), self.line_end);
        let is_comment = ["//", "/*", "--"].iter().any(|sign| rest.starts_with(sign))
            || rest.starts_with("# ") && !expected.starts_with("a value");
        match rest.as_bytes().first() {
            _ if is_comment => mistake.with_help("a comment begins with `;`"),
            Some(b'"') if expected.starts_with("a value") => {
                mistake.with_help("a character is written `'A'`, in single quotes")
            }
            _ => mistake,
        }
    }

    /// Whether a `/` has just been taken for a division.
    fn divides_just_before(&self) -> bool {
        self.at > 0 && self.text.as_bytes()[self.at - 1] == b'/'
    }

    /// Takes letters, digits and `_`, if a letter or `_` is here.
    pub fn name(&mut self) -> Option<(usize, &'a str)> {
        if !(self.peek().is_ascii_alphabetic() || self.peek() == b'_') {
            return None;
        }
        Some(self.name_bytes())
    }

    /// Takes letters, digits and `_`, maybe none.
    pub fn name_bytes(&mut self) -> (usize, &'a str) {
        let start = self.at;
        while is_name_byte(u32::from(self.peek())) {
            self.at += 1;
        }
        (start, self.text(start, self.at))
    }

    /// Takes a number or a character, if one begins here.
    pub fn literal(&mut self) -> Scanned<Option<i64>> {
        self.take_literal(literal(self.rest()))
    }

    /// Takes a text in quotes, if one begins here.
    pub fn quoted(&mut self) -> Scanned<Option<String>> {
        self.take_literal(quoted(self.rest()))
    }

    fn take_literal<T>(&mut self, read: Result<Option<(T, usize)>, LiteralError>) -> Scanned<Option<T>> {
        let LiteralError { kind, range } = match read {
            Ok(None) => return Ok(None),
            Ok(Some((value, length))) => {
                self.at += length;
                return Ok(Some(value));
            }
            Err(error) => error,
        };
        if let LiteralErrorKind::NoDigits { .. } | LiteralErrorKind::NoCharacter = kind {
            self.at += range.start;
            return Err(self.unexpected(&kind.expected()));
        }
        let span = self.span(self.at + range.start, self.at + range.end);
        let mistake = self.mistake(span, kind.to_string(), format!("expected {}", kind.expected()));
        let (_, digits) = self.name_bytes();
        let digits = digits.strip_suffix(['h', 'H']).unwrap_or(digits);
        let is_hexadecimal = digits.chars().all(|digit| digit.is_ascii_hexdigit());
        Err(match kind {
            LiteralErrorKind::WrongDigit { radix: 10, .. } if is_hexadecimal => {
                mistake.with_help(format!("in hexadecimal it is `${digits}`"))
            }
            _ => mistake,
        })
    }
}

fn is_name_byte(byte: u32) -> bool {
    u8::try_from(byte).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
