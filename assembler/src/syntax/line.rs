//! The parts of a line for the formatter: pieces that stay together, and the comment. Unlike the parser, this never
//! fails.

use super::literal::{literal, quoted};
use crate::names::name_length;

/// A piece of a line without spaces in it, except inside quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece<'a> {
    pub text: &'a str,
    /// Whether there was a space before it.
    pub spaced: bool,
}

/// The code of a line, and its comment with the `;`. A `;` in a text or a character does not begin a comment.
///
/// ```
/// let (code, comment) = gray1_assembler::split_comment(r"lda #'\'' ; it's");
/// assert_eq!((code, comment), (r"lda #'\'' ", "; it's"));
/// ```
pub fn split_comment(line: &str) -> (&str, &str) {
    let mut at = 0;
    while let Some(character) = line[at..].chars().next().filter(|&character| character != ';') {
        at += piece_length(&line[at..], character);
    }
    line.split_at(at)
}

/// The pieces of a line that has no comment: words, quoted texts, single signs.
pub(crate) fn pieces(line: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut spaced = false;
    let mut at = 0;
    while let Some(character) = line[at..].chars().next() {
        let length = piece_length(&line[at..], character);
        if character.is_ascii_whitespace() {
            spaced = true;
        } else {
            found.push(Piece { text: &line[at..at + length], spaced });
            spaced = false;
        }
        at += length;
    }
    found
}

fn piece_length(rest: &str, first: char) -> usize {
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
