//! What the screen looks like: one file a pane. Views draw what is on the desk, and change nothing.

pub mod board;
pub mod display;
pub mod help;
mod lists;
pub mod output;
pub mod ram;
mod registers;
pub mod source;
pub mod time;
mod title;

use crate::desk::Desk;
use crate::keys;
use crate::paint::{Canvas, Ink, Paint};
use crate::pane::{Pane, is_tiny};
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

/// Draws everything; returns where the cursor of the terminal is, if it is to be seen.
pub fn draw(desk: &Desk, buffer: &mut Buffer, paint: Paint) -> Option<Position> {
    let mut screen = Canvas::new(buffer, paint);
    if is_tiny(desk.area) {
        title::short(desk, &mut screen);
        return None;
    }
    let arrangement = desk.arrangement();
    title::draw(desk, &mut screen.part(arrangement.title));
    for (pane, area) in &arrangement.panes {
        let mut canvas = screen.part(*area);
        let has_focus = desk.focus == *pane;
        match pane {
            Pane::Source => source::draw(desk, &mut canvas, has_focus),
            Pane::Board => board::draw(desk, &mut canvas, has_focus),
            Pane::Registers => registers::draw(desk, &mut canvas, has_focus),
            Pane::Ram => ram::draw(desk, &mut canvas, has_focus),
            Pane::Display => display::draw(desk, &mut canvas, has_focus),
            Pane::Output => output::draw(desk, &mut canvas, has_focus),
            Pane::Points => lists::points(desk, &mut canvas, has_focus),
            Pane::Messages => lists::messages(desk, &mut canvas, has_focus),
        }
    }
    time::draw(desk, &mut screen.part(arrangement.time));
    lists::latest_messages(desk, &mut screen.part(arrangement.messages));
    lists::offers(desk, &mut screen.part(arrangement.messages));
    let cursor = title::prompt(desk, &mut screen.part(arrangement.prompt));
    if let Some(help) = &desk.help {
        help::draw(help, &mut screen);
        return None;
    }
    cursor
}

/// A pane's title with the digit that leads to it.
fn title_of(pane: Pane) -> String {
    keys::digit(pane).map_or(pane.name().to_owned(), |digit| format!("{digit} {}", pane.name()))
}

/// Ink for what may have changed.
fn changed(is: bool) -> Ink {
    if is { Ink::Changed } else { Ink::Plain }
}

/// The mark of what has changed, seen without colours too.
fn mark(is: bool) -> &'static str {
    if is { "*" } else { " " }
}
