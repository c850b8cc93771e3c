//! The help: every key and every command, generated from the tables by which they are handled.

use crate::keys::{self, Binding, KEYS};
use gray1_text::wrap;
use ratatui_core::layout::Rect;

/// The width from which on there are two columns.
const TWO_COLUMNS: usize = 130;

/// The columns of a key's or a command's name.
pub const NAME_WIDTH: usize = 13;

/// The help while it is shown.
#[derive(Default)]
pub struct Help {
    /// The number of rows by which it is scrolled.
    pub top: usize,
    /// The key to explain.
    pub key: Option<String>,
}

pub enum HelpRow {
    Title(&'static str),
    Key(&'static Binding),
    /// A command and the first line of its description; further lines have no name.
    Command(&'static str, String),
    Empty,
}

impl Help {
    /// The rows of a page.
    pub fn page(screen: Rect) -> usize {
        usize::from(screen.height).saturating_sub(4).max(1)
    }

    pub fn scroll(&mut self, rows: isize, screen: Rect) {
        let width = usize::from(screen.width).saturating_sub(2);
        let most = self::rows(width).len().div_ceil(columns(width)).saturating_sub(Help::page(screen));
        self.top = self.top.saturating_add_signed(rows).min(most);
    }
}

/// The columns of rows inside a frame of this width.
pub fn columns(width: usize) -> usize {
    if width >= TWO_COLUMNS { 2 } else { 1 }
}

/// The rows inside a frame of this width.
pub fn rows(width: usize) -> Vec<HelpRow> {
    let room = (width / columns(width)).saturating_sub(NAME_WIDTH + 1).max(1);
    let mut rows = Vec::new();
    for group in &KEYS {
        rows.push(HelpRow::Title(group.title));
        rows.extend(group.bindings.iter().map(HelpRow::Key));
        rows.push(HelpRow::Empty);
    }
    rows.push(HelpRow::Title("Commands to type after `:`; Tab completes, Up and Down recall"));
    for command in keys::commands() {
        let lines = wrap(&format!("{}: {}", command.about, command.usage), room);
        let names = std::iter::once(command.name()).chain(std::iter::repeat(""));
        rows.extend(names.zip(lines).map(|(name, line)| HelpRow::Command(name, line)));
    }
    rows
}
