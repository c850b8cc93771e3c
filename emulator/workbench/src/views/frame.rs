//! Parts of all panes: the frame, and marks for changes.

use crate::canvas::Canvas;
use crate::keys;
use crate::pane::Pane;
use crate::state::ScreenState;
use crate::theme::Ink;

/// Draws the frame of a pane, with a note at the right; returns the area inside.
pub fn frame<'a>(state: &ScreenState, canvas: &'a mut Canvas, pane: Pane, right: &str) -> Canvas<'a> {
    let title = match (pane, state.source.shown_file(&state.listing)) {
        (Pane::Source, Some(file)) => format!("source: {}", file.path),
        (Pane::Source, None) => "source: words".to_owned(),
        _ => pane.name().to_owned(),
    };
    let key = keys::of_pane(pane).unwrap_or_default();
    canvas.frame(format!("{key} {title}").trim_start(), right, state.panes.focus == pane)
}

/// The style of something, depending on whether it has changed.
pub fn changed(has_changed: bool) -> Ink {
    if has_changed { Ink::Changed } else { Ink::Plain }
}

/// The mark of something that has changed, which is visible without colours.
pub fn mark(has_changed: bool) -> &'static str {
    if has_changed { "*" } else { " " }
}
