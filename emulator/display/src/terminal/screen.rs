//! A screen of character cells, and the shortest way from one to the next.
//!
//! Only cells that change are written, in one piece and inside a synchronised update, which terminals that do not know
//! it ignore. So nothing flickers, even over a slow connection. (The buffer of ratatui can do this too, but it sends
//! more, a fifth more in 16 colours, and the last picture has to be written as lines, without moving the cursor.)

use std::fmt::Write;

/// A colour of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// The terminal's own.
    #[default]
    Default,
    /// An entry of the palette of 256; the first 16 work everywhere.
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

const BLANK: Cell = Cell { letter: ' ', ink: Color::Default, paper: Color::Default };

/// The contents of a terminal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Screen {
    columns: usize,
    cells: Vec<Cell>,
}

impl Screen {
    /// An empty screen.
    pub fn new(columns: usize, rows: usize) -> Self {
        Self { columns, cells: vec![BLANK; columns * rows] }
    }

    /// Sets a cell; one that is not on the screen is ignored.
    pub fn put(&mut self, column: usize, row: usize, cell: Cell) {
        if column < self.columns
            && let Some(there) = self.cells.get_mut(row * self.columns + column)
        {
            *there = cell;
        }
    }

    /// Writes text; the part that is not on the screen is ignored.
    pub fn write(&mut self, column: usize, row: usize, text: &str, ink: Color) {
        for (column, letter) in (column..).zip(text.chars()) {
            self.put(column, row, Cell { letter, ink, ..BLANK });
        }
    }

    /// The text that turns a terminal that shows `before` into this screen: empty if nothing has changed. If there
    /// is no `before`, or one of another size, the terminal may show anything.
    pub fn changes(&self, before: Option<&Self>) -> String {
        let known =
            before.filter(|before| (before.columns, before.cells.len()) == (self.columns, self.cells.len()));
        let mut text = Text::default();
        let mut cursor = None;
        for (index, cell) in self.cells.iter().enumerate() {
            if known.map_or(&BLANK, |known| &known.cells[index]) == cell {
                continue;
            }
            if cursor != Some(index) {
                let (row, column) = (index / self.columns, index % self.columns);
                let _ = write!(text.escaped, "\x1b[{};{}H", row + 1, column + 1);
            }
            text.push(cell);
            // After the last column, terminals disagree about where the cursor is.
            cursor = Some(index + 1).filter(|next| next % self.columns != 0);
        }
        let clear = if known.is_none() { "\x1b[2J" } else { "" };
        if clear.is_empty() && text.escaped.is_empty() {
            return String::new();
        }
        format!("\x1b[?2026h\x1b[0m{clear}{}\x1b[0m\x1b[?2026l", text.escaped)
    }

    /// The screen as lines of text that stay in the terminal, without moves of the cursor. Empty lines at the end are
    /// left out.
    pub fn lines(&self) -> String {
        let mut lines = String::new();
        for row in self.cells.chunks_exact(self.columns.max(1)) {
            let end = row.iter().rposition(|cell| *cell != BLANK).map_or(0, |last| last + 1);
            let mut text = Text::default();
            row[..end].iter().for_each(|cell| text.push(cell));
            if text.colors != (Color::Default, Color::Default) {
                text.escaped.push_str("\x1b[0m");
            }
            lines += &text.escaped;
            lines += "\r\n";
        }
        lines.truncate(lines.trim_end().len());
        lines + "\r\n"
    }
}

/// Text with the escapes that change its colours.
#[derive(Default)]
struct Text {
    escaped: String,
    /// The colours at its end: ink and paper.
    colors: (Color, Color),
}

impl Text {
    fn push(&mut self, cell: &Cell) {
        if self.colors != (cell.ink, cell.paper) {
            self.colors = (cell.ink, cell.paper);
            let _ = write!(self.escaped, "\x1b[{};{}m", code(cell.ink, 30), code(cell.paper, 40));
        }
        self.escaped.push(cell.letter);
    }
}

/// The parameter of the escape that sets a colour: `base` is 30 for the ink, 40 for the paper.
fn code(color: Color, base: u8) -> String {
    match color {
        Color::Default => format!("{}", base + 9),
        Color::Table(index @ 0..8) => format!("{}", base + index),
        Color::Table(index @ 8..16) => format!("{}", base + 60 + index - 8),
        Color::Table(index) => format!("{};5;{index}", base + 8),
        Color::True([red, green, blue]) => format!("{};2;{red};{green};{blue}", base + 8),
    }
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
        prop::collection::vec(prop_oneof![3 => Just(BLANK), 2 => cell], columns * rows)
            .prop_map(move |cells| Screen { columns, cells })
    }

    /// Compares with the result of an independent terminal emulator.
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
