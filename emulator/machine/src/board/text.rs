//! Locates the parts of a board in its text, so that a change leaves everything else as it is written.

use std::iter::Peekable;
use std::ops::Range;
use std::str::CharIndices;

/// The text between the brackets of a field of the board: `chips`, `nets`, `buses`. The text is a board without mistakes
/// in its syntax.
pub fn field(text: &str, name: &str) -> Option<Range<usize>> {
    let (mut depth, mut last_word, mut start) = (0, 0..0, None);
    let mut marks = Marks::new(text);
    while let Some((at, mark)) = marks.next() {
        match mark {
            '(' | '[' | '{' => {
                if depth == 1 && &text[last_word.clone()] == name {
                    start = Some(at + 1);
                }
                depth += 1;
            }
            ')' | ']' | '}' => {
                depth -= 1;
                if let (Some(start), 1) = (start, depth) {
                    return Some(start..at);
                }
            }
            mark if mark.is_alphabetic() => last_word = at..at + marks.word(),
            _ => {}
        }
    }
    None
}

/// The chips of a board in its text, each from `Rom` or `Ram` to the closing parenthesis.
pub fn chips(text: &str) -> Option<Vec<Range<usize>>> {
    parts(text, "chips")
}

/// The items of a list in its text, each up to its closing parenthesis.
pub fn parts(text: &str, name: &str) -> Option<Vec<Range<usize>>> {
    let list = field(text, name)?;
    let (mut depth, mut last_word, mut each) = (0, 0..0, Vec::<Range<usize>>::new());
    let mut marks = Marks::new(&text[list.clone()]);
    while let Some((at, mark)) = marks.next() {
        match mark {
            '(' | '[' | '{' => {
                if depth == 0 {
                    let start = if last_word.end == at { last_word.start } else { at };
                    each.push(list.start + start..list.start + at);
                }
                depth += 1;
            }
            ')' | ']' | '}' => {
                depth -= 1;
                if depth == 0 {
                    each.last_mut()?.end = list.start + at + 1;
                }
            }
            mark if mark.is_alphabetic() => last_word = at..at + marks.word(),
            _ => {}
        }
    }
    Some(each)
}

/// The text without this part of a list: with its comma, and with the line that it is in, if it is alone there.
pub fn without(text: &str, part: Range<usize>) -> String {
    let Range { mut start, mut end } = part;
    let rest = &text[end..];
    if rest.trim_start().starts_with(',') {
        end += rest.find(',').unwrap_or_default() + 1;
    }
    start -= text[..start].len() - text[..start].trim_end_matches([' ', '\t']).len();
    if text[..start].ends_with('\n') && text[end..].starts_with('\n') {
        end += 1;
    }
    format!("{}{}", &text[..start], &text[end..])
}

/// The text with one more part at the end of the list, if the board has this field.
pub fn with(text: &str, name: &str, indent: usize, part: &str) -> Option<String> {
    let list = field(text, name)?;
    let marks = Marks::new(&text[list.clone()]).filter(|(_, mark)| !mark.is_whitespace());
    let last = marks.last();
    let place = last.map_or(list.start, |(at, mark)| list.start + at + mark.len_utf8());
    let comma = if last.is_none_or(|(_, mark)| mark == ',') { "" } else { "," };
    let (before, after) = text.split_at(place);
    let is_closed = after.trim_start_matches([' ', '\t']).starts_with([']', '}']);
    let end = if is_closed { "\n    " } else { "" };
    Some(format!("{before}{comma}\n{}{part},{end}{after}", " ".repeat(indent)))
}

/// The characters of a text outside of its strings and comments, and the closing quotes of its strings.
struct Marks<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
}

impl Marks<'_> {
    fn new(text: &str) -> Marks<'_> {
        Marks { text, rest: text.char_indices().peekable() }
    }

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
                while let Some((at, inner)) = self.rest.next() {
                    match inner {
                        '"' => return Some((at, inner)),
                        '\\' => drop(self.rest.next()),
                        _ => {}
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
        assert_eq!(&text[field(text, "nets").unwrap()], r#"(nets: "A")"#);
        assert_eq!(parts(text, "nets"), field(text, "nets").map(|nets| vec![nets]));
        let each: Vec<&str> = chips(text).unwrap().into_iter().map(|span| &text[span]).collect();
        assert_eq!(each, [r#"Rom(name: "A)", burn: Cells([0, 1]))"#, r#"Ram(x: "\")")"#]);
        assert!(text[field(text, "chips").unwrap()].starts_with(" // Rom("));
    }

    #[test]
    fn a_part_is_taken_out_and_another_one_added() {
        let text = "Board(\n    chips: [\n        Rom(1), // one\n        Rom(2),\n    ],\n    buses: {\"A\": \"B\"},\n)";
        let second = chips(text).unwrap().remove(1);
        assert_eq!(without(text, second), text.replace("        Rom(2),\n", ""));
        let three = with(text, "chips", 8, "Rom(3)").unwrap();
        assert_eq!(three, text.replace("Rom(2),", "Rom(2),\n        Rom(3),"));
        let bus = with(text, "buses", 8, "\"C\": \"D\"").unwrap();
        assert_eq!(bus, text.replace("\"B\"", "\"B\",\n        \"C\": \"D\",\n    "));
        assert_eq!(
            with("Board(chips: [])", "chips", 1, "Rom(1)").unwrap(),
            "Board(chips: [\n Rom(1),\n    ])"
        );
        assert_eq!(with(text, "nets", 8, "x"), None);
    }

    #[test]
    fn a_text_without_chips_has_none() {
        for text in ["", "Board(", "Board(chips: [Rom(", "]", "Board(name: \"\\"] {
            assert!(chips(text).is_none(), "{text}");
        }
    }
}
