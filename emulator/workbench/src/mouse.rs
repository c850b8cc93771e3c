//! The mouse: the wheel scrolls, a click gives a pane the focus and acts on the thing at that place, and dragging moves
//! along the timeline.

use crate::commands::{Request, toggle};
use crate::pane::Pane;
use crate::state::ScreenState;
use crate::state::display::led_at;
use crate::state::time::TimeScale;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use gray1_isa::memory_map::DISPLAY_SIZE;
use ratatui_core::layout::{Margin, Position, Rect};

/// The number of rows by which one turn of the wheel scrolls.
const WHEEL: isize = 3;

pub fn mouse(state: &mut ScreenState, event: &MouseEvent) -> Option<Request> {
    let at = Position { x: event.column, y: event.row };
    let wheel = match event.kind {
        MouseEventKind::ScrollUp => -WHEEL,
        MouseEventKind::ScrollDown => WHEEL,
        _ => 0,
    };
    if state.help.is_some() {
        if wheel != 0 {
            state.scroll_help(wheel.signum());
        } else if matches!(event.kind, MouseEventKind::Down(_)) {
            state.help = None;
        }
        return None;
    }
    let layout = state.panes.layout();
    let pane = layout.panes.iter().find(|(_, area)| area.contains(at));
    if wheel != 0 {
        match pane {
            Some((Pane::Source, _)) => {
                let (count, height) = (state.source_rows().len(), state.panes.rows_of(Pane::Source));
                state.source.scroll(wheel, count, height);
            }
            Some((pane, _)) => state.move_by(*pane, wheel),
            None if layout.messages.contains(at) => state.move_by(Pane::Messages, wheel),
            None => {}
        }
    }
    let is_click = event.kind == MouseEventKind::Down(MouseButton::Left);
    state.time.is_dragged = match event.kind {
        _ if is_click => layout.time.contains(at),
        // A drag need not stay in one row.
        MouseEventKind::Drag(MouseButton::Left) => state.time.is_dragged,
        _ => false,
    };
    if state.time.is_dragged {
        let scale = TimeScale::new(&state.machine, usize::from(layout.time.width));
        let cycle = scale.cycle_at(usize::from(at.x.saturating_sub(layout.time.x)))?;
        return state.running.is_none().then(|| Request::Scrub(format!("goto cycle {cycle}")));
    }
    if is_click && layout.prompt.contains(at) && !state.prompt.is_open {
        state.prompt.open("");
    }
    let (pane, area) = pane.filter(|_| is_click)?;
    state.panes.focus = *pane;
    let inside = area.inner(Margin::new(1, 1));
    let at = Position { x: at.x.checked_sub(inside.x)?, y: at.y.checked_sub(inside.y)? };
    click(state, *pane, inside, at)
}

/// A click into a pane; the position counts from the top left corner inside its frame.
fn click(state: &mut ScreenState, pane: Pane, inside: Rect, at: Position) -> Option<Request> {
    if at.x >= inside.width || at.y >= inside.height {
        return None;
    }
    match pane {
        Pane::Source => {
            let row = state.source.top + usize::from(at.y);
            if row >= state.source_rows().len() {
                return None;
            }
            state.source.cursor = row;
            let is_in_gutter = usize::from(at.x) < state.source.gutter(&state.listing);
            let location = state.location_at_cursor().filter(|_| is_in_gutter && state.running.is_none())?;
            toggle(state, &location)
        }
        Pane::Board if state.board.is_unfolded => {
            state.board.is_unfolded = false;
            None
        }
        Pane::Board => {
            state.board.chip = state.board.chip_at(inside, at)?;
            None
        }
        Pane::Display if state.running.is_none() => {
            let (row, column) = led_at(usize::from(inside.width), at)?;
            let is_red = state.machine.display[row + DISPLAY_SIZE] >> column & 1 == 1;
            let color = if is_red { "red" } else { "green" };
            Some(Request::Command(format!("who lit {color} {row},{column}")))
        }
        _ => None,
    }
}
