//! What the screen looks like: one file a pane. Views draw the state into a buffer, and change nothing.

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
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

/// Draws the screen; returns where the cursor of the terminal is, if it is to be visible.
pub fn draw(state: &ScreenState, buffer: &mut Buffer, theme: Theme) -> Option<Position> {
    let mut screen = Canvas::new(buffer, theme);
    if state.panes.is_tiny() {
        title::draw_tiny(state, &mut screen);
        return None;
    }
    let layout = state.panes.layout();
    title::draw(state, &mut screen.part(layout.title));
    for (pane, area) in &layout.panes {
        let mut canvas = screen.part(*area);
        match pane {
            Pane::Source => source::draw(state, &mut canvas),
            Pane::Board => board::draw(state, &mut canvas),
            Pane::Registers => registers::draw(state, &mut canvas),
            Pane::Ram => ram::draw(state, &mut canvas),
            Pane::Display => display::draw(state, &mut canvas),
            Pane::Output => output::draw(state, &mut canvas),
            Pane::Points => lists::points(state, &mut canvas),
            Pane::Messages => lists::messages(state, &mut canvas),
        }
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
