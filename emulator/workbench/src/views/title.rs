//! The first line and the last: where the machine is, and what can be typed.

use crate::desk::Desk;
use crate::keys::FOOTER;
use crate::paint::{Canvas, Ink};
use gray1_debugger::ExpansionKind;
use gray1_display::status::grouped;
use ratatui::layout::Position;

/// From this width on there is room for the name of the program, and for speed.
const ROOMY: usize = 60;

/// The first line: the program, the position, the calls and rounds that lead there.
pub fn draw(desk: &Desk, canvas: &mut Canvas) {
    canvas.row_style(0, Ink::Bar);
    let width = canvas.width();
    canvas.text(0, 0, &" ".repeat(width), Ink::Bar);
    let state = state(desk);
    let room = width.saturating_sub(state.chars().count() + 2);
    let mut left = canvas.cell(0, 0, room);
    let file = desk.listing.files.first().map_or("image", |file| file.path.as_str());
    let file = file.rsplit('/').next().unwrap_or(file);
    let bar = left.paint.signs.bar;
    let position = desk.look.position;
    let mut text = format!("cycle {} phase {}", grouped(position.cycle), position.phase);
    if width >= ROOMY {
        text = format!(" {file} {bar} {text}");
    }
    for kind in desk.listing.expansions(desk.look.running) {
        text += &format!(" {bar} {}", expansion_name(kind));
    }
    left.text(0, 0, &text, Ink::Bar);
    canvas.text_before(width.saturating_sub(1), 0, &state, Ink::Bar);
}

/// All there is room for on a very small screen.
pub fn short(desk: &Desk, canvas: &mut Canvas) {
    let position = desk.look.position;
    canvas.text(0, 0, &format!("cycle {}.{}", position.cycle, position.phase), Ink::Plain);
    canvas.text(0, 1, &state(desk), Ink::Plain);
}

/// The last line: the command line, or the keys. Returns where its cursor is.
pub fn prompt(desk: &Desk, canvas: &mut Canvas) -> Option<Position> {
    if let Some(prompt) = &desk.prompt {
        let start = canvas.text(0, 0, ":", Ink::Title);
        let room = canvas.width().saturating_sub(start);
        let (text, cursor) = prompt.window(room);
        canvas.text(start, 0, &text, Ink::Plain);
        let area = canvas.area;
        let column = (start + cursor).min(canvas.width().saturating_sub(1));
        return (!area.is_empty()).then(|| Position { x: area.x + column as u16, y: area.y });
    }
    let keys: &[&str] =
        if desk.running.is_some() { &["Esc stop", "1-8 Tab panes", "? help"] } else { &FOOTER };
    let mut column = 0;
    for key in keys {
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
        ExpansionKind::Macro(name) => format!("this call of `{name}`"),
        ExpansionKind::Iteration { counter: Some(counter), value } => format!("{counter} = {value}"),
        ExpansionKind::Iteration { counter: None, value } => format!("iteration {value}, counted from 0"),
    }
}

fn state(desk: &Desk) -> String {
    match &desk.running {
        Some(running) => {
            // Backwards the machine jumps about: that has no speed.
            let cycles = desk.look.position.cycle.saturating_sub(running.from);
            let seconds = running.time.as_secs_f64();
            if usize::from(desk.area.width) < ROOMY {
                return "Esc stops".to_owned();
            }
            let speed = if seconds > 0.2 { cycles as f64 / seconds / 1e6 } else { 0.0 };
            let command = running.line.split_whitespace().next().unwrap_or("");
            if speed > 0.0 {
                format!("{command} {speed:.1} M/s, Esc stops")
            } else {
                format!("{command}, Esc stops")
            }
        }
        None if desk.look.is_halted => "halted".to_owned(),
        None => String::new(),
    }
}
