//! The help: every key and every command, generated from the tables by which they are handled.

use crate::keys::{self, Binding, CommandHelp, KEYS};
use ratatui_core::layout::Rect;

/// The width from which on there are two columns.
const TWO_COLUMNS: usize = 130;

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
    Command(CommandHelp),
    Empty,
}

impl Help {
    /// The rows of a page.
    pub fn page(screen: Rect) -> usize {
        usize::from(screen.height).saturating_sub(4).max(1)
    }

    pub fn scroll(&mut self, rows: isize, screen: Rect) {
        let width = usize::from(screen.width).saturating_sub(2);
        let most = self::rows().len().div_ceil(columns(width)).saturating_sub(Help::page(screen));
        self.top = self.top.saturating_add_signed(rows).min(most);
    }
}

/// The columns of rows inside a frame of this width.
pub fn columns(width: usize) -> usize {
    if width >= TWO_COLUMNS { 2 } else { 1 }
}

pub fn rows() -> Vec<HelpRow> {
    let mut rows = Vec::new();
    for group in &KEYS {
        rows.push(HelpRow::Title(group.title));
        rows.extend(group.bindings.iter().map(HelpRow::Key));
        rows.push(HelpRow::Empty);
    }
    rows.push(HelpRow::Title("Commands to type after `:`; Tab completes, Up and Down recall"));
    rows.extend(keys::commands().map(HelpRow::Command));
    rows
}
