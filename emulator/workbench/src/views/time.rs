//! The time line: the run as far as it is known, from left to right. A click or a drag goes there.

use crate::desk::Desk;
use crate::paint::{Canvas, Ink};
use gray1_display::status::grouped;
use ratatui::layout::Rect;

/// Draws it.
pub fn draw(desk: &Desk, canvas: &mut Canvas) {
    if canvas.height() == 0 {
        return;
    }
    let bar = Bar::of(desk, canvas.width());
    let [gone, now, to_come, stop_gone, stop_to_come, halt] = canvas.paint.signs.time;
    canvas.text(1, 0, &bar.from, Ink::Dim);
    canvas.text(bar.start + bar.length + 1, 0, &bar.to, Ink::Dim);
    let at = bar.column_of(desk.look.position.cycle);
    let stops: Vec<usize> = desk.stops.iter().map(|stop| bar.column_of(stop.cycle)).collect();
    for column in 0..bar.length {
        let is_stop = stops.contains(&column);
        let is_halt = column + 1 == bar.length && desk.halt.is_some_and(|halt| halt.cycle == bar.last);
        let (sign, ink) = match column {
            _ if column == at => (now, Ink::Changed),
            _ if is_halt => (halt, Ink::Title),
            _ if column < at => (if is_stop { stop_gone } else { gone }, Ink::Title),
            _ => (if is_stop { stop_to_come } else { to_come }, Ink::Dim),
        };
        canvas.text(bar.start + column, 0, sign, ink);
    }
}

/// The cycle that a column of the screen stands for.
pub fn cycle_at(desk: &Desk, area: Rect, column: u16) -> Option<u64> {
    let bar = Bar::of(desk, usize::from(area.width));
    if bar.length == 0 {
        return None;
    }
    let place = usize::from(column.saturating_sub(area.x)).saturating_sub(bar.start).min(bar.length - 1);
    let known = u128::from(bar.last - bar.first);
    let cycles = known * place as u128 / (bar.length as u128 - 1).max(1);
    Some(bar.first + u64::try_from(cycles).unwrap_or(0))
}

struct Bar {
    first: u64,
    last: u64,
    from: String,
    to: String,
    start: usize,
    length: usize,
}

impl Bar {
    fn of(desk: &Desk, width: usize) -> Bar {
        let (first, last) = (desk.look.start.cycle, desk.look.end.cycle.max(desk.look.start.cycle));
        let (from, to) = (grouped(first), grouped(last));
        let start = from.len() + 2;
        Bar { first, last, length: width.saturating_sub(start + to.len() + 2), start, from, to }
    }

    fn column_of(&self, cycle: u64) -> usize {
        let known = u128::from(self.last - self.first).max(1);
        let gone = u128::from(cycle.saturating_sub(self.first).min(self.last - self.first));
        (gone * (self.length as u128).saturating_sub(1) / known) as usize
    }
}
