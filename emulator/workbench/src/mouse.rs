//! What the mouse does: the wheel scrolls, a click gives a pane the keys and does what lies there, and the time line can
//! be dragged along.

use crate::desk::Desk;
use crate::input::Order;
use crate::keys::Key;
use crate::pane::{CHIP_WIDTH, Pane};
use crate::views;
use crossterm::event::{KeyCode, MouseButton, MouseEvent, MouseEventKind};
use gray1_isa::memory_map::{PADCOL, PADROW};
use ratatui::layout::{Position as Spot, Rect};

/// Rows that a turn of the wheel moves.
const WHEEL: isize = 3;

impl Desk {
    /// Takes what the mouse does.
    pub(crate) fn mouse(&mut self, event: &MouseEvent) -> Option<Order> {
        let spot = Spot { x: event.column, y: event.row };
        if self.help.is_some() {
            match event.kind {
                MouseEventKind::ScrollUp => return self.help_key(Key::of(&KeyCode::Up.into())),
                MouseEventKind::ScrollDown => return self.help_key(Key::of(&KeyCode::Down.into())),
                MouseEventKind::Down(_) => self.help = None,
                _ => {}
            }
            return None;
        }
        let arrangement = self.arrangement();
        self.drags_time = match event.kind {
            MouseEventKind::Down(MouseButton::Left) => arrangement.time.contains(spot),
            // A hand that drags does not keep to one line.
            MouseEventKind::Drag(MouseButton::Left) => self.drags_time,
            _ => false,
        };
        let pane = arrangement.panes.iter().find(|(_, area)| area.contains(spot)).copied();
        match event.kind {
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
                let rows = if event.kind == MouseEventKind::ScrollUp { -WHEEL } else { WHEEL };
                let pane = pane
                    .map(|(pane, _)| pane)
                    .or(arrangement.messages.contains(spot).then_some(Pane::Messages));
                match pane {
                    Some(Pane::Source) => self.scroll_program(rows),
                    Some(pane) => self.move_by(pane, rows),
                    None => {}
                }
                None
            }
            MouseEventKind::Down(MouseButton::Left) | MouseEventKind::Drag(MouseButton::Left)
                if self.drags_time =>
            {
                let cycle = views::time::cycle_at(self, arrangement.time, event.column)?;
                self.running.is_none().then(|| Order::Quiet(format!("goto cycle {cycle}")))
            }
            MouseEventKind::Down(MouseButton::Left) if arrangement.prompt.contains(spot) => {
                self.prompt.get_or_insert_default();
                None
            }
            MouseEventKind::Down(MouseButton::Left) => {
                let (pane, area) = pane?;
                self.focus = pane;
                self.click(pane, area, spot)
            }
            _ => None,
        }
    }

    /// A click into a pane.
    fn click(&mut self, pane: Pane, area: Rect, spot: Spot) -> Option<Order> {
        let row = usize::from(spot.y.checked_sub(area.y + 1)?);
        let column = spot.x.checked_sub(area.x + 1)?;
        if row + 2 >= usize::from(area.height) || column + 2 >= area.width {
            return None;
        }
        match pane {
            Pane::Source => {
                let row = self.program.top + row;
                if row >= self.sheet().len() {
                    return None;
                }
                self.program.cursor = row;
                let in_gutter = usize::from(column) < views::source::gutter(self);
                let place = self.place_at_cursor().filter(|_| in_gutter && self.running.is_none())?;
                self.toggle(&place)
            }
            Pane::Board => {
                let (first, rows) = views::board::table(self, area);
                let place = usize::from(column / CHIP_WIDTH) * rows + row.checked_sub(first)?;
                if row < first + rows && place < self.cards.len() {
                    self.chip = place;
                }
                None
            }
            Pane::Display if self.running.is_none() => {
                let (row, column) = views::display::led_at(area, spot)?;
                let pressed = (1 << row, 1 << column);
                let byte = |address: u16| self.look.ram.get(usize::from(address)).copied().unwrap_or(0);
                let now = (byte(PADROW), byte(PADCOL));
                Some(Order::Line(if now == pressed {
                    "press none".to_owned()
                } else {
                    format!("press {row} {column}")
                }))
            }
            _ => None,
        }
    }
}
