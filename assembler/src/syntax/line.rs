//! The tokens of a line, for the formatter, and its comment. Unlike the parser, this never fails.

use super::literal::{literal, quoted};
use crate::names::name_length;

/// A token: a word, a quoted text or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub text: &'a str,
    /// Set if there is a space before it.
    pub spaced: bool,
}

/// Splits a line into its code and its comment, which begins with `;`. A `;` in a text or a character begins no comment.
///
/// ```
/// let (code, comment) = gray1_assembler::split_comment(r"lda #'\'' ; it's");
/// assert_eq!((code, comment), (r"lda #'\'' ", "; it's"));
/// ```
pub fn split_comment(line: &str) -> (&str, &str) {
    let mut at = 0;
    while let Some(character) = line[at..].chars().next().filter(|&character| character != ';') {
        at += token_length(&line[at..], character);
    }
    line.split_at(at)
}

/// Splits a line without a comment into tokens.
pub(crate) fn tokens(line: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let mut spaced = false;
    let mut at = 0;
    while let Some(character) = line[at..].chars().next() {
        let length = token_length(&line[at..], character);
        if character.is_ascii_whitespace() {
            spaced = true;
        } else {
            found.push(Token { text: &line[at..at + length], spaced });
            spaced = false;
        }
        at += length;
    }
    found
}

fn token_length(rest: &str, first: char) -> usize {
    match first {
        '"' => quoted(rest).ok().flatten().map_or(1, |(_, length)| length),
        '\'' => literal(rest).ok().flatten().map_or(1, |(_, length)| length),
        '_' | '.' | 'a'..='z' | 'A'..='Z' | '0'..='9' => 1 + name_length(&rest[1..]),
        other => other.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_hide_semicolons() {
        for (line, code) in [
            ("lda #';' ; c", "lda #';' "),
            (r"lda #'\'' ; it's", r"lda #'\'' "),
            (r#".error "a;\"b" ; c"#, r#".error "a;\"b" "#),
            ("it's ; c", "it's "),
            ("'''; c", "'''"),
        ] {
            assert_eq!(split_comment(line).0, code);
        }
    }
}
