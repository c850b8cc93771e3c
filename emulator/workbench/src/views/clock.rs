//! The clock: two rising and two falling edges of the oscillator, with the latest one marked.

use crate::canvas::Canvas;
use crate::state::ScreenState;
use crate::theme::Ink;

/// The event of each phase.
pub const PHASE_NAMES: [&str; gray1_machine::PHASES] =
    ["nets settle", "masters open", "the gap", "slaves open"];

/// Draws the clock in two rows.
pub fn clock(state: &ScreenState, canvas: &mut Canvas, row: usize) {
    let phase = usize::from(state.machine.position.phase) % PHASE_NAMES.len();
    let [low, high] = canvas.theme.symbols.level;
    canvas.text(1, row, "phase", Ink::Plain);
    canvas.text(1, row + 1, "OSC", Ink::Plain);
    for number in 0..PHASE_NAMES.len() {
        let column = 6 + 3 * number;
        let level = if number % 2 == 1 { high } else { low }.repeat(3);
        if number == phase {
            canvas.text(column, row, &format!("[{number}]"), Ink::Title);
            canvas.text(column, row + 1, &level, Ink::Changed);
        } else {
            canvas.text(column + 1, row, &number.to_string(), Ink::Dim);
            canvas.text(column, row + 1, &level, Ink::Dim);
        }
    }
    canvas.text(18, row, PHASE_NAMES[phase], Ink::Plain);
}
