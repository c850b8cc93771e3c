//! A screen of character cells, and the shortest way from one to the next.
//!
//! Only cells that change are written, in one piece and inside a synchronised update (which a terminal that
//! does not know it ignores), so nothing flickers even over a slow line.

use std::fmt::Write;

/// A colour of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// The terminal's own.
    #[default]
    Default,
    /// An entry of the table of 256; the first 16 work everywhere.
    Table(u8),
    /// Red, green, blue.
    True([u8; 3]),
}

/// A character in its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The character, one column wide.
    pub letter: char,
    /// Its colour.
    pub ink: Color,
    /// The colour behind it.
    pub paper: Color,
}

impl Default for Cell {
    fn default() -> Self {
        Self { letter: ' ', ink: Color::Default, paper: Color::Default }
    }
}

/// What a terminal shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    columns: usize,
    cells: Vec<Cell>,
}

impl Screen {
    /// An empty screen.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self { columns, cells: vec![Cell::default(); columns * rows] }
    }

    /// Puts a cell; one that is not on the screen is left out.
    pub fn put(&mut self, column: usize, row: usize, cell: Cell) {
        if column < self.columns
            && let Some(place) = self.cells.get_mut(row * self.columns + column)
        {
            *place = cell;
        }
    }

    /// Writes a text, as far as it is on the screen.
    pub fn write(&mut self, column: usize, row: usize, text: &str, ink: Color) {
        for (place, letter) in text.chars().enumerate() {
            self.put(column + place, row, Cell { letter, ink, paper: Color::Default });
        }
    }

    /// What has to be sent to a terminal that shows `before` to make it show this; to one that shows
    /// anything at all, when `before` is none or of another size. Nothing, when nothing has changed.
    pub fn changes(&self, before: Option<&Self>) -> String {
        let blank = Self { columns: self.columns, cells: vec![Cell::default(); self.cells.len()] };
        let known =
            before.filter(|before| (before.columns, before.cells.len()) == (self.columns, self.cells.len()));
        let mut text = String::new();
        let mut pen = (Color::Default, Color::Default);
        let mut cursor = None;
        let from = known.unwrap_or(&blank);
        for (index, (cell, _)) in
            self.cells.iter().zip(&from.cells).enumerate().filter(|(_, (cell, was))| cell != was)
        {
            if cursor != Some(index) {
                let _ = write!(text, "\x1b[{};{}H", index / self.columns + 1, index % self.columns + 1);
            }
            if pen != (cell.ink, cell.paper) {
                pen = (cell.ink, cell.paper);
                text.push_str(&pen_change(pen.0, pen.1));
            }
            text.push(cell.letter);
            // After the last column the cursor is where terminals do not agree.
            cursor = Some(index + 1).filter(|next| next % self.columns != 0);
        }
        if known.is_none() {
            text.insert_str(0, "\x1b[2J");
        }
        if text.is_empty() {
            return text;
        }
        format!("\x1b[?2026h\x1b[0m{text}\x1b[0m\x1b[?2026l")
    }

    /// The screen as lines of text that can be read again later, without moves of the cursor; empty lines
    /// at the end are left out.
    pub fn lines(&self) -> String {
        let mut text = String::new();
        for row in self.cells.chunks_exact(self.columns.max(1)) {
            let mut pen = (Color::Default, Color::Default);
            let end = row.iter().rposition(|cell| *cell != Cell::default()).map_or(0, |last| last + 1);
            for cell in &row[..end] {
                if pen != (cell.ink, cell.paper) {
                    pen = (cell.ink, cell.paper);
                    text.push_str(&pen_change(pen.0, pen.1));
                }
                text.push(cell.letter);
            }
            if pen != (Color::Default, Color::Default) {
                text.push_str("\x1b[0m");
            }
            text.push_str("\r\n");
        }
        text.truncate(text.trim_end().len());
        text.push_str("\r\n");
        text
    }
}

