//! The smallest pieces of a line: spaces, numbers, names, characters, strings.
//!
//! There is no list of tokens: whether `%101` is a number or a remainder depends on what stands before it, and
//! the parser knows that.

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

    /// Takes a number, which begins here with a digit, `$` or `%`; true when it is in hexadecimal.
    pub fn number(&mut self) -> Scanned<(i64, bool)> {
        let start = self.at;
        let (radix, kind) = match (self.peek(), self.peek_at(1)) {
            (b'0', b'x' | b'X') => (16, "hexadecimal"),
            (b'0', b'b' | b'B') => (2, "binary"),
            (b'$', _) => (16, "hexadecimal"),
            (b'%', _) => (2, "binary"),
            _ => (10, "decimal"),
        };
        self.at += if radix == 10 { 0 } else { 1 + usize::from(self.peek() == b'0') };
        let (digits_start, digits) = self.name_bytes();
        let span = self.span(start, self.at);
        let expected = format!("a {kind} digit");
        if digits.is_empty() {
            return Err(self.unexpected(&expected));
        }
        for (place, digit) in digits.char_indices() {
            let inside = place > 0 && place + 1 < digits.len();
            if !(digit.is_digit(radix) || digit == '_' && inside) {
                let wrong = self.span(digits_start + place, digits_start + place + 1);
                let message = format!("`{digit}` does not belong in a {kind} number");
                let mistake = self.mistake(wrong, message, format!("expected {expected}"));
                let is_hexadecimal = |digits: &str| digits.chars().all(|digit| digit.is_ascii_hexdigit());
                return Err(match digits.strip_suffix(['h', 'H']).unwrap_or(digits) {
                    digits if radix == 10 && is_hexadecimal(digits) => {
                        mistake.with_help(format!("in hexadecimal it is `${digits}`"))
                    }
                    _ => mistake,
                });
            }
        }
        let mut value: i64 = 0;
        for digit in digits.chars().filter_map(|c| c.to_digit(radix)) {
            let next =
                value.checked_mul(i64::from(radix)).and_then(|value| value.checked_add(i64::from(digit)));
            value = next.ok_or_else(|| {
                self.mistake(
                    span,
                    "this number is too large",
                    "expected a number that fits in 64 bits, signed",
                )
            })?;
        }
        Ok((value, radix == 16))
    }

    /// Takes a character literal, which begins here with `'`.
    pub fn character(&mut self) -> Scanned<i64> {
        let start = self.at;
        self.at += 1;
        let character = match self.rest().chars().next() {
            None | Some('\'') => return Err(self.unexpected("a character, as in `'A'`")),
            Some('\\') => self.escape()?,
            Some(character) => {
                self.at += character.len_utf8();
                character
            }
        };
        if self.peek() != b'\'' {
            let span = self.span(start, self.at);
            return Err(self.mistake(span, "this character literal is not closed", "expected `'` behind it"));
        }
        self.at += 1;
        Ok(i64::from(u32::from(character)))
    }

    /// Takes a string, which begins here with `"`.
    pub fn string(&mut self) -> Scanned<String> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            match self.rest().chars().next() {
                None => {
                    let span = self.span(start, self.line_end);
                    return Err(self.mistake(
                        span,
                        "this text is not closed",
                        "expected `\"` on the same line",
                    ));
                }
                Some('"') => break,
                Some('\\') => text.push(self.escape()?),
                Some(character) => {
                    self.at += character.len_utf8();
                    text.push(character);
                }
            }
        }
        self.at += 1;
        Ok(text)
    }

    fn escape(&mut self) -> Scanned<char> {
        let start = self.at;
        self.at += 1;
        let letter = self.rest().chars().next();
        self.at += letter.map_or(0, char::len_utf8);
        match letter {
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('0') => Ok('\0'),
            Some(quoted @ ('\\' | '\'' | '"')) => Ok(quoted),
            _ => {
                let span = self.span(start, self.at);
                let expected = r#"expected one of \n \r \t \0 \\ \' \""#;
                Err(self.mistake(span, "there is no such escape", expected))
            }
        }
    }
}

fn is_name_byte(byte: u32) -> bool {
    u8::try_from(byte).is_ok_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
