//! The help: every key and every command, from the tables that make them work.

use crate::desk::Help;
use crate::keys::{self, KEYS};
use crate::paint::{Canvas, Ink};
use ratatui::layout::Rect;

/// Columns of a key's name, and of a command.
const KEY: usize = 13;
const COMMAND: usize = 20;
/// A screen this wide has two columns of keys.
const TWO_COLUMNS: usize = 130;

enum Row {
    Title(&'static str),
    Key(&'static keys::Binding),
    Command((&'static str, &'static str, &'static str)),
    Empty,
}

/// Draws it over everything else.
pub fn draw(help: &Help, screen: &mut Canvas) {
    screen.clear();
    let mut inner = screen.frame("help", "any key: what it does   Up Down PgUp PgDn   Esc: back", true);
    let about = help.key.map(|key| match keys::binding(key) {
        Some(binding) => format!("{}: {}, `{}`", key.name(), binding.about, binding.does.text()),
        None => format!("{} does nothing", key.name()),
    });
    let mut top = 0;
    if let Some(about) = about {
        inner.text(1, 0, &about, Ink::Changed);
        top = 2;
    }
    let width = inner.width();
    let area = inner.area;
    let mut inner = inner.part(Rect { y: area.y + top, height: area.height.saturating_sub(top), ..area });
    let columns = columns(width);
    let rows = all_rows();
    let per_column = rows.len().div_ceil(columns);
    for (number, row) in rows.iter().enumerate() {
        let (column, line) = (number / per_column, number % per_column);
        let Some(line) = line.checked_sub(help.top).filter(|line| *line < inner.height()) else { continue };
        let mut part = inner.cell(column * width / columns + 1, line, (width / columns).saturating_sub(1));
        match row {
            Row::Title(title) => {
                part.text(0, 0, title, Ink::Title);
            }
            Row::Key(binding) => {
                part.text(1, 0, &binding.key.name(), Ink::Changed);
                part.text(KEY, 0, &binding.does.text(), Ink::Said);
                part.text(KEY + COMMAND, 0, binding.about, Ink::Plain);
            }
            Row::Command((name, usage, about)) => {
                part.text(1, 0, name, Ink::Said);
                part.text(KEY, 0, &format!("{about}: {usage}"), Ink::Plain);
            }
            Row::Empty => {}
        }
    }
}

/// How many rows there are on a screen of this width.
pub fn rows(width: usize) -> usize {
    all_rows().len().div_ceil(columns(width))
}

fn columns(width: usize) -> usize {
    if width >= TWO_COLUMNS { 2 } else { 1 }
}

fn all_rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for group in &KEYS {
        rows.push(Row::Title(group.title));
        rows.extend(group.bindings.iter().map(Row::Key));
        rows.push(Row::Empty);
    }
    rows.push(Row::Title("Commands to type after `:`; Tab completes, Up and Down recall"));
    rows.extend(keys::commands().map(Row::Command));
    rows
}
