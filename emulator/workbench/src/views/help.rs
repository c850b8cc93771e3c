//! The help, over everything else.

use crate::canvas::Canvas;
use crate::keys;
use crate::state::help::{Help, HelpRow, NAME_WIDTH, columns, rows};
use crate::theme::Ink;

/// The columns of the command of a key.
const COMMAND: usize = 20;

pub fn draw(help: &Help, screen: &mut Canvas) {
    screen.clear();
    let mut inner = screen.frame("help", "any key: explain it   Up Down PgUp PgDn   Esc: back", true);
    let mut top = 0;
    if let Some(key) = &help.key {
        let about = match keys::binding(key) {
            Some(binding) => format!("{key}: {}, `{}`", binding.about, binding.action.text()),
            None => format!("{key} has no meaning"),
        };
        inner.text(1, 0, &about, Ink::Changed);
        top = 2;
    }
    let mut inner = inner.below(top);
    let (rows, columns) = (rows(inner.width()), columns(inner.width()));
    let (per_column, width) = (rows.len().div_ceil(columns), inner.width() / columns);
    for (index, row) in rows.iter().enumerate() {
        let (column, line) = (index / per_column, index % per_column);
        let Some(line) = line.checked_sub(help.top).filter(|line| *line < inner.height()) else { continue };
        let mut part = inner.cell(column * width + 1, line, width.saturating_sub(1));
        match row {
            HelpRow::Title(title) => {
                part.text(0, 0, title, Ink::Title);
            }
            HelpRow::Key(binding) => {
                part.text(1, 0, binding.key, Ink::Changed);
                part.text(NAME_WIDTH, 0, &binding.action.text(), Ink::Command);
                part.text(NAME_WIDTH + COMMAND, 0, binding.about, Ink::Plain);
            }
            HelpRow::Command(name, line) => {
                part.text(1, 0, name, Ink::Command);
                part.text(NAME_WIDTH, 0, line, Ink::Plain);
            }
            HelpRow::Empty => {}
        }
    }
}
