//! Lists: points, messages, and what a word of the command line can become.

use super::title_of;
use crate::desk::{Desk, Kind, Message};
use crate::paint::{Canvas, Ink};
use crate::pane::Pane;

/// Breakpoints and watchpoints.
pub fn points(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let mut inner = canvas.frame(&title_of(Pane::Points), "", has_focus);
    if desk.points.is_empty() {
        inner.text(0, 0, "none: b, w and l set them", Ink::Dim);
    }
    for (row, point) in desk.points.iter().skip(desk.point).take(inner.height()).enumerate() {
        let column = inner.text(0, row, &format!("{:>2} ", point.number), Ink::Point);
        let met = if point.hits == 0 { String::new() } else { format!(" x{}", point.hits) };
        let room = inner.width().saturating_sub(met.len());
        inner.cell(column, row, room.saturating_sub(column)).text(0, 0, &point.title, Ink::Plain);
        inner.text(room, row, &met, Ink::Dim);
    }
}

/// All messages, the newest at the bottom.
pub fn messages(desk: &Desk, canvas: &mut Canvas, has_focus: bool) {
    let mut inner = canvas.frame(&title_of(Pane::Messages), "", has_focus);
    let (messages, back) = &desk.messages;
    let end = messages.len().saturating_sub(*back);
    let start = end.saturating_sub(inner.height());
    for (row, message) in messages[start..end].iter().enumerate() {
        say(&mut inner, row, message);
    }
}

/// The newest messages, without a frame.
pub fn latest_messages(desk: &Desk, canvas: &mut Canvas) {
    let (messages, back) = &desk.messages;
    let end = messages.len().saturating_sub(*back);
    let start = end.saturating_sub(canvas.height());
    for (row, message) in messages[start..end].iter().enumerate() {
        say(canvas, row, message);
    }
}

/// What the word being typed can become, in place of the newest message.
pub fn offers(desk: &Desk, canvas: &mut Canvas) {
    let Some((offers, chosen)) = desk.prompt.as_ref().map(|prompt| prompt.offers()) else { return };
    if offers.is_empty() || canvas.height() == 0 {
        return;
    }
    let row = canvas.height() - 1;
    canvas.text(0, row, &" ".repeat(canvas.width()), Ink::Plain);
    // The chosen one is seen, and what follows it.
    let first = if chosen < offers.len() { chosen.saturating_sub(3) } else { 0 };
    let mut column = 1;
    for (place, offer) in offers.iter().enumerate().skip(first) {
        if column >= canvas.width() {
            break;
        }
        column = canvas.text(column, row, offer, if place == chosen { Ink::Now } else { Ink::Said }) + 2;
    }
}

fn say(canvas: &mut Canvas, row: usize, message: &Message) {
    match message.kind {
        Kind::Command => {
            let column = canvas.text(0, row, "> ", Ink::Dim);
            let column = canvas.text(column, row, &message.text, Ink::Said);
            canvas.text(column + 2, row, &message.place, Ink::Dim);
        }
        Kind::Answer => {
            canvas.text(2, row, &message.text, Ink::Plain);
        }
        Kind::Fault => {
            let column = canvas.text(0, row, "! ", Ink::Error);
            canvas.text(column, row, &message.text, Ink::Error);
        }
    }
}
