//! What all panes have in common: a frame, and marks for what has changed.

use crate::canvas::Canvas;
use crate::keys;
use crate::pane::Pane;
use crate::state::ScreenState;
use crate::theme::Ink;

/// Draws the frame of a pane, with something about it at the right; returns what is inside.
pub fn frame<'a>(state: &ScreenState, canvas: &'a mut Canvas, pane: Pane, right: &str) -> Canvas<'a> {
    let title = match (pane, state.source.shown_file(&state.listing)) {
        (Pane::Source, Some(file)) => format!("source: {}", file.path),
        (Pane::Source, None) => "source: words".to_owned(),
        _ => pane.name().to_owned(),
    };
    let key = keys::of_pane(pane).unwrap_or_default();
    canvas.frame(format!("{key} {title}").trim_start(), right, state.panes.focus == pane)
}

/// The style of what may have changed.
pub fn changed(has_changed: bool) -> Ink {
    if has_changed { Ink::Changed } else { Ink::Plain }
}

/// The mark of what has changed, which needs no colour.
pub fn mark(has_changed: bool) -> &'static str {
    if has_changed { "*" } else { " " }
}
