//! Text that comes from outside, such as the name of a file, as messages and tables show it: nobody should be able to move
//! the cursor, to change colours or to begin a line of a report with a name.

use std::borrow::Cow;

/// The text with its control characters written as escapes.
///
/// ```
/// assert_eq!(gray1_text::visible("sum.g1"), "sum.g1");
/// assert_eq!(gray1_text::visible("C:\\é \u{1b}[2J\n"), "C:\\é \\u{1b}[2J\\n");
/// ```
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, char::is_control)
}

/// Makes a text of several lines visible; the line ends stay.
///
/// ```
/// assert_eq!(gray1_text::visible_lines("one\n\ttwo\r\n"), "one\n\ttwo\\r\n");
/// ```
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |letter| letter.is_control() && !matches!(letter, '\n' | '\t'))
}

fn replaced(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for letter in text.chars() {
        match is_hidden(letter) {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
    Cow::Owned(shown)
}
