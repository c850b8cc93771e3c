//! What the program has sent to the output port, as text: the end, unless the user has scrolled back.

use super::frame::frame;
use crate::canvas::Canvas;
use crate::pane::Pane;
use crate::state::ScreenState;
use crate::state::output::lines;
use crate::theme::Ink;
use gray1_isa::grouped;

pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    let sent = match state.machine.sent {
        0 => String::new(),
        1 => "1 byte".to_owned(),
        sent => format!("{} bytes", grouped(sent)),
    };
    let mut inner = frame(state, canvas, Pane::Output, &sent);
    let lines = lines(&state.machine.output, inner.width());
    let end = lines.len().saturating_sub(state.output.back);
    let start = end.saturating_sub(inner.height());
    for (row, line) in lines[start..end].iter().enumerate() {
        inner.text(0, row, line, Ink::Plain);
    }
}
