//! Where the chips are in the text of a board, so that a change leaves everything else as it is written.

use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

/// The chips of a board in its text.
pub struct Chips {
    /// What is between the brackets of the list.
    pub list: Range<usize>,
    /// Each of them, from `Rom` to the closing parenthesis.
    pub each: Vec<Range<usize>>,
}

/// Finds the chips; the text is a board without mistakes in its syntax.
pub fn chips(text: &str) -> Option<Chips> {
    let mut marks = Marks { text, rest: text.char_indices().peekable() };
    let (mut depth, mut last_word) = (0, 0..0);
    let mut found: Option<Chips> = None;
    while let Some((at, mark)) = marks.next() {
        match mark {
            '[' if depth == 1 && &text[last_word.clone()] == "chips" => {
                found = Some(Chips { list: at + 1..at + 1, each: Vec::new() });
                depth += 1;
            }
            '(' | '[' | '{' => {
                if let (Some(chips), 2) = (&mut found, depth) {
                    chips.each.push(last_word.start..at);
                }
                depth += 1;
            }
            ')' | ']' | '}' => {
                depth -= 1;
                match (&mut found, depth) {
                    (Some(chips), 2) => chips.each.last_mut()?.end = at + 1,
                    (Some(chips), 1) => {
                        chips.list.end = at;
                        return found;
                    }
                    _ => {}
                }
            }
            mark if mark.is_alphabetic() => last_word = at..at + marks.word(),
            _ => {}
        }
    }
    None
}

/// The characters of a text outside of its strings and comments.
struct Marks<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
}

impl Marks<'_> {
    /// Skips the rest of a word; returns its length.
    fn word(&mut self) -> usize {
        let mut length = 1;
        while self.rest.next_if(|(_, c)| c.is_ascii_alphanumeric() || *c == '_').is_some() {
            length += 1;
        }
        length
    }

    /// Skips everything before this place.
    fn skip_to(&mut self, place: usize) {
        while self.rest.next_if(|(at, _)| *at < place).is_some() {}
    }

    /// The place behind the next `end`.
    fn behind(&self, from: usize, end: &str) -> usize {
        self.text[from..].find(end).map_or(self.text.len(), |found| from + found + end.len())
    }
}

impl Iterator for Marks<'_> {
    type Item = (usize, char);

    fn next(&mut self) -> Option<(usize, char)> {
        loop {
            let (at, mark) = self.rest.next()?;
            let rest = &self.text[at..];
            if mark == '"' {
                while let Some((_, inner)) = self.rest.next()
                    && inner != '"'
                {
                    if inner == '\\' {
                        self.rest.next();
                    }
                }
            } else if rest.starts_with("//") {
                self.skip_to(self.behind(at, "\n"));
            } else if rest.starts_with("/*") {
                self.skip_to(self.behind(at, "*/"));
            } else {
                return Some((at, mark));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_are_found_among_strings_and_comments() {
        let text = r#"Board(name: "chips: [Rom()]", /* chips: [ */ chips: [ // Rom(
            Rom(name: "A)", burn: Cells([0, 1])), Ram(x: "\")"),
        ], nets: [(nets: "A")])"#;
        let chips = chips(text).unwrap();
        let each: Vec<&str> = chips.each.iter().map(|span| &text[span.clone()]).collect();
        assert_eq!(each, [r#"Rom(name: "A)", burn: Cells([0, 1]))"#, r#"Ram(x: "\")")"#]);
        assert!(text[chips.list].starts_with(" // Rom("));
    }

    #[test]
    fn a_text_without_chips_has_none() {
        for text in ["", "Board(", "Board(chips: [Rom(", "]", "Board(name: \"\\"] {
            assert!(chips(text).is_none(), "{text}");
        }
    }
}
