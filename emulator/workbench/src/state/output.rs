//! The output pane: the bytes that the program has sent, as lines of text.

/// The state of the pane.
#[derive(Default)]
pub struct OutputPane {
    /// The number of rows by which it is scrolled back from the end.
    pub back: usize,
}

/// Output as lines no wider than this. Bytes that are not text become a control character, which is drawn as a
/// placeholder.
pub fn lines(bytes: &[u8], width: usize) -> Vec<String> {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        text += chunk.valid();
        if !chunk.invalid().is_empty() {
            text.push('\0');
        }
    }
    let mut lines = Vec::new();
    for line in text.split_terminator('\n') {
        let chars: Vec<char> = line.chars().collect();
        if chars.is_empty() {
            lines.push(String::new());
        }
        lines.extend(chars.chunks(width.max(1)).map(|row| row.iter().collect::<String>()));
    }
    lines
}
