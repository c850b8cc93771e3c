//! The LEDs, with a symbol for each colour, so that they can be distinguished without colours.

use crate::canvas::Canvas;
use crate::state::ScreenState;
use crate::state::display::{LED_WIDTH, margin};
use crate::theme::Ink;
use gray1_isa::memory_map::DISPLAY_SIZE;

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    let margin = margin(canvas.width());
    for row in 0..DISPLAY_SIZE {
        for column in 0..DISPLAY_SIZE {
            let is_lit = |row: usize| state.machine.display[row] >> column & 1 == 1;
            let (led, ink) = match (is_lit(row), is_lit(row + DISPLAY_SIZE)) {
                (false, false) => (0, Ink::Dim),
                (true, false) => (1, Ink::Green),
                (false, true) => (2, Ink::Red),
                (true, true) => (3, Ink::Amber),
            };
            let symbol = canvas.theme.symbols.led[led];
            canvas.text(margin + LED_WIDTH * column, row, symbol, ink);
        }
    }
}
