//! The program: the source with its macros folded or open, or its words.
//!
//! ```text
//!   ● 154  ►   begin_row row          a breakpoint, the line the machine is at
//!     156  ▾   find_square row        a line that is unfolded:
//!          01E     lda  tried+row       the words it was expanded to, each with its line
//! ```

use super::title_of;
use crate::desk::Desk;
use crate::listing::{Line, Row, Sheet};
use crate::paint::{Canvas, Ink};
use crate::pane::Pane;
use gray1_debugger::split_comment;

/// Columns of a line number at least.
const LEAST_DIGITS: usize = 3;

/// Draws it.
pub fn draw(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let sheet = desk.sheet();
    let view = &desk.program;
    let file = desk.listing.files.get(view.file).filter(|_| !view.words);
    let name = file.map_or("words", |file| file.path.as_str());
    let more = if desk.listing.files.len() > 1 {
        format!("file {} of {}", view.file + 1, desk.listing.files.len())
    } else {
        String::new()
    };
    let mut inner = canvas.frame(&format!("{}: {name}", title_of(Pane::Source)), &more, has_focus);
    let now = desk.row_of_now(&sheet);
    let rows = inner.height();
    for row in 0..rows {
        let number = view.top + row;
        let Some(content) = sheet.row(number) else { break };
        draw_row(desk, &sheet, &mut inner, row, (number, content), now == Some(number));
        if now == Some(number) {
            inner.row_style(row, Ink::Now);
        } else if number == view.cursor {
            inner.row_style(row, Ink::Cursor);
        }
    }
}

/// Columns before the text, in which a click sets a breakpoint.
pub fn gutter(desk: &Desk) -> usize {
    digits(desk) + 5
}

/// The text of a row, as one looks for it.
pub fn row_text(desk: &Desk, row: Row) -> String {
    let listing = &desk.listing;
    match row {
        Row::Line(line) => listing.text(Line { file: desk.program.file, line }).to_owned(),
        Row::Call(place, depth) => {
            listing.call_line(place, depth).map_or("", |line| listing.text(line)).trim().to_owned()
        }
        Row::Word(place, _) => {
            let word = listing.word(place);
            let line = listing.innermost(place).map_or("", |line| listing.text(line));
            let code = split_comment(line).0.trim();
            match (desk.program.words, code) {
                (false, code) if !code.is_empty() => code.to_owned(),
                _ => {
                    let label = listing.label(place).map_or(String::new(), |label| format!("{label}: "));
                    format!("{:04X}  {label}{}", word.0, listing.named(word))
                }
            }
        }
    }
}

fn digits(desk: &Desk) -> usize {
    let file = desk.listing.files.get(desk.program.file).filter(|_| !desk.program.words);
    file.map_or(LEAST_DIGITS, |file| file.lines.len().to_string().len().max(LEAST_DIGITS))
}

fn draw_row(
    desk: &Desk,
    sheet: &Sheet,
    canvas: &mut Canvas,
    row: usize,
    (number, content): (usize, Row),
    is_now: bool,
) {
    let signs = canvas.paint.signs;
    let digits = digits(desk);
    let listing = &desk.listing;
    let (label, places, depth) = match content {
        Row::Line(line) => {
            let places = listing.places(Line { file: desk.program.file, line });
            (format!("{:>digits$}", line + 1), places.to_vec(), 0)
        }
        Row::Call(_, depth) => (" ".repeat(digits), Vec::new(), depth),
        Row::Word(place, depth) => (format!("{:>digits$}", format!("{place:03X}")), vec![place], depth),
    };
    if let Some((_, is_whole)) = desk.point_at(&places) {
        canvas.text(0, row, signs.point[usize::from(!is_whole)], Ink::Point);
    }
    let has_words = !places.is_empty() && matches!(content, Row::Line(_));
    let label_ink = if has_words || matches!(content, Row::Word(..)) { Ink::Plain } else { Ink::Dim };
    canvas.text(1, row, &label, label_ink);
    let is_open = sheet.row(number + 1).is_some_and(|next| !matches!(next, Row::Line(_)));
    let opens = match (content, places.first()) {
        (Row::Line(line), Some(place)) => {
            listing.statement(*place).is_some_and(|own| own.line == line) && listing.is_expanded(*place)
        }
        _ => false,
    };
    if is_now {
        canvas.text(digits + 2, row, signs.now, Ink::Plain);
    } else if opens {
        canvas.text(digits + 2, row, signs.fold[usize::from(is_open)], Ink::Dim);
    }
    let start = digits + 4;
    let width = canvas.width().saturating_sub(start);
    let mut text = canvas.cell(start, row, width);
    match content {
        Row::Line(_) => {
            let full = row_text(desk, content);
            let full = text.paint.clean(&full).into_owned();
            let (code, comment) = split_comment(&full);
            let left = desk.program.left;
            let cut =
                |part: &str, skipped| part.chars().skip(skipped).take(text.width() + 1).collect::<String>();
            let code_length = code.chars().count();
            let (code, comment) = (cut(code, left), cut(comment, left.saturating_sub(code_length)));
            draw_code(&mut text, &code, &comment);
        }
        Row::Call(..) | Row::Word(..) => {
            let indent = if desk.program.words {
                String::new()
            } else {
                format!("    {}", signs.depth.repeat(depth.min(12)))
            };
            let column = text.text(0, 0, &indent, Ink::Dim);
            let ink = if matches!(content, Row::Call(..)) { Ink::Dim } else { Ink::Plain };
            text.text(column, 0, &row_text(desk, content), ink);
        }
    }
}

/// Code with its labels, directives and comments in their inks.
fn draw_code(canvas: &mut Canvas, code: &str, comment: &str) {
    let trimmed = code.trim_start();
    let head = code.len() - trimmed.len();
    let label = trimmed
        .find(':')
        .filter(|end| trimmed[..*end].chars().all(|c| c.is_alphanumeric() || "_.{}".contains(c)));
    let (special, ink) = match label {
        Some(end) => (end + 1, Ink::Label),
        None if trimmed.starts_with('.') => {
            (trimmed.find(char::is_whitespace).unwrap_or(trimmed.len()), Ink::Directive)
        }
        None => (0, Ink::Plain),
    };
    let (first, rest) = code.split_at(head + special);
    let column = canvas.text(0, 0, first, ink);
    let column = canvas.text(column, 0, rest, Ink::Plain);
    canvas.text(column, 0, comment, Ink::Comment);
}
