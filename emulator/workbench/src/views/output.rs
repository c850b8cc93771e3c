//! The bytes that the program has sent, as text: the end of it, unless the user has scrolled back.

use crate::canvas::Canvas;
use crate::state::ScreenState;
use crate::state::output::lines;
use crate::theme::Ink;

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    let lines = lines(&state.machine.output, canvas.width());
    let end = lines.len().saturating_sub(state.output.back);
    let start = end.saturating_sub(canvas.height());
    for (row, line) in lines[start..end].iter().enumerate() {
        canvas.text(0, row, line, Ink::Plain);
    }
}
