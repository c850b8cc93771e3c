//! Signs and colours, by what the terminal can show; and writing text where there is room for it.
//!
//! Nothing is told by colour alone: what is marked is bold, reversed or underlined, or has a sign of its own.

use gray1_display::terminal::{Capabilities, Colors};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use std::borrow::Cow;

/// A tabulator goes on to a multiple of this many columns.
const TAB: usize = 8;

/// What a text is, and so how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // their names say it
pub enum Ink {
    Plain,
    Dim,
    Bar,
    Title,
    Frame,
    FrameInFocus,
    /// The line that the machine is at.
    Now,
    /// The line that the cursor is at.
    Cursor,
    Changed,
    Point,
    Green,
    Red,
    Amber,
    Error,
    Said,
    Label,
    Directive,
    Comment,
}

/// The signs that are drawn with.
pub struct Signs {
    /// Corners from the top left on, clockwise; then the lines, across and down.
    pub frame: [&'static str; 6],
    /// The frame of the pane that has the keys.
    pub frame_in_focus: [&'static str; 6],
    /// From an address to what is there.
    pub leads_to: &'static str,
    /// Into where something is put.
    pub takes: &'static str,
    /// The line of the machine.
    pub now: &'static str,
    /// A breakpoint in all expansions of a line; in some.
    pub point: [&'static str; 2],
    /// A line that can be unfolded; one that is.
    pub fold: [&'static str; 2],
    /// LEDs: dark, green, red, both.
    pub led: [&'static str; 4],
    /// Time: gone, now, to come, a stop, a stop in the time to come, the halt.
    pub time: [&'static str; 6],
    /// Levels of the clock: low, high.
    pub level: [&'static str; 2],
    /// What is cut off.
    pub more: &'static str,
    /// In place of what cannot be shown.
    pub hole: char,
    /// Between things.
    pub bar: &'static str,
    /// The depth of an expansion.
    pub depth: &'static str,
}

const UNICODE: Signs = Signs {
    frame: ["┌", "┐", "┘", "└", "─", "│"],
    frame_in_focus: ["┏", "┓", "┛", "┗", "━", "┃"],
    leads_to: "→",
    takes: "←",
    now: "►",
    point: ["●", "○"],
    fold: ["▸", "▾"],
    led: ["·", "●", "◆", "■"],
    time: ["━", "◉", "─", "┿", "┼", "■"],
    level: ["▁", "▔"],
    more: "…",
    hole: '·',
    bar: "│",
    depth: "¦ ",
};

const ASCII: Signs = Signs {
    frame: ["+", "+", "+", "+", "-", "|"],
    frame_in_focus: ["#", "#", "#", "#", "=", "#"],
    leads_to: ">",
    takes: "<-",
    now: ">",
    point: ["@", "o"],
    fold: ["+", "-"],
    led: [".", "g", "r", "a"],
    time: ["=", "O", "-", "+", "+", "#"],
    level: ["_", "~"],
    more: "~",
    hole: '?',
    bar: "|",
    depth: ": ",
};

/// What a terminal can show.
#[derive(Clone, Copy)]
pub struct Paint {
    has_colors: bool,
    /// The signs.
    pub signs: &'static Signs,
}

impl Paint {
    /// By what the terminal can do.
    pub fn new(capabilities: Capabilities) -> Paint {
        let signs = if capabilities.unicode { &UNICODE } else { &ASCII };
        Paint { has_colors: capabilities.colors != Colors::None, signs }
    }

    /// How a text looks.
    pub fn style(self, ink: Ink) -> Style {
        let plain = Style::new();
        let colored = |color: Color| if self.has_colors { plain.fg(color) } else { plain };
        match ink {
            Ink::Plain => plain,
            Ink::Dim | Ink::Frame => plain.add_modifier(Modifier::DIM),
            Ink::Comment => colored(Color::Green).add_modifier(Modifier::DIM),
            Ink::Bar | Ink::Now => plain.add_modifier(Modifier::REVERSED),
            Ink::Title | Ink::FrameInFocus => plain.add_modifier(Modifier::BOLD),
            Ink::Cursor => plain.add_modifier(Modifier::UNDERLINED),
            Ink::Changed => colored(Color::Yellow).add_modifier(Modifier::BOLD),
            Ink::Point | Ink::Error => colored(Color::Red).add_modifier(Modifier::BOLD),
            Ink::Green => colored(Color::Green).add_modifier(Modifier::BOLD),
            Ink::Red => colored(Color::Red).add_modifier(Modifier::BOLD),
            Ink::Amber => colored(Color::Yellow).add_modifier(Modifier::BOLD),
            Ink::Said | Ink::Label => colored(Color::Cyan),
            Ink::Directive => colored(Color::Magenta),
        }
    }

    /// A text with nothing in it that would move the cursor or hide what follows.
    pub fn clean(self, text: &str) -> Cow<'_, str> {
        if text.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
            return Cow::Borrowed(text);
        }
        let mut clean = String::with_capacity(text.len());
        let mut column = 0;
        for letter in text.chars() {
            if letter == '\t' {
                let width = TAB - column % TAB;
                clean.extend(std::iter::repeat_n(' ', width));
                column += width;
            } else {
                clean.push(if self.can_show(letter) { letter } else { self.signs.hole });
                column += 1;
            }
        }
        Cow::Owned(clean)
    }

    fn can_show(self, letter: char) -> bool {
        let is_hidden = matches!(letter,
            '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..);
        !letter.is_control() && !is_hidden && (letter.is_ascii() || self.signs.hole != '?')
    }
}

/// A part of the screen to write on; what has no room there is cut off.
pub struct Canvas<'a> {
    buffer: &'a mut Buffer,
    /// Where it is.
    pub area: Rect,
    /// How things look.
    pub paint: Paint,
}

impl<'a> Canvas<'a> {
    /// All of a screen.
    pub fn new(buffer: &'a mut Buffer, paint: Paint) -> Canvas<'a> {
        Canvas { area: buffer.area, buffer, paint }
    }

    /// A part of it.
    pub fn part(&mut self, area: Rect) -> Canvas<'_> {
        Canvas { area: area.intersection(self.area), buffer: self.buffer, paint: self.paint }
    }

    /// A part of a row: so many columns from this one on.
    pub fn cell(&mut self, column: usize, row: usize, width: usize) -> Canvas<'_> {
        let fit = |number: usize| number.min(usize::from(u16::MAX)) as u16;
        let (x, y) = (self.area.x.saturating_add(fit(column)), self.area.y.saturating_add(fit(row)));
        self.part(Rect { x, y, width: fit(width), height: 1 })
    }

    /// Columns.
    pub fn width(&self) -> usize {
        usize::from(self.area.width)
    }

    /// Rows.
    pub fn height(&self) -> usize {
        usize::from(self.area.height)
    }

    /// Writes a text from a column on; returns the column behind it. What is cut off ends with a sign.
    pub fn text(&mut self, column: usize, row: usize, text: &str, ink: Ink) -> usize {
        if row >= self.height() || column >= self.width() {
            return column;
        }
        let text = self.paint.clean(text);
        let style = self.paint.style(ink);
        let room = self.width() - column;
        let (x, y) = (self.area.x + column as u16, self.area.y + row as u16);
        let (end, _) = self.buffer.set_stringn(x, y, &text, room, style);
        let shown = usize::from(end - self.area.x);
        // Whatever is wider than its letters has fewer of them; that cuts a little too seldom, never too much.
        if shown >= self.width() && text.chars().count() > room {
            let last = self.area.right() - 1;
            self.buffer.set_stringn(last, y, self.paint.signs.more, 1, style);
        }
        shown
    }

    /// Writes a text so that it ends before a column.
    pub fn text_before(&mut self, column: usize, row: usize, text: &str, ink: Ink) {
        self.text(column.saturating_sub(text.chars().count()), row, text, ink);
    }

    /// Lets a whole row look so, whatever stands in it.
    pub fn row_style(&mut self, row: usize, ink: Ink) {
        if row < self.height() {
            let area = Rect { y: self.area.y + row as u16, height: 1, ..self.area };
            self.buffer.set_style(area, self.paint.style(ink));
        }
    }

    /// Empties all of it.
    pub fn clear(&mut self) {
        for row in 0..self.height() {
            self.text(0, row, &" ".repeat(self.width()), Ink::Plain);
        }
    }

    /// Draws a frame with a title on top, and another text on its right; returns what is within.
    pub fn frame(&mut self, title: &str, right: &str, has_focus: bool) -> Canvas<'_> {
        let (width, height) = (self.width(), self.height());
        let ink = if has_focus { Ink::FrameInFocus } else { Ink::Frame };
        let signs = self.paint.signs;
        let [nw, ne, se, sw, across, down] = if has_focus { signs.frame_in_focus } else { signs.frame };
        if width >= 2 && height >= 2 {
            let line = across.repeat(width - 2);
            self.text(0, 0, &format!("{nw}{line}{ne}"), ink);
            self.text(0, height - 1, &format!("{sw}{line}{se}"), ink);
            for row in 1..height - 1 {
                self.text(0, row, down, ink);
                self.text(width - 1, row, down, ink);
            }
            let title_ink = if has_focus { Ink::Title } else { Ink::Plain };
            let inner = Rect { x: self.area.x + 1, y: self.area.y, width: width as u16 - 2, height: 1 };
            let mut top = self.part(inner);
            let end = top.text(1, 0, &format!(" {title} "), title_ink);
            let room = top.width().saturating_sub(1);
            if !right.is_empty() && end + right.chars().count() + 2 <= room {
                top.text_before(room, 0, &format!(" {right} "), Ink::Dim);
            }
        }
        let inner = Rect {
            x: self.area.x + 1,
            y: self.area.y + 1,
            width: self.area.width.saturating_sub(2),
            height: self.area.height.saturating_sub(2),
        };
        self.part(inner)
    }
}
