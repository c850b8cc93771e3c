//! The first line and the last: the position of the machine, and the command line or the keys.

use crate::canvas::Canvas;
use crate::keys::{FOOTER, RUNNING_FOOTER};
use crate::state::ScreenState;
use crate::theme::Ink;
use gray1_debugger::ExpansionKind;
use gray1_text::grouped;
use ratatui_core::layout::Position;

/// The width from which on there is room for the name of the program, and for the speed.
const ROOMY: usize = 60;

/// The first line: the program, the position, and the calls and iterations that lead there.
pub fn draw(state: &ScreenState, canvas: &mut Canvas) {
    canvas.style_row(0, Ink::Bar);
    let width = canvas.width();
    let activity = activity(state);
    let mut left = canvas.cell(0, 0, width.saturating_sub(activity.chars().count() + 2));
    let file = state.listing.files.first().map_or("image", |file| file.path.as_str());
    let file = file.rsplit('/').next().unwrap_or(file);
    let bar = left.theme.symbols.bar;
    let position = state.machine.position;
    let mut text = format!("cycle {} phase {}", grouped(position.cycle), position.phase);
    if width >= ROOMY {
        text = format!(" {file} {bar} {text}");
    }
    if !state.machine.routines.is_empty() {
        text += &format!(" {bar} in {}", state.machine.routines.join(" from "));
    }
    for kind in state.listing.expansions(state.machine.running) {
        text += &format!(" {bar} {}", expansion_name(kind));
    }
    left.text(0, 0, &text, Ink::Bar);
    canvas.text_before(width.saturating_sub(1), 0, &activity, Ink::Bar);
}

/// The contents of a very small screen.
pub fn draw_tiny(state: &ScreenState, canvas: &mut Canvas) {
    let position = state.machine.position;
    canvas.text(0, 0, &format!("cycle {}.{}", position.cycle, position.phase), Ink::Plain);
    canvas.text(0, 1, &activity(state), Ink::Plain);
}

/// The last line: the command line, or keys. Returns the position of the cursor.
pub fn prompt(state: &ScreenState, canvas: &mut Canvas) -> Option<Position> {
    if state.prompt.is_open {
        let start = canvas.text(0, 0, ":", Ink::Title);
        let room = canvas.width().saturating_sub(start);
        let (text, cursor) = state.prompt.window(room);
        canvas.text(start, 0, &text, Ink::Plain);
        let area = canvas.area;
        let column = (start + cursor).min(canvas.width().saturating_sub(1));
        return (!area.is_empty()).then(|| Position { x: area.x + column as u16, y: area.y });
    }
    let keys = if state.running.is_some() { RUNNING_FOOTER } else { FOOTER };
    let mut column = 0;
    for key in keys.split("  ") {
        if column + key.len() > canvas.width() {
            break;
        }
        let (name, rest) = key.split_once(' ').unwrap_or((key, ""));
        column = canvas.text(column, 0, name, Ink::Title);
        column = canvas.text(column + 1, 0, rest, Ink::Dim) + 2;
    }
    None
}

fn expansion_name(kind: &ExpansionKind) -> String {
    match kind {
        ExpansionKind::Include => "an included file".to_owned(),
        ExpansionKind::Macro(name) | ExpansionKind::Function(name) => format!("call of `{name}`"),
        ExpansionKind::Iteration { counter: Some(counter), value } => format!("{counter} = {value}"),
        ExpansionKind::Iteration { counter: None, value } => format!("iteration {value}"),
    }
}

/// The current activity of the machine.
fn activity(state: &ScreenState) -> String {
    let Some(running) = &state.running else {
        return if state.machine.is_halted { "halted".to_owned() } else { String::new() };
    };
    if usize::from(state.panes.screen.width) < ROOMY {
        return "Esc stops".to_owned();
    }
    let command = running.line.split_whitespace().next().unwrap_or("");
    // When running backwards, the machine jumps between positions, so there is no speed.
    let cycles = state.machine.position.cycle.saturating_sub(running.start);
    let seconds = running.elapsed.as_secs_f64();
    if cycles > 0 && seconds > 0.2 {
        format!("{command} {:.1} M/s, Esc stops", cycles as f64 / seconds / 1e6)
    } else {
        format!("{command}, Esc stops")
    }
}
