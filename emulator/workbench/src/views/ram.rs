//! RAM by name, or byte by byte. What has changed since the stop before is marked.

use super::{changed, mark, title_of};
use crate::desk::Desk;
use crate::paint::{Canvas, Ink};
use crate::pane::Pane;
use gray1_isa::memory_map::{RAM_BYTES, WORKING_RAM_END};

/// Bytes in a row at most, and at least.
const ROW: usize = 8;
const LEAST_ROW: usize = 4;
/// Columns of an address, and of a byte with its mark.
const ADDRESS: usize = 4;
const BYTE: usize = 3;
/// Columns of a name.
const NAME: std::ops::RangeInclusive<usize> = 6..=12;

/// Draws it.
pub fn draw(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let mut inner = canvas.frame(&title_of(Pane::Ram), if desk.ram.1 { "bytes" } else { "" }, has_focus);
    let grid = Grid::of(desk, inner.width());
    let all = grid.rows(desk);
    let rows = inner.height();
    // The selected row is always seen.
    let top = (desk.ram.0.min(all.len().saturating_sub(1)) + 1).saturating_sub(rows.max(1));
    for (row, segment) in all.iter().skip(top).take(rows).enumerate() {
        grid.draw(desk, &mut inner, row, *segment);
        if has_focus && top + row == desk.ram.0 {
            inner.row_style(row, Ink::Cursor);
        }
    }
}

/// How many rows there are.
pub fn rows(desk: &Desk) -> usize {
    Grid::of_pane(desk).rows(desk).len()
}

/// The name whose bytes are in a row.
pub fn name_at(desk: &Desk, row: usize) -> Option<&str> {
    let (_, name) = *Grid::of_pane(desk).rows(desk).get(row)?;
    Some(&desk.listing.ram.get(name?)?.2)
}

/// How RAM is laid out in a pane.
struct Grid {
    name: usize,
    bytes: usize,
}

/// The first byte of a row, and the number of the name it belongs to.
type Segment = (usize, Option<usize>);

impl Grid {
    fn of(desk: &Desk, width: usize) -> Grid {
        if desk.ram.1 {
            return Grid { name: 0, bytes: ROW };
        }
        let names = desk.listing.ram.iter().map(|(.., name)| name.chars().count());
        let name = names.max().unwrap_or(0).clamp(*NAME.start(), *NAME.end()) + 1;
        let fit = width.saturating_sub(ADDRESS + name) / BYTE;
        Grid { name, bytes: if fit >= ROW { ROW } else { LEAST_ROW } }
    }

    fn of_pane(desk: &Desk) -> Grid {
        let area = desk.arrangement().area_of(Pane::Ram);
        Grid::of(desk, area.map_or(80, |area| usize::from(area.width.saturating_sub(2))))
    }

    fn rows(&self, desk: &Desk) -> Vec<Segment> {
        if desk.ram.1 {
            return (0..RAM_BYTES).step_by(self.bytes).map(|first| (first, None)).collect();
        }
        let names = desk.listing.ram.iter().enumerate();
        let rows = names.flat_map(|(number, (first, size, _))| {
            let first = usize::from(*first);
            let end = (first + usize::from(*size).max(1)).min(usize::from(WORKING_RAM_END));
            (first..end).step_by(self.bytes).map(move |first| (first, Some(number)))
        });
        rows.collect()
    }

    fn draw(&self, desk: &Desk, canvas: &mut Canvas, row: usize, (first, name): Segment) {
        canvas.text(0, row, &format!("{first:03X}"), Ink::Dim);
        let mut end = first + self.bytes;
        let mut is_single = false;
        if let Some((start, size, name)) = name.and_then(|name| desk.listing.ram.get(name)) {
            let start = usize::from(*start);
            if start == first {
                canvas.cell(ADDRESS, row, self.name.saturating_sub(1)).text(0, 0, name, Ink::Label);
            }
            end = end.min(start + usize::from(*size).max(1));
            is_single = *size <= 1;
        }
        let value = |ram: &[u8], address: usize| ram.get(address).copied().unwrap_or(0);
        let mut column = (ADDRESS + self.name).saturating_sub(1);
        for address in first..end.min(RAM_BYTES) {
            let now = value(&desk.look.ram, address);
            let is_new = desk.before.as_ref().is_some_and(|before| value(&before.ram, address) != now);
            column = canvas.text(column, row, &format!("{}{now:02X}", mark(is_new)), changed(is_new));
        }
        if is_single {
            canvas.text(column + 1, row, &format!("{:>3}", value(&desk.look.ram, first)), Ink::Dim);
        }
    }
}
