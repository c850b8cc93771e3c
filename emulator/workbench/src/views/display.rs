//! The LEDs: a sign for each colour, so that they can be told apart without colours. A click presses a pad.

use super::title_of;
use crate::desk::Desk;
use crate::paint::{Canvas, Ink};
use crate::pane::Pane;
use gray1_isa::memory_map::DISPLAY_SIZE;
use ratatui::layout::{Position, Rect};

/// Columns of an LED.
const WIDTH: usize = 2;

/// Draws them.
pub fn draw(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let area = canvas.area;
    let mut inner = canvas.frame(&title_of(Pane::Display), "", has_focus);
    let margin = margin(area);
    for row in 0..DISPLAY_SIZE {
        for column in 0..DISPLAY_SIZE {
            let lit = |row: usize| desk.look.display[row] >> column & 1 == 1;
            let (led, ink) = match (lit(row), lit(row + DISPLAY_SIZE)) {
                (false, false) => (0, Ink::Dim),
                (true, false) => (1, Ink::Green),
                (false, true) => (2, Ink::Red),
                (true, true) => (3, Ink::Amber),
            };
            let sign = inner.paint.signs.led[led];
            inner.text(margin + WIDTH * column, row, sign, ink);
        }
    }
}

/// The row and the column of the LED at a place of the screen.
pub fn led_at(area: Rect, spot: Position) -> Option<(usize, usize)> {
    let row = usize::from(spot.y.checked_sub(area.y + 1)?);
    let column = usize::from(spot.x.checked_sub(area.x + 1)?).checked_sub(margin(area))? / WIDTH;
    (row < DISPLAY_SIZE && column < DISPLAY_SIZE).then_some((row, column))
}

/// Columns left free so that the LEDs are in the middle.
fn margin(area: Rect) -> usize {
    usize::from(area.width.saturating_sub(2)).saturating_sub(WIDTH * DISPLAY_SIZE - 1) / 2
}
