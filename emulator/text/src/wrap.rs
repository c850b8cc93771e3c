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

/// Wraps the lines of a text that are longer than this, and indents their continuations. Each line ends with a newline.
pub fn wrap_lines(text: &str, columns: usize) -> String {
    let mut wrapped = String::new();
    for line in text.lines() {
        if line.chars().count() <= columns {
            wrapped += &format!("{line}\n");
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let room = columns.saturating_sub(indent + 2).max(1);
        for (number, part) in wrap(line, room).iter().enumerate() {
            wrapped += &format!("{:1$}{part}\n", "", if number == 0 { indent } else { indent + 2 });
        }
    }
    wrapped
}

#[cfg(test)]
mod tests {
    use super::wrap_lines;

    #[test]
    fn long_lines_are_wrapped_and_short_ones_stay() {
        assert_eq!(wrap_lines("a  b\n  one two three\n", 9), "a  b\n  one\n    two\n    three\n");
        assert_eq!(wrap_lines("one two three", 10), "one two\n  three\n");
    }
}
