//! The display pane: the position of each LED.

use gray1_isa::memory_map::DISPLAY_SIZE;
use ratatui_core::layout::Position;

/// The columns of an LED.
pub const LED_WIDTH: usize = 2;

/// The number of empty columns at the left, so that the LEDs are in the middle of the pane.
pub fn margin(width: usize) -> usize {
    width.saturating_sub(LED_WIDTH * DISPLAY_SIZE - 1) / 2
}

/// The row and the column of the LED at a position inside a pane of this width.
pub fn led_at(width: usize, position: Position) -> Option<(usize, usize)> {
    let row = usize::from(position.y);
    let column = usize::from(position.x).checked_sub(margin(width))? / LED_WIDTH;
    (row < DISPLAY_SIZE && column < DISPLAY_SIZE).then_some((row, column))
}
