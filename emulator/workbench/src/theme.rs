//! Symbols and colours, depending on the capabilities of the terminal.
//!
//! Nothing is shown by colour alone: everything that is marked is also bold, reversed or underlined, or has its own
//! symbol.

use gray1_display::terminal::{Capabilities, Colors};
use ratatui_core::style::{Color, Modifier, Style};
use ratatui_core::symbols::border;
use std::borrow::Cow;

/// A tab advances to the next multiple of this many columns.
const TAB: usize = 8;

/// The kind of a piece of text, which determines its style.
#[derive(Clone, Copy)]
pub enum Ink {
    Plain,
    Dim,
    Bar,
    Title,
    /// The row of the current instruction.
    Now,
    /// The row of the cursor.
    Cursor,
    Changed,
    Point,
    Green,
    Red,
    Amber,
    Error,
    Command,
    Label,
    Directive,
    Comment,
}

pub struct Symbols {
    pub frame: border::Set<'static>,
    pub focused_frame: border::Set<'static>,
    /// Between a chip's address and the data found there.
    pub leads_to: &'static str,
    /// Between a register and the value it takes.
    pub takes: &'static str,
    /// The row of the current instruction.
    pub now: &'static str,
    /// A breakpoint in all expansions of a line; in some of them.
    pub point: [&'static str; 2],
    /// A row that can be unfolded; one that is unfolded.
    pub fold: [&'static str; 2],
    /// LEDs: dark, green, red, both.
    pub led: [&'static str; 4],
    /// The timeline: past, now, future, a stop in the past, a stop in the future, the halt.
    pub time: [&'static str; 6],
    /// Levels of the clock: low, high.
    pub level: [&'static str; 2],
    /// Ends text that is cut off.
    pub more: &'static str,
    /// Replaces what cannot be shown.
    pub hole: char,
    pub bar: &'static str,
    /// Indents rows of an expansion.
    pub depth: &'static str,
}

const UNICODE: Symbols = Symbols {
    frame: border::PLAIN,
    focused_frame: border::THICK,
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

const ASCII: Symbols = Symbols {
    frame: ascii("+", "-", "|"),
    focused_frame: ascii("#", "=", "#"),
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

const fn ascii(corner: &'static str, across: &'static str, down: &'static str) -> border::Set<'static> {
    border::Set {
        top_left: corner,
        top_right: corner,
        bottom_left: corner,
        bottom_right: corner,
        vertical_left: down,
        vertical_right: down,
        horizontal_top: across,
        horizontal_bottom: across,
    }
}

/// The symbols and styles for a terminal.
#[derive(Clone, Copy)]
pub struct Theme {
    has_colors: bool,
    pub(crate) symbols: &'static Symbols,
}

impl Theme {
    /// The theme that suits a terminal.
    pub fn new(capabilities: Capabilities) -> Theme {
        let symbols = if capabilities.unicode { &UNICODE } else { &ASCII };
        Theme { has_colors: capabilities.colors != Colors::None, symbols }
    }

    pub(crate) fn style(self, ink: Ink) -> Style {
        let plain = Style::new();
        let colored = |color: Color| if self.has_colors { plain.fg(color) } else { plain };
        match ink {
            Ink::Plain => plain,
            Ink::Dim => plain.add_modifier(Modifier::DIM),
            Ink::Comment => colored(Color::Green).add_modifier(Modifier::DIM),
            Ink::Bar | Ink::Now => plain.add_modifier(Modifier::REVERSED),
            Ink::Title => plain.add_modifier(Modifier::BOLD),
            Ink::Cursor => plain.add_modifier(Modifier::UNDERLINED),
            Ink::Changed | Ink::Amber => colored(Color::Yellow).add_modifier(Modifier::BOLD),
            Ink::Point | Ink::Error | Ink::Red => colored(Color::Red).add_modifier(Modifier::BOLD),
            Ink::Green => colored(Color::Green).add_modifier(Modifier::BOLD),
            Ink::Command | Ink::Label => colored(Color::Cyan),
            Ink::Directive => colored(Color::Magenta),
        }
    }

    /// The text without anything that would move the cursor or hide what follows.
    pub(crate) fn clean(self, text: &str) -> Cow<'_, str> {
        if text.bytes().all(|byte| (0x20..0x7F).contains(&byte)) {
            return Cow::Borrowed(text);
        }
        let mut clean = String::with_capacity(text.len());
        let mut column = 0;
        for c in text.chars() {
            if c == '\t' {
                let width = TAB - column % TAB;
                clean.extend(std::iter::repeat_n(' ', width));
                column += width;
            } else {
                clean.push(if self.can_show(c) { c } else { self.symbols.hole });
                column += 1;
            }
        }
        Cow::Owned(clean)
    }

    fn can_show(self, c: char) -> bool {
        let is_hidden = matches!(c,
            '\u{AD}' | '\u{300}'..='\u{36F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
            | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
            | '\u{FFF0}'..='\u{FFFB}' | '\u{E0000}'..);
        !c.is_control() && !is_hidden && (c.is_ascii() || self.symbols.hole != '?')
    }
}
