//! The program: the source with its macros folded or unfolded, or its words.
//!
//! ```text
//!   ● 148  ►   lda  untried+row          a breakpoint, the current line
//!     186  ▾   put_down row, column      a line that is unfolded:
//!          1D2     lda  #square(column)    the words it was expanded to, each with its line
//! ```

use crate::canvas::Canvas;
use crate::listing::{FileLine, Row};
use crate::state::ScreenState;
use crate::theme::Ink;
use gray1_debugger::split_comment;

/// The maximum indentation; expansions that are nested deeper are not indented further.
const MAX_INDENT: usize = 12;

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    let view = &state.source;
    let rows = state.source_rows();
    let now = view.running_row(&rows, &state.listing, state.machine.running);
    for row in 0..canvas.height() {
        let index = view.top + row;
        let Some(content) = rows.get(index) else { break };
        let is_now = now == Some(index);
        let is_unfolded = rows.get(index + 1).is_some_and(|next| !matches!(next, Row::Line(_)));
        draw_row(state, &mut canvas.below(row), *content, is_now, is_unfolded);
        if is_now {
            canvas.style_row(row, Ink::Now);
        } else if index == view.cursor {
            canvas.style_row(row, Ink::Cursor);
        }
    }
}

fn draw_row(state: &ScreenState, canvas: &mut Canvas, row: Row, is_now: bool, is_unfolded: bool) {
    let (view, listing, symbols) = (&state.source, &state.listing, canvas.theme.symbols);
    let digits = view.digits(listing);
    let sequences = view.sequences(listing, row);
    let (number, number_ink) = match row {
        Row::Line(line) if sequences.is_empty() => ((line + 1).to_string(), Ink::Dim),
        Row::Line(line) => ((line + 1).to_string(), Ink::Plain),
        Row::Call { .. } => (String::new(), Ink::Dim),
        Row::Word { sequence, .. } => (format!("{sequence:03X}"), Ink::Plain),
    };
    let is_call = matches!(row, Row::Call { .. });
    if let Some(point) = state.points.breakpoint_at(&sequences).filter(|_| !is_call) {
        canvas.text(0, 0, symbols.point[usize::from(!point.is_complete)], Ink::Point);
    }
    canvas.text(1, 0, &format!("{number:>digits$}"), number_ink);
    let can_unfold = matches!(row, Row::Line(line) if listing.can_unfold(FileLine { file: view.file, line }));
    if is_now {
        canvas.text(digits + 2, 0, symbols.now, Ink::Plain);
    } else if can_unfold {
        canvas.text(digits + 2, 0, symbols.fold[usize::from(is_unfolded)], Ink::Dim);
    }
    let gutter = view.gutter(listing);
    let width = canvas.width().saturating_sub(gutter);
    let mut code = canvas.cell(gutter, 0, width);
    let text = view.row_text(listing, row);
    let (depth, ink) = match row {
        Row::Line(_) => {
            let text = code.theme.clean(&text).into_owned();
            let (text, comment) = split_comment(&text);
            let cut = |part: &str, left: usize| part.chars().skip(left).take(width + 1).collect::<String>();
            let comment = cut(comment, view.left.saturating_sub(text.chars().count()));
            return draw_code(&mut code, &cut(text, view.left), &comment);
        }
        Row::Call { depth, .. } => (depth, Ink::Dim),
        Row::Word { depth, .. } => (depth, Ink::Plain),
    };
    let indent = match view.shows_words {
        true => String::new(),
        false => format!("    {}", symbols.depth.repeat(depth.min(MAX_INDENT))),
    };
    let column = code.text(0, 0, &indent, Ink::Dim);
    code.text(column, 0, &text, ink);
}

/// Code with its labels, directives and comments in their styles.
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
