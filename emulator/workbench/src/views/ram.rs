//! RAM by name, or byte by byte. What has changed since the stop before is marked.

use super::{changed, mark, title_of};
use crate::desk::Desk;
use crate::paint::{Canvas, Ink};
use crate::pane::Pane;
use gray1_isa::memory_map::{RAM_BYTES, WORKING_RAM_END};

/// Bytes in a row.
const ROW: usize = 8;

/// Draws it.
pub fn draw(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let (_, is_raw) = desk.ram;
    let all = all_rows(desk);
    let mut inner = canvas.frame(&title_of(Pane::Ram), if is_raw { "bytes" } else { "" }, has_focus);
    let rows = inner.height();
    let top = top(desk, all, rows);
    for row in 0..rows.min(all.saturating_sub(top)) {
        if is_raw {
            draw_bytes(desk, &mut inner, row, (top + row) * ROW);
        } else {
            draw_named(desk, &mut inner, row, top + row);
        }
        if has_focus && top + row == desk.ram.0 {
            inner.row_style(row, Ink::Cursor);
        }
    }
}

/// How many rows there are.
pub fn rows(desk: &Desk) -> usize {
    all_rows(desk)
}

fn all_rows(desk: &Desk) -> usize {
    if desk.ram.1 { RAM_BYTES / ROW } else { desk.listing.ram.len() }
}

/// The first row seen: the selected one is always among them.
fn top(desk: &Desk, all: usize, rows: usize) -> usize {
    (desk.ram.0 + 1).saturating_sub(rows.max(1)).min(all.saturating_sub(1))
}

fn draw_named(desk: &Desk, canvas: &mut Canvas, row: usize, number: usize) {
    let Some((first, size, name)) = desk.listing.ram.get(number) else { return };
    let (first, size) = (usize::from(*first), usize::from(*size).max(1));
    let column = canvas.text(0, row, &format!("{first:03X} "), Ink::Dim);
    let width = canvas.width();
    // A name takes what its bytes leave, but not so little that nobody knows it.
    let bytes = 3 * size.min(ROW);
    let room = width.saturating_sub(column + bytes).clamp(8.min(width), 16);
    let mut part = canvas.part(ratatui::layout::Rect {
        x: canvas.area.x + column as u16,
        y: canvas.area.y + row as u16,
        width: room as u16,
        height: 1,
    });
    part.text(0, 0, name, Ink::Label);
    let mut column = column + room;
    for address in first..(first + size).min(usize::from(WORKING_RAM_END)) {
        if column + 3 > width {
            canvas.text(width - 1, row, canvas.paint.signs.more, Ink::Dim);
            break;
        }
        column = byte(desk, canvas, row, column, address);
    }
    let value = desk.look.ram.get(first).copied().unwrap_or(0);
    if size == 1 && column + 6 < width {
        canvas.text(column + 1, row, &format!("{value:>3}"), Ink::Dim);
    }
}

fn draw_bytes(desk: &Desk, canvas: &mut Canvas, row: usize, first: usize) {
    let mut column = canvas.text(0, row, &format!("{first:03X} "), Ink::Dim);
    for address in first..first + ROW {
        column = byte(desk, canvas, row, column, address);
    }
}

fn byte(desk: &Desk, canvas: &mut Canvas, row: usize, column: usize, address: usize) -> usize {
    let value = |ram: &[u8]| ram.get(address).copied().unwrap_or(0);
    let now = value(&desk.look.ram);
    let is_new = desk.before.as_ref().is_some_and(|before| value(&before.ram) != now);
    canvas.text(column, row, &format!("{}{now:02X}", mark(is_new)), changed(is_new))
}
