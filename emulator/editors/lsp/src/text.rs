//! Positions in a text: editors count lines and characters in UTF-8 or UTF-16, the assembler counts bytes.

use gen_lsp_types::{Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent};

/// The unit in which an editor counts the characters of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    #[default]
    Utf16,
}

impl Encoding {
    /// UTF-8 if the editor supports it, otherwise UTF-16, which all editors support.
    pub fn among(known: &[PositionEncodingKind]) -> Encoding {
        if known.contains(&PositionEncodingKind::UTF8) { Encoding::Utf8 } else { Encoding::Utf16 }
    }

    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// The length of a text in this unit.
    pub fn length(self, text: &str) -> u32 {
        match self {
            Encoding::Utf8 => text.len() as u32,
            Encoding::Utf16 => text.encode_utf16().count() as u32,
        }
    }
}

/// A text with an index of its lines.
pub struct Lines<'t> {
    text: &'t str,
    /// The offset at which each line begins. Unlike in the language, a carriage return alone also ends a line.
    starts: Vec<u32>,
    encoding: Encoding,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str, encoding: Encoding) -> Lines<'t> {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|&at| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|end| end as u32 + 1)).collect();
        Lines { text, starts, encoding }
    }

    /// The line ending of the text, taken from its first line.
    pub fn end(&self) -> &'static str {
        let first = self.starts.get(1).map_or("", |&next| &self.text[..next as usize]);
        if first.ends_with("\r\n") { "\r\n" } else { "\n" }
    }

    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The offsets at which a line begins and ends, without its line ending.
    pub fn bounds(&self, line: usize) -> (usize, usize) {
        let Some(&start) = self.starts.get(line) else { return (self.text.len(), self.text.len()) };
        let start = start as usize;
        let end = self.starts.get(line + 1).map_or(self.text.len(), |&next| next as usize);
        let line = &self.text[start..end];
        (start, start + line.trim_end_matches(['\n', '\r']).len())
    }

    /// A line without its line ending.
    pub fn line(&self, line: usize) -> &'t str {
        let (start, end) = self.bounds(line);
        &self.text[start..end]
    }

    /// The number of the line that contains an offset.
    pub fn line_of(&self, offset: u32) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }

    /// The position of an offset; inside a character, the position of that character.
    pub fn position(&self, offset: u32) -> Position {
        let offset = boundary(self.text, offset as usize);
        let line = self.line_of(offset as u32);
        let character = self.encoding.length(&self.text[self.starts[line] as usize..offset]);
        Position { line: line as u32, character }
    }

    pub fn range(&self, start: u32, end: u32) -> Range {
        Range { start: self.position(start), end: self.position(end.max(start)) }
    }

    /// The offset of a position. A position behind the end of a line or of the text means that end, as the protocol
    /// says.
    pub fn offset(&self, position: Position) -> u32 {
        let (start, end) = self.bounds(position.line as usize);
        let line = &self.text[start..end];
        let wanted = position.character as usize;
        let within = match self.encoding {
            Encoding::Utf8 => boundary(line, wanted),
            Encoding::Utf16 => {
                let mut units = 0;
                let reaches = |character: char| {
                    units += character.len_utf16();
                    units > wanted
                };
                line.find(reaches).unwrap_or(line.len())
            }
        };
        (start + within) as u32
    }
}

/// The beginning of the character that a byte is part of, or the end of the text.
fn boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The text after a change.
pub fn changed(text: &str, change: &TextDocumentContentChangeEvent, encoding: Encoding) -> String {
    match change {
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => whole.text.clone(),
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
            let lines = Lines::new(text, encoding);
            let start = lines.offset(part.range.start) as usize;
            let end = (lines.offset(part.range.end) as usize).max(start);
            [&text[..start], &part.text, &text[end..]].concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_counted_as_the_editor_counts() {
        let text = "aä😀b\r\n\rx";
        for (encoding, columns) in [(Encoding::Utf8, [0, 1, 3, 7, 8]), (Encoding::Utf16, [0, 1, 2, 4, 5])] {
            let lines = Lines::new(text, encoding);
            for (offset, character) in [0, 1, 3, 7, 8].into_iter().zip(columns) {
                let position = Position { line: 0, character };
                assert_eq!(lines.position(offset), position, "{offset} {encoding:?}");
                assert_eq!(lines.offset(position), offset, "{character} {encoding:?}");
            }
            assert_eq!(lines.count(), 3);
            assert_eq!(lines.position(11), Position { line: 2, character: 0 });
            // Behind the end of a line, or of the text.
            assert_eq!(lines.offset(Position { line: 0, character: 99 }), 8);
            assert_eq!(lines.offset(Position { line: 2, character: 99 }), 12);
            assert_eq!(lines.offset(Position { line: u32::MAX, character: u32::MAX }), 12);
        }
        // Within a character: where it begins.
        assert_eq!(Lines::new(text, Encoding::Utf16).offset(Position { line: 0, character: 3 }), 3);
        assert_eq!(Lines::new(text, Encoding::Utf8).offset(Position { line: 0, character: 2 }), 1);
        assert_eq!(Lines::new(text, Encoding::Utf8).position(5), Position { line: 0, character: 3 });
    }
}
