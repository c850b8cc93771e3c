//! Literals of the assembler and the debugger: numbers, characters and texts.

use crate::names::name_length;
use gray1_text::radix;
use std::ops::Range;
use thiserror::Error;

/// An error in a literal, and its bytes in the text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct LiteralError {
    /// The kind of error.
    pub kind: LiteralErrorKind,
    /// The range in the text, in bytes.
    pub range: Range<usize>,
}

/// The kind of an error in a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum LiteralErrorKind {
    /// No digit after a prefix, or no character after a `'`.
    #[error("expected {0}")]
    Missing(&'static str),
    /// A digit that the base of the number does not have.
    #[error("`{digit}` does not belong in a {} number", words_for(*.radix).0)]
    WrongDigit {
        /// The wrong character.
        digit: char,
        /// The base of the number.
        radix: u32,
    },
    /// A number of more than 63 bits.
    #[error("this number is too large")]
    TooLarge,
    /// A character without its second `'`.
    #[error("this character literal is not closed")]
    OpenCharacter,
    /// A text without its second `"`.
    #[error("this text is not closed")]
    OpenText,
    /// A backslash before anything but `n`, `r`, `t`, `0`, `\`, `'` and `"`.
    #[error("there is no such escape")]
    UnknownEscape,
}

impl LiteralErrorKind {
    /// The expected syntax.
    pub fn expected(self) -> &'static str {
        match self {
            LiteralErrorKind::Missing(expected) => expected,
            LiteralErrorKind::WrongDigit { radix, .. } => words_for(radix).1,
            LiteralErrorKind::TooLarge => "a number up to 9223372036854775807",
            LiteralErrorKind::OpenCharacter => "`'` after it",
            LiteralErrorKind::OpenText => "`\"` on the same line",
            LiteralErrorKind::UnknownEscape => r#"one of \n \r \t \0 \\ \' \""#,
        }
    }

    fn at(self, range: Range<usize>) -> LiteralError {
        LiteralError { kind: self, range }
    }
}

/// Parses the number or character at the beginning of a text; returns also its length in bytes. `None` if there is
/// neither. A sign is not part of it.
///
/// ```
/// use gray1_assembler::literal;
/// assert_eq!(literal("$1F + 1"), Ok(Some((31, 3))));
/// assert_eq!(literal("'\\n'"), Ok(Some((10, 4))));
/// assert_eq!(literal("n + 1"), Ok(None));
/// assert_eq!(literal("0b12").unwrap_err().to_string(), "`2` does not belong in a binary number");
/// ```
pub fn literal(text: &str) -> Result<Option<(i64, usize)>, LiteralError> {
    match text.bytes().next() {
        Some(b'0'..=b'9' | b'$' | b'%') => number(text).map(Some),
        Some(b'\'') => character(text).map(Some),
        _ => Ok(None),
    }
}

/// Parses the text in double quotes at the beginning of `text`, with its escapes; returns also its length in bytes,
/// including the quotes. `None` if there is none.
pub fn quoted(text: &str) -> Result<Option<(String, usize)>, LiteralError> {
    if !text.starts_with('"') {
        return Ok(None);
    }
    let mut content = String::new();
    let mut at = 1;
    while let Some(next) = text[at..].chars().next() {
        if next == '"' {
            return Ok(Some((content, at + 1)));
        }
        let (character, length) = escaped(text, at, next)?;
        content.push(character);
        at += length;
    }
    Err(LiteralErrorKind::OpenText.at(0..text.len()))
}

/// The length of the number 2^63 at the beginning of a text, after spaces. It is valid only after a minus sign.
pub(super) fn lowest_number(text: &str) -> Option<usize> {
    let number = text.trim_start_matches([' ', '\t']);
    let (radix, start) = radix(number);
    let end = start + name_length(&number[start..]);
    let digits: String = number[start..end].split('_').collect();
    let is_lowest = u64::from_str_radix(&digits, radix) == Ok(1 << 63);
    (is_lowest && number.starts_with(|c: char| c.is_ascii_digit() || "$%".contains(c)))
        .then_some(text.len() - number.len() + end)
}

fn number(text: &str) -> Result<(i64, usize), LiteralError> {
    let (radix, start) = radix(text);
    let end = start + name_length(&text[start..]);
    if start == end {
        return Err(LiteralErrorKind::Missing(words_for(radix).1).at(start..start));
    }
    let mut value: i64 = 0;
    for (at, digit) in (start..).zip(text[start..end].bytes().map(char::from)) {
        if digit == '_' && start < at && at + 1 < end {
            continue;
        }
        let Some(digit) = digit.to_digit(radix) else {
            return Err(LiteralErrorKind::WrongDigit { digit, radix }.at(at..at + 1));
        };
        let next = value.checked_mul(i64::from(radix)).and_then(|value| value.checked_add(i64::from(digit)));
        value = next.ok_or_else(|| LiteralErrorKind::TooLarge.at(0..end))?;
    }
    Ok((value, end))
}

fn character(text: &str) -> Result<(i64, usize), LiteralError> {
    let (character, length) = match text[1..].chars().next() {
        None | Some('\'') => return Err(LiteralErrorKind::Missing("a character, as in `'A'`").at(1..1)),
        Some(next) => escaped(text, 1, next)?,
    };
    if !text[1 + length..].starts_with('\'') {
        return Err(LiteralErrorKind::OpenCharacter.at(0..1 + length));
    }
    Ok((i64::from(u32::from(character)), length + 2))
}

/// Parses the character or escape at an offset; returns also its length. `next` is the character at the offset.
fn escaped(text: &str, at: usize, next: char) -> Result<(char, usize), LiteralError> {
    if next != '\\' {
        return Ok((next, next.len_utf8()));
    }
    let letter = text[at + 1..].chars().next();
    let character = match letter {
        Some('n') => '\n',
        Some('r') => '\r',
        Some('t') => '\t',
        Some('0') => '\0',
        Some(quoted @ ('\\' | '\'' | '"')) => quoted,
        _ => {
            let end = at + 1 + letter.map_or(0, char::len_utf8);
            return Err(LiteralErrorKind::UnknownEscape.at(at..end));
        }
    };
    Ok((character, 2))
}

/// The words for numbers and digits of a base.
fn words_for(radix: u32) -> (&'static str, &'static str) {
    match radix {
        2 => ("binary", "a binary digit"),
        16 => ("hexadecimal", "a hexadecimal digit"),
        _ => ("decimal", "a decimal digit"),
    }
}
