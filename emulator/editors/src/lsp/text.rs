//! Positions in a text: editors count lines and units of UTF-16, the assembler counts bytes.

use gen_lsp_types::{Position, Range, TextDocumentContentChangeEvent};

/// A text with an index of its lines.
pub struct Lines<'t> {
    text: &'t str,
    /// The offset at which each line begins. Unlike in the language, a carriage return alone also ends a line.
    starts: Vec<u32>,
}

impl<'t> Lines<'t> {
    pub fn new(text: &'t str) -> Lines<'t> {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|&at| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|end| end as u32 + 1)).collect();
        Lines { text, starts }
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
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_of(offset as u32);
        let character = self.text[self.starts[line] as usize..offset].encode_utf16().count();
        Position { line: line as u32, character: character as u32 }
    }

    pub fn range(&self, start: u32, end: u32) -> Range {
        Range { start: self.position(start), end: self.position(end.max(start)) }
    }

    /// The offset of a position. A position behind the end of a line or of the text means that end, as the protocol
    /// says.
    pub fn offset(&self, position: Position) -> u32 {
        let (start, end) = self.bounds(position.line as usize);
        let line = &self.text[start..end];
        let mut units = 0;
        let is_past = |character: char| {
            units += character.len_utf16();
            units > position.character as usize
        };
        let within = line.find(is_past).unwrap_or(line.len());
        (start + within) as u32
    }
}

/// The text after a change.
pub fn changed(text: &str, change: &TextDocumentContentChangeEvent) -> String {
    match change {
        TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole) => whole.text.clone(),
        TextDocumentContentChangeEvent::TextDocumentContentChangePartial(part) => {
            let lines = Lines::new(text);
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
        let lines = Lines::new(text);
        for (offset, character) in [0, 1, 3, 7, 8].into_iter().zip([0, 1, 2, 4, 5]) {
            let position = Position { line: 0, character };
            assert_eq!(lines.position(offset), position, "{offset}");
            assert_eq!(lines.offset(position), offset, "{character}");
        }
        assert_eq!(lines.count(), 3);
        assert_eq!(lines.position(11), Position { line: 2, character: 0 });
        // Behind the end of a line, or of the text; within a character: where it begins.
        for (line, character, offset) in [(0, 99, 8), (2, 99, 12), (u32::MAX, u32::MAX, 12), (0, 3, 3)] {
            assert_eq!(lines.offset(Position { line, character }), offset);
        }
        assert_eq!(lines.position(5), Position { line: 0, character: 2 });
    }
}
