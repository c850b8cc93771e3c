//! The scanner: spaces, names and signs of a line.
//!
//! There is no list of tokens: whether `%101` is a number or a remainder depends on its context, which only the parser
//! knows.

use super::literal::{LiteralError, LiteralErrorKind, literal, quoted};
use crate::codes::ErrorCode;
use crate::diagnostic::Diagnostic;
use crate::names::shorten;
use crate::source::Span;

/// The maximum number of labels, operands, parameters, or parts of a name on a line.
const MAX_ITEMS: usize = 256;

/// Reads one line from left to right.
#[derive(Clone, Debug)]
pub(super) struct Scanner<'a> {
    text: &'a str,
    file: u32,
    pub at: usize,
    /// Before the line break.
    line_end: usize,
    next_line: usize,
}

/// The result of parsing, or an error.
pub(super) type ParseResult<T> = Result<T, Box<Diagnostic>>;

/// Makes an error.
pub(super) fn refuse<T>(
    code: ErrorCode,
    span: Span,
    message: impl Into<String>,
    label: impl Into<String>,
) -> ParseResult<T> {
    Err(Diagnostic::error(code, span, message, label).into())
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, file: u32) -> Scanner<'a> {
        let mut scanner = Scanner { text, file, at: 0, line_end: 0, next_line: 0 };
        scanner.find_line_end();
        scanner
    }

    /// Goes to the next line; false at the end of the file.
    pub fn next_line(&mut self) -> bool {
        if self.next_line > self.text.len() {
            return false;
        }
        self.at = self.next_line;
        self.find_line_end();
        true
    }

    fn find_line_end(&mut self) {
        let rest = &self.text[self.at..];
        let line = rest.find('\n').map_or(rest, |length| &rest[..length]);
        self.next_line = self.at + line.len() + 1;
        self.line_end = self.at + line.strip_suffix('\r').unwrap_or(line).len();
    }

    /// The whole file.
    pub fn whole(&self) -> &'a str {
        self.text
    }

    /// The last position of a word in the whole file, ignoring case.
    pub fn last_offset_of(&self, word: &str) -> Option<usize> {
        let mut windows = self.text.as_bytes().windows(word.len());
        windows.rposition(|window| window.eq_ignore_ascii_case(word.as_bytes()))
    }

    pub fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    /// The span from `start` to the end of what has been read.
    pub fn span_from(&self, start: usize) -> Span {
        self.span(start, self.at)
    }

    pub fn text(&self, start: usize, end: usize) -> &'a str {
        &self.text[start..end]
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..self.line_end]
    }

    /// The byte here, 0 at the end of the line.
    pub fn peek(&self) -> u8 {
        self.text.as_bytes()[..self.line_end].get(self.at).copied().unwrap_or(0)
    }

    pub fn skip_space(&mut self) {
        while matches!(self.peek(), b' ' | b'\t' | b'\r') {
            self.at += 1;
        }
    }

    /// Whether only a comment is left on the line.
    pub fn is_at_end(&mut self) -> bool {
        self.skip_space();
        self.at >= self.line_end || self.peek() == b';'
    }

    /// Takes a sign if it is next, after spaces.
    pub fn take(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    /// Takes a sign, which must be next, after spaces.
    pub fn expect(&mut self, sign: &str, expected: &str) -> ParseResult<()> {
        if self.take(sign) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Checks the number of items on a line.
    pub fn check_count(&self, count: usize, what: &str) -> ParseResult<()> {
        if count < MAX_ITEMS {
            return Ok(());
        }
        let message = format!("more than {MAX_ITEMS} {what}");
        let label = "expected the end of the line before this";
        refuse(ErrorCode::TooComplex, self.span_from(self.at), message, label)
    }

    /// Makes an error: other syntax was expected here.
    pub fn unexpected(&mut self, expected: &str) -> Box<Diagnostic> {
        let (length, found) = self.next_word();
        let span = self.span(self.at, self.at + length);
        let message = format!("expected {expected}, found {found}");
        let error = Diagnostic::error(ErrorCode::SyntaxError, span, message, format!("expected {expected}"));
        // The previous division sign may begin a comment of another language.
        let divides = self.text[..self.at].ends_with('/');
        let rest = self.text(self.at - usize::from(divides), self.line_end);
        let wants_value = expected.starts_with("a value");
        let is_comment = ["//", "/*", "--"].iter().any(|sign| rest.starts_with(sign))
            || rest.starts_with("# ") && !wants_value;
        let is_anonymous =
            expected.starts_with("a label") || rest.starts_with(":-") || rest.starts_with(":+");
        let ascii = rest.chars().next().and_then(ascii_for);
        let ends = ["the end", "an operator", "a comparison"].iter().any(|other| expected.contains(other));
        let ascii = ascii.map(|ascii| format!("write the plain `{ascii}` of ASCII"));
        let help = match rest.bytes().next() {
            _ if is_comment => Some("a comment begins with `;`"),
            Some(b'"') if wants_value => Some("a character is written `'A'`, in single quotes"),
            Some(b'[') if wants_value => {
                Some("there is no indirect addressing on this machine: see `read_at` of lib/array.g1")
            }
            Some(b'<' | b'>') if wants_value => {
                Some("`byte(w, 0)` is the low byte of w, `byte(w, 1)` the next")
            }
            Some(b':') if is_anonymous => {
                Some("there are no labels without a name: a local label is `.again:`")
            }
            Some(b'=') if ends => Some("`==` compares"),
            _ => ascii.as_deref(),
        };
        error.help_if(help).into()
    }

    /// The length of the next word or character, and its form in messages.
    fn next_word(&mut self) -> (usize, String) {
        if self.is_at_end() {
            return (0, "the end of the line".to_owned());
        }
        let rest = self.rest();
        let word = word_length(rest);
        let length = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        let shown = match &rest[..length] {
            "\0" => "a NUL byte".to_owned(),
            text if text.chars().any(char::is_control) => format!("the character {}", text.escape_debug()),
            text => format!("`{}`", shorten(text)),
        };
        (length, shown)
    }

    /// Whether a name begins here, spelled out or pasted, but not a local label.
    pub fn name_begins(&self) -> bool {
        self.peek() == b'{' || self.letter_begins()
    }

    fn letter_begins(&self) -> bool {
        matches!(self.peek(), b'_' | b'a'..=b'z' | b'A'..=b'Z')
            || self.peek() >= 0x80 && word_length(self.rest()) > 0
    }

    /// Takes letters, digits and `_`, if a letter or `_` is here.
    pub fn name(&mut self) -> Option<(usize, &'a str)> {
        self.letter_begins().then(|| self.name_characters())
    }

    /// Takes letters, digits and `_`, possibly none.
    pub fn name_characters(&mut self) -> (usize, &'a str) {
        let (start, rest) = (self.at, self.rest());
        let name = &rest[..word_length(rest)];
        self.at += name.len();
        (start, name)
    }

    /// Takes a number or a character, if one begins here.
    pub fn literal(&mut self) -> ParseResult<Option<i64>> {
        self.take_literal(literal(self.rest()))
    }

    /// Takes a text in quotes, if one begins here.
    pub fn quoted(&mut self) -> ParseResult<Option<String>> {
        self.take_literal(quoted(self.rest()))
    }

    fn take_literal<T>(&mut self, read: Result<Option<(T, usize)>, LiteralError>) -> ParseResult<Option<T>> {
        let LiteralError { kind, range } = match read {
            Ok(None) => return Ok(None),
            Ok(Some((value, length))) => {
                self.at += length;
                return Ok(Some(value));
            }
            Err(error) => error,
        };
        if let LiteralErrorKind::Missing(expected) = kind {
            self.at += range.start;
            return Err(self.unexpected(expected));
        }
        let span = self.span(self.at + range.start, self.at + range.end);
        let label = format!("expected {}", kind.expected());
        let error = Diagnostic::error(ErrorCode::BadLiteral, span, kind.to_string(), label);
        let (_, digits) = self.name_characters();
        let digits = digits.strip_suffix(['h', 'H']).unwrap_or(digits);
        let is_hexadecimal = digits.chars().all(|digit| digit.is_ascii_hexdigit());
        let is_prefix_missing =
            is_hexadecimal && matches!(kind, LiteralErrorKind::WrongDigit { radix: 10, .. });
        Err(error.help_if(is_prefix_missing.then(|| format!("in hexadecimal it is `${digits}`"))).into())
    }
}

/// The number of bytes of letters, digits and `_` at the beginning of a text. Invalid letters count, so that such a name is
/// one error.
fn word_length(text: &str) -> usize {
    let is_letter = |c: char| c == '_' || c.is_alphanumeric() && (c.is_ascii() || ascii_for(c).is_none());
    text.find(|c: char| !is_letter(c)).unwrap_or(text.len())
}

/// The ASCII sign for a similar one from a word processor or another keyboard.
fn ascii_for(typed: char) -> Option<char> {
    const WIDE: std::ops::RangeInclusive<char> = '\u{FF01}'..='\u{FF5E}';
    match typed {
        '‘' | '’' | '‚' | '´' => Some('\''),
        '“' | '”' | '„' | '«' | '»' => Some('"'),
        '−' | '–' | '—' => Some('-'),
        '×' => Some('*'),
        '\u{A0}' => Some(' '),
        wide if WIDE.contains(&wide) => char::from_u32(wide as u32 - 0xFEE0),
        _ => None,
    }
}
