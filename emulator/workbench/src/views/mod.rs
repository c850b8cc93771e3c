//! The views, one file for each pane. Views draw the state into a buffer, and do not change it.

mod board;
mod clock;
mod display;
mod frame;
mod help;
mod lists;
mod output;
mod ram;
mod registers;
mod source;
mod time;
mod title;

use crate::canvas::Canvas;
use crate::pane::Pane;
use crate::state::ScreenState;
use crate::theme::Theme;
use gray1_text::counted;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Position;

/// Draws the screen; returns the position of the terminal's cursor, if it should be visible.
pub fn draw(state: &ScreenState, buffer: &mut Buffer, theme: Theme) -> Option<Position> {
    let mut screen = Canvas::new(buffer, theme);
    if state.panes.is_tiny() {
        title::draw_tiny(state, &mut screen);
        return None;
    }
    let layout = state.panes.layout();
    title::draw(state, &mut screen.part(layout.title));
    for (pane, area) in &layout.panes {
        let draw = match pane {
            Pane::Source => source::draw,
            Pane::Board => board::draw,
            Pane::Registers => registers::draw,
            Pane::Ram => ram::draw,
            Pane::Display => display::draw,
            Pane::Output => output::draw,
            Pane::Points => lists::points,
            Pane::Messages => lists::latest_messages,
        };
        draw(state, &mut frame::frame(state, &mut screen.part(*area), *pane, &note(state, *pane)));
    }
    time::draw(state, &mut screen.part(layout.time));
    lists::latest_messages(state, &mut screen.part(layout.messages));
    lists::completions(state, &mut screen.part(layout.messages));
    let cursor = title::prompt(state, &mut screen.part(layout.prompt));
    if let Some(help) = &state.help {
        help::draw(help, &mut screen);
        return None;
    }
    cursor
}

/// The note at the right of the frame of a pane.
fn note(state: &ScreenState, pane: Pane) -> String {
    match (pane, state.listing.files.len(), state.machine.sent) {
        (Pane::Source, files @ 2.., _) => format!("file {} of {files}", state.source.file + 1),
        (Pane::Board, ..) => board::changes(state),
        (Pane::Ram, ..) if state.ram.shows_bytes => "bytes".to_owned(),
        (Pane::Output, _, sent @ 1..) => counted(sent as usize, "byte"),
        _ => String::new(),
    }
}
