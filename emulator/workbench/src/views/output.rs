//! What the program has sent to the output port, as text.

use super::title_of;
use crate::desk::Desk;
use crate::paint::{Canvas, Ink};
use crate::pane::Pane;
use gray1_display::status::grouped;

/// Draws it: the end, unless somebody has scrolled back.
pub fn draw(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let sent = match desk.look.sent {
        0 => String::new(),
        1 => "1 byte".to_owned(),
        sent => format!("{} bytes", grouped(sent)),
    };
    let mut inner = canvas.frame(&title_of(Pane::Output), &sent, has_focus);
    let lines = lines(&desk.look.output, inner.width());
    let end = lines.len().saturating_sub(desk.output);
    let start = end.saturating_sub(inner.height());
    for (row, line) in lines[start..end].iter().enumerate() {
        inner.text(0, row, line, Ink::Plain);
    }
}

/// How many rows there are.
pub fn rows(desk: &Desk) -> usize {
    let area = desk.arrangement().area_of(Pane::Output);
    lines(&desk.look.output, area.map_or(80, |area| usize::from(area.width.saturating_sub(2)))).len()
}

/// Output as lines no wider than this; a byte that is no text shows as a sign that stands for none.
fn lines(bytes: &[u8], width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut column = 0;
    let mut write = |letter: char, is_new_line: bool| {
        if is_new_line || column >= width.max(1) {
            lines.push(String::new());
            column = 0;
        }
        if let Some(line) = lines.last_mut().filter(|_| !is_new_line) {
            line.push(letter);
            column += 1;
        }
    };
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|letter| write(letter, letter == '\n'));
        if !chunk.invalid().is_empty() {
            write('\u{0}', false);
        }
    }
    if lines.last().is_some_and(String::is_empty) && lines.len() > 1 {
        lines.pop();
    }
    lines
}
