//! Lists: points, messages, and the completions of a word of the command line.

use crate::canvas::Canvas;
use crate::state::ScreenState;
use crate::state::messages::Role;
use crate::theme::Ink;

/// The number of completions to the left of the chosen one that stay visible.
const BEFORE_CHOSEN: usize = 3;

pub fn points(state: &ScreenState, canvas: &mut Canvas) {
    if state.points.list.is_empty() {
        canvas.text(0, 0, "none: keys b, w", Ink::Dim);
    }
    for (row, point) in state.points.list.iter().skip(state.points.top).take(canvas.height()).enumerate() {
        let column = canvas.text(0, row, &format!("{:>2} ", point.number), Ink::Point);
        let hits = if point.hits == 0 { String::new() } else { format!(" x{}", point.hits) };
        let end = canvas.width().saturating_sub(hits.len());
        canvas.cell(column, row, end.saturating_sub(column)).text(0, 0, &point.title, Ink::Plain);
        canvas.text(end, row, &hits, Ink::Dim);
    }
}

/// The latest messages, as many as there is room for.
pub fn latest_messages(state: &ScreenState, canvas: &mut Canvas) {
    for (row, message) in state.messages.visible(canvas.height()).iter().enumerate() {
        match message.role {
            Role::Command => {
                canvas.text(0, row, "> ", Ink::Dim);
                let column = canvas.text(2, row, &message.text, Ink::Command);
                canvas.text(column + 2, row, &message.arrival, Ink::Dim);
            }
            Role::Answer => {
                canvas.text(2, row, &message.text, Ink::Plain);
            }
            Role::Error => {
                canvas.text(0, row, "! ", Ink::Error);
                canvas.text(2, row, &message.text, Ink::Error);
            }
        }
    }
}

/// The completions of the current word, in place of the latest message.
pub fn completions(state: &ScreenState, canvas: &mut Canvas) {
    let completions = &state.prompt.completions;
    if completions.words.is_empty() || canvas.height() == 0 {
        return;
    }
    let mut canvas = canvas.below(canvas.height() - 1);
    canvas.clear();
    let first = completions.chosen.unwrap_or(0).saturating_sub(BEFORE_CHOSEN);
    let mut column = 1;
    for (index, word) in completions.words.iter().enumerate().skip(first) {
        let ink = if Some(index) == completions.chosen { Ink::Now } else { Ink::Command };
        column = canvas.text(column, 0, word, ink) + 2;
    }
}
