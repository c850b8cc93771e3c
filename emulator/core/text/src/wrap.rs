//! Text in lines of a limited width.

/// Breaks text into lines of at most this many characters; a longer word is cut off.
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(last) if last.chars().count() + 1 + word.chars().count() <= columns => {
                last.push(' ');
                last.push_str(word);
            }
            _ => lines.push(word.chars().take(columns).collect()),
        }
    }
    lines
}
