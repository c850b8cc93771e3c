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

/// Breaks the lines of a text that are longer than this many characters, at blanks. The rest of a line is indented like
/// its last column, or its first if that leaves too little room.
///
/// ```
/// let text = gray1_text::fold("chip  part\n  FLAGS  decides whether a jump is taken", 24);
/// assert_eq!(text, "chip  part\n  FLAGS  decides whether\n         a jump is taken");
/// ```
pub fn fold(text: &str, columns: usize) -> String {
    let lines = text.split('\n').map(|line| {
        let column = line.rfind("  ").map_or(0, |at| at + 2);
        let margin = line[..column].chars().count();
        if line.chars().count() <= columns || margin > columns / 2 {
            return line.to_owned();
        }
        let rest = wrap(&line[column..], columns - margin).join(&format!("\n{:margin$}", ""));
        format!("{}{rest}", &line[..column])
    });
    lines.collect::<Vec<_>>().join("\n")
}
