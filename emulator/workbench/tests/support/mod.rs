//! A workbench without a terminal: keys go in as text, the screen comes out as text.

#![allow(dead_code)] // each test uses some of it
#![allow(clippy::unwrap_used)] // in helpers of tests, too

pub mod svg;

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use gray1_assembler::{MemoryLoader, Options, assemble};
use gray1_debugger::{Debugger, Dialogue, Source};
use gray1_display::terminal::{Capabilities, Colors};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, Script};
use gray1_workbench::{Request, Theme, Workbench, draw};
use ratatui_core::buffer::Buffer;
use ratatui_core::layout::{Position, Rect};
use std::sync::atomic::AtomicBool;

/// A workbench on a screen of some size.
pub struct Bench {
    pub workbench: Workbench,
    pub area: Rect,
    pub theme: Theme,
    pub is_over: bool,
}

pub fn theme(unicode: bool) -> Theme {
    let colors = if unicode { Colors::Table } else { Colors::None };
    Theme::new(Capabilities { colors, unicode, moves_cursor: true })
}

pub fn source(name: &str, text: &str) -> Source {
    let files = MemoryLoader::new([(name, text)]);
    Source::of_assembly(assemble(&files, name, &Options::default())).unwrap()
}

impl Bench {
    pub fn new(name: &str, text: &str, width: u16, height: u16) -> Bench {
        Bench::of(source(name, text), width, height)
    }

    pub fn of(source: Source, width: u16, height: u16) -> Bench {
        let board = Board::gray1();
        let machine = ChipsEngine::power_up(&board, source.image(), Noise::Random(1)).unwrap();
        let debugger = Debugger::new(machine, board, source, Script::default()).unwrap();
        let mut workbench = Workbench::new(Dialogue::new(debugger));
        let area = Rect::new(0, 0, width, height);
        workbench.screen.resize(area);
        Bench { workbench, area, theme: theme(true), is_over: false }
    }

    /// Handles an event, and carries out its request.
    pub fn event(&mut self, event: &Event) {
        if let Event::Resize(width, height) = event {
            self.area = Rect::new(0, 0, *width, *height);
        }
        let Some(request) = self.workbench.screen.event(event) else { return };
        self.is_over |= request == Request::Quit;
        self.workbench.carry_out(&request, &AtomicBool::new(false), |_| Ok(())).unwrap();
        self.is_over |= self.workbench.is_over();
    }

    /// Presses keys: letters stand for themselves, `<Enter>` and the like for others.
    pub fn keys(&mut self, keys: &str) {
        for key in read_keys(keys) {
            self.event(&Event::Key(key));
        }
    }

    pub fn buffer(&self) -> Buffer {
        self.draw().0
    }

    pub fn draw(&self) -> (Buffer, Option<Position>) {
        let mut buffer = Buffer::empty(self.area);
        let cursor = draw(&self.workbench.screen, &mut buffer, self.theme);
        (buffer, cursor)
    }

    /// The screen as text.
    pub fn text(&self) -> String {
        let buffer = self.buffer();
        let mut text = String::new();
        for row in 0..self.area.height {
            let line: String = (0..self.area.width).map(|column| buffer[(column, row)].symbol()).collect();
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

/// Reads keys as they are written in tests.
pub fn read_keys(text: &str) -> Vec<KeyEvent> {
    let mut keys = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let name = rest.strip_prefix('<').and_then(|rest| rest.split_once('>')).map(|(name, _)| name);
        let (key, length) = match name.and_then(named) {
            Some(key) => (key, name.map_or(0, str::len) + 2),
            None => (KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE), letter.len_utf8()),
        };
        keys.push(key);
        rest = &rest[length..];
    }
    keys
}

/// The key with this name in the table of keys.
pub fn key(name: &str) -> KeyEvent {
    let letter = name.chars().next().expect("a name");
    named(name).unwrap_or(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE))
}

fn named(name: &str) -> Option<KeyEvent> {
    let (modifiers, name) = match name.strip_prefix("Shift-").filter(|name| *name != "Tab") {
        Some(name) => (KeyModifiers::SHIFT, name),
        None => (KeyModifiers::NONE, name),
    };
    if let Some(letter) = name.strip_prefix("Ctrl-") {
        return Some(KeyEvent::new(KeyCode::Char(letter.chars().next()?), KeyModifiers::CONTROL));
    }
    let code = match name {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Shift-Tab" => KeyCode::BackTab,
        "Space" => KeyCode::Char(' '),
        "Up" => KeyCode::Up,
        "Down" => KeyCode::Down,
        "Left" => KeyCode::Left,
        "Right" => KeyCode::Right,
        "PgUp" => KeyCode::PageUp,
        "PgDn" => KeyCode::PageDown,
        "Home" => KeyCode::Home,
        "End" => KeyCode::End,
        "Del" => KeyCode::Delete,
        "Ins" => KeyCode::Insert,
        "F1" => KeyCode::F(1),
        "Backspace" => KeyCode::Backspace,
        _ => return None,
    };
    Some(KeyEvent::new(code, modifiers))
}
