//! RAM by name, or byte by byte. Bytes that have changed since the previous stop are marked.

use super::frame::{changed, mark};
use crate::canvas::Canvas;
use crate::pane::Pane;
use crate::state::ScreenState;
use crate::state::ram::{ADDRESS_WIDTH, RamRow};
use crate::theme::Ink;

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    let rows = state.ram.rows(&state.listing.variables, canvas.width());
    let height = canvas.height();
    // The selected row is always visible.
    let top = (state.ram.row.min(rows.len().saturating_sub(1)) + 1).saturating_sub(height.max(1));
    for (row, content) in rows.iter().skip(top).take(height).enumerate() {
        draw_row(state, canvas, row, content);
        if state.panes.focus == Pane::Ram && top + row == state.ram.row {
            canvas.style_row(row, Ink::Cursor);
        }
    }
}

fn draw_row(state: &ScreenState, canvas: &mut Canvas, row: usize, content: &RamRow) {
    let name_width = state.ram.name_width(&state.listing.variables);
    canvas.text(0, row, &format!("{:03X}", content.first), Ink::Dim);
    let variable = content.variable.map(|index| &state.listing.variables[index]);
    if let Some(own) = variable.filter(|own| usize::from(own.address) == content.first) {
        canvas.cell(ADDRESS_WIDTH, row, name_width.saturating_sub(1)).text(0, 0, &own.name, Ink::Label);
    }
    let value = |ram: &[u8], address: usize| ram.get(address).copied().unwrap_or(0);
    let mut column = ADDRESS_WIDTH + name_width - 1;
    for address in content.first..content.end {
        let now = value(&state.machine.ram, address);
        let has_changed = value(&state.machine_before.ram, address) != now;
        let text = format!("{}{now:02X}", mark(has_changed));
        column = canvas.text(column, row, &text, changed(has_changed));
    }
    if variable.is_some_and(|own| own.size == 1) {
        let value = value(&state.machine.ram, content.first);
        canvas.text(column + 1, row, &format!("{value:>3}"), Ink::Dim);
    }
}