/// The escape that takes up a pen.
fn pen_change(ink: Color, paper: Color) -> String {
    let one = |color: Color, base: u8| match color {
        Color::Default => format!("{}", base + 9),
        Color::Table(index @ 0..8) => format!("{}", base + index),
        Color::Table(index @ 8..16) => format!("{}", base + 60 + index - 8),
        Color::Table(index) => format!("{};5;{index}", base + 8),
        Color::True([red, green, blue]) => format!("{};2;{red};{green};{blue}", base + 8),
    };
    format!("\x1b[{};{}m", one(ink, 30), one(paper, 40))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn color() -> impl Strategy<Value = Color> {
        prop_oneof![
            Just(Color::Default),
            any::<u8>().prop_map(Color::Table),
            any::<[u8; 3]>().prop_map(Color::True)
        ]
    }

    fn screen(columns: usize, rows: usize) -> impl Strategy<Value = Screen> {
        let cell = (prop::sample::select(vec![' ', 'x', '●', '▀']), color(), color())
            .prop_map(|(letter, ink, paper)| Cell { letter, ink, paper });
        prop::collection::vec(prop_oneof![3 => Just(Cell::default()), 2 => cell], columns * rows)
            .prop_map(move |cells| Screen { columns, cells })
    }

    /// Compares with what a terminal emulator of another hand makes of it.
    fn shows(terminal: &vt100::Parser, screen: &Screen) {
        for (index, cell) in screen.cells.iter().enumerate() {
            let (row, column) = (index / screen.columns, index % screen.columns);
            let there = terminal.screen().cell(row as u16, column as u16).unwrap();
            let letter = if there.has_contents() { there.contents().to_owned() } else { " ".to_owned() };
            assert_eq!(letter, cell.letter.to_string(), "row {row}, column {column}");
            let expected = |color| match color {
                Color::Default => vt100::Color::Default,
                Color::Table(index) => vt100::Color::Idx(index),
                Color::True([red, green, blue]) => vt100::Color::Rgb(red, green, blue),
            };
            assert_eq!(there.bgcolor(), expected(cell.paper), "row {row}, column {column}");
            assert_eq!(there.fgcolor(), expected(cell.ink), "row {row}, column {column}");
        }
    }

    proptest! {
        #[test]
        fn a_terminal_follows_every_change(first in screen(7, 4), second in screen(7, 4), wider in screen(9, 4)) {
            let mut terminal = vt100::Parser::new(4, 7, 0);
            terminal.process(b"what was here before \x1b[31;42m");
            terminal.process(first.changes(None).as_bytes());
            shows(&terminal, &first);
            terminal.process(second.changes(Some(&first)).as_bytes());
            shows(&terminal, &second);
            terminal.screen_mut().set_size(4, 9);
            terminal.process(wider.changes(Some(&second)).as_bytes());
            shows(&terminal, &wider);
        }

        #[test]
        fn the_lines_read_like_the_screen(screen in screen(7, 4)) {
            let mut terminal = vt100::Parser::new(6, 7, 0);
            terminal.process(screen.lines().as_bytes());
            shows(&terminal, &screen);
        }
    }

    #[test]
    fn what_has_not_changed_is_not_written() {
        let mut screen = Screen::new(80, 24);
        assert_eq!(screen.changes(Some(&screen.clone())), "");
        let before = screen.clone();
        screen.write(3, 2, "x", Color::Default);
        assert_eq!(screen.changes(Some(&before)), "\x1b[?2026h\x1b[0m\x1b[3;4Hx\x1b[0m\x1b[?2026l");
    }

    #[test]
    fn what_is_not_on_the_screen_is_left_out() {
        let mut screen = Screen::new(2, 1);
        screen.write(1, 0, "abc", Color::Default);
        screen.write(0, 9, "abc", Color::Default);
        assert_eq!(screen.lines(), " a\r\n");
        Screen::new(0, 0).changes(None);
    }
}
