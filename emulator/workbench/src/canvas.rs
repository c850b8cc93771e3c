//! Writing text onto a part of the screen. What does not fit there is cut off.

use crate::theme::{Ink, Theme};
use gray1_text::wrap;
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Margin, Rect};
use ratatui_core::style::Style;
use ratatui_core::symbols::border::Set;

/// A part of the screen; rows and columns count from its top left corner.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    pub area: Rect,
    pub theme: Theme,
}

impl<'a> Canvas<'a> {
    pub fn new(buffer: &'a mut Buffer, theme: Theme) -> Canvas<'a> {
        Canvas { area: buffer.area, buffer, theme }
    }

    pub fn part(&mut self, area: Rect) -> Canvas<'_> {
        Canvas { area: area.intersection(self.area), buffer: self.buffer, theme: self.theme }
    }

    /// Everything from a row on.
    pub fn below(&mut self, row: usize) -> Canvas<'_> {
        let row = row.min(self.height()) as u16;
        self.part(Rect { y: self.area.y + row, height: self.area.height - row, ..self.area })
    }

    /// A part of one row.
    pub fn cell(&mut self, column: usize, row: usize, width: usize) -> Canvas<'_> {
        let fit = |number: usize| number.min(usize::from(u16::MAX)) as u16;
        let (x, y) = (self.area.x.saturating_add(fit(column)), self.area.y.saturating_add(fit(row)));
        self.part(Rect { x, y, width: fit(width), height: 1 })
    }

    pub fn width(&self) -> usize {
        usize::from(self.area.width)
    }

    pub fn height(&self) -> usize {
        usize::from(self.area.height)
    }

    /// Writes text from a column on; returns the column after it. Text that is cut off ends with a symbol.
    pub fn text(&mut self, column: usize, row: usize, text: &str, ink: Ink) -> usize {
        if row >= self.height() || column >= self.width() {
            return column;
        }
        let text = self.theme.clean(text);
        let style = self.theme.style(ink);
        let room = self.width() - column;
        let (x, y) = (self.area.x + column as u16, self.area.y + row as u16);
        let (end, _) = self.buffer.set_stringn(x, y, &text, room, style);
        let shown = usize::from(end - self.area.x);
        // Text with wide letters has fewer of them than columns, so the symbol may be missing, but never wrong.
        if shown >= self.width() && text.chars().count() > room {
            let last = self.area.right() - 1;
            self.buffer.set_stringn(last, y, self.theme.symbols.more, 1, style);
        }
        shown
    }

    /// Writes text that ends before a column.
    pub fn text_before(&mut self, column: usize, row: usize, text: &str, ink: Ink) {
        self.text(column.saturating_sub(text.chars().count()), row, text, ink);
    }

    /// Writes text in as many rows as it needs.
    pub fn paragraph(&mut self, text: &str, ink: Ink) {
        for (row, line) in wrap(text, self.width()).iter().enumerate() {
            self.text(0, row, line, ink);
        }
    }

    /// Styles a whole row.
    pub fn style_row(&mut self, row: usize, ink: Ink) {
        let width = self.width();
        let row = self.cell(0, row, width);
        row.buffer.set_style(row.area, row.theme.style(ink));
    }

    pub fn clear(&mut self) {
        for position in self.area.positions() {
            self.buffer[position].reset();
        }
    }

    /// Draws a frame with one text at the left of its top line and another at the right; returns the area inside.
    pub fn frame(&mut self, title: &str, right: &str, has_focus: bool) -> Canvas<'_> {
        let symbols = self.theme.symbols;
        let (frame, ink, title_ink) = match has_focus {
            true => (symbols.focused_frame, Ink::Title, Ink::Title),
            false => (symbols.frame, Ink::Dim, Ink::Plain),
        };
        self.border(&frame, self.theme.style(ink));
        let mut top = self.cell(1, 0, self.width().saturating_sub(2));
        let end = top.text(1, 0, &format!(" {title} "), title_ink);
        let room = top.width().saturating_sub(1);
        if !right.is_empty() && end + right.chars().count() + 2 <= room {
            top.text_before(room, 0, &format!(" {right} "), Ink::Dim);
        }
        self.part(self.area.inner(Margin::new(1, 1)))
    }

    fn border(&mut self, set: &Set, style: Style) {
        if self.area.is_empty() {
            return;
        }
        let (top, bottom) = (self.area.y, self.area.bottom() - 1);
        for at in self.area.positions() {
            let [left, across, right] = match at.y {
                y if y == bottom => [set.bottom_left, set.horizontal_bottom, set.bottom_right],
                y if y == top => [set.top_left, set.horizontal_top, set.top_right],
                _ => [set.vertical_left, "", set.vertical_right],
            };
            let symbol = match at.x {
                x if x + 1 == self.area.right() => right,
                x if x == self.area.x => left,
                _ => across,
            };
            if !symbol.is_empty() {
                self.buffer[at].set_symbol(symbol).set_style(style);
            }
        }
    }
}
