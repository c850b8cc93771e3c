//! Every key in one table, which drives the screen, its help and the documents. A key stands for a command that can be
//! typed as well.

use crate::pane::Pane;
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use gray1_debugger::COMMANDS;
use std::fmt::Write;

/// A key as it is pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// What the terminal calls it.
    pub code: KeyCode,
    /// Whether Ctrl is held.
    pub control: bool,
    /// Whether Shift is held. For letters this is part of the code.
    pub shift: bool,
}

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Carries out this command.
    Command(&'static str),
    /// Carries out this command, with the location at the cursor for `@`.
    AtCursor(&'static str),
    /// Opens the command line with this text, with the location at the cursor or what is selected for `@`.
    Type(&'static str),
}

/// A key and what it does.
#[derive(Clone, Copy, Debug)]
pub struct Binding {
    /// The key.
    pub key: Key,
    /// What it does.
    pub action: Action,
    /// The same in words, for the help.
    pub about: &'static str,
}

/// A group of keys.
pub struct Group {
    /// The title of the group.
    pub title: &'static str,
    /// The keys.
    pub bindings: &'static [Binding],
}

/// A command that can be typed, of the debugger or of the screen.
pub struct CommandHelp {
    /// Its first word.
    pub name: &'static str,
    /// Its grammar.
    pub usage: &'static str,
    /// What it does.
    pub about: &'static str,
}

const fn bind(code: KeyCode, action: Action, about: &'static str) -> Binding {
    Binding { key: Key { code, control: false, shift: false }, action, about }
}

const fn command(letter: char, text: &'static str, about: &'static str) -> Binding {
    bind(KeyCode::Char(letter), Action::Command(text), about)
}

const fn special(code: KeyCode, text: &'static str, about: &'static str) -> Binding {
    bind(code, Action::Command(text), about)
}

const fn shifted(code: KeyCode, text: &'static str, about: &'static str) -> Binding {
    Binding { key: Key { code, control: false, shift: true }, action: Action::Command(text), about }
}

const fn typed(letter: char, text: &'static str, about: &'static str) -> Binding {
    bind(KeyCode::Char(letter), Action::Type(text), about)
}

const fn here(code: KeyCode, text: &'static str, about: &'static str) -> Binding {
    bind(code, Action::AtCursor(text), about)
}

/// Every key. A capital letter is its small one backwards.
pub const KEYS: [Group; 5] = [
    Group {
        title: "Through the run: a capital letter goes backwards",
        bindings: &[
            command('s', "step", "a line on, into macros"),
            command('S', "back", "a line back"),
            command('n', "next", "a line on, over macros"),
            command('N', "back next", "the same, backwards"),
            command('f', "finish", "out of this macro or round"),
            command('F', "back finish", "back to before it"),
            command('c', "step cycle", "an instruction on"),
            command('C', "back cycle", "an instruction back"),
            command('p', "step phase", "a phase on"),
            command('P', "back phase", "a phase back"),
            command('r', "run", "run to a point or the halt"),
            command('R', "reverse", "back to a point or the beginning"),
            command(' ', "run", "run; stop, while it runs"),
            command('o', "until output", "to the next byte sent"),
            command('O', "back until output", "to the byte sent before"),
            command('d', "until display", "to the next change of the display"),
            command('D', "back until display", "to the change before"),
            here(KeyCode::Enter, "to @", "to the line at the cursor"),
            here(KeyCode::Backspace, "back to @", "back to that line"),
            typed('u', "until ", "to where something is so"),
            typed('U', "back until ", "back to where it was so"),
            typed('g', "goto cycle ", "to a cycle"),
            special(KeyCode::Home, "goto start", "to the beginning"),
            special(KeyCode::End, "goto end", "to the end of what is known"),
            special(KeyCode::Left, "scrub -1", "a hundredth of the known run back"),
            special(KeyCode::Right, "scrub 1", "a hundredth on"),
            shifted(KeyCode::Left, "scrub -10", "a tenth back"),
            shifted(KeyCode::Right, "scrub 10", "a tenth on"),
        ],
    },
    Group {
        title: "Points",
        bindings: &[
            here(KeyCode::Char('b'), "toggle @", "set a breakpoint at the cursor, or remove it"),
            bind(KeyCode::Insert, Action::Type("break @ "), "a breakpoint with a condition"),
            typed('w', "watch @", "stop at accesses to RAM or a net"),
            typed('l', "log @ \"", "say something at a line, without stopping"),
            command('i', "points", "list the points"),
            special(KeyCode::Delete, "delete", "remove all points"),
            typed('x', "delete ", "remove a point"),
        ],
    },
    Group {
        title: "Questions and changes",
        bindings: &[
            typed('=', "print ", "the value of an expression"),
            command('.', "where", "where the machine is; the cursor goes there"),
            typed('k', "who wrote @", "who wrote, or writes, or reads"),
            typed('t', "when ", "when something was so last"),
            here(KeyCode::Char('a'), "ran @", "when the line at the cursor was run before"),
            here(KeyCode::Char('#'), "count @", "how often it has run"),
            typed('%', "cells ", "how many cells of a chip have been looked up"),
            typed('v', "show ", "a part of the machine, in words"),
            typed('e', "set @ = ", "change RAM or a register"),
            typed('j', "press ", "press a pad"),
            typed('y', "keys ", "hold keys of the machine"),
            typed('!', "expect ", "check that something is so"),
        ],
    },
    Group {
        title: "The screen",
        bindings: &[
            special(KeyCode::Tab, "pane next", "to the next pane"),
            special(KeyCode::BackTab, "pane previous", "to the one before"),
            command('1', "pane source", "the program"),
            command('2', "pane board", "the board, chip by chip"),
            command('3', "pane registers", "registers and clock"),
            command('4', "pane ram", "RAM"),
            command('5', "pane display", "the LEDs"),
            command('6', "pane output", "what the program has sent"),
            command('7', "pane points", "breakpoints and watchpoints"),
            command('8', "pane messages", "what has been answered"),
            command('z', "zoom", "this pane alone, and back"),
            special(KeyCode::Up, "scroll up", "up in this pane"),
            special(KeyCode::Down, "scroll down", "down"),
            special(KeyCode::PageUp, "scroll pageup", "up by a page"),
            special(KeyCode::PageDown, "scroll pagedown", "down by a page"),
            command('<', "scroll left", "to the left in long lines"),
            command('>', "scroll right", "to the right"),
            command('+', "unfold", "show what the line at the cursor is expanded to, and hide it"),
            command('*', "unfold auto", "open the macro that is run by itself, or not"),
            command('m', "code", "the words of the program, or its source"),
            command('h', "bytes", "RAM byte by byte, or by name"),
            command('[', "file previous", "the file before"),
            command(']', "file next", "the next file"),
            typed('/', "find ", "look for a text in the source; the same again: Enter"),
        ],
    },
    Group {
        title: "Besides: Esc goes back, and ends a command that takes long, as Space and Ctrl-C do",
        bindings: &[
            typed(':', "", "type a command"),
            command('?', "help", "this help; then a key says what it does"),
            command('q', "quit", "end"),
        ],
    },
];

const fn own(name: &'static str, usage: &'static str, about: &'static str) -> CommandHelp {
    CommandHelp { name, usage, about }
}

/// The commands that only the screen knows, beside those of the debugger.
pub const SCREEN_COMMANDS: [CommandHelp; 10] = [
    own(
        "pane",
        "pane source|board|registers|ram|display|output|points|messages|next|previous",
        "show a pane, and scroll there",
    ),
    own("zoom", "zoom", "this pane alone, and back"),
    own("scroll", "scroll up|down|left|right|pageup|pagedown", "move in this pane"),
    own("unfold", "unfold [auto]", "show what the line at the cursor is expanded to, and hide it"),
    own("code", "code", "the words of the program, or its source"),
    own("bytes", "bytes", "RAM byte by byte, or by name"),
    own("file", "file NAME|next|previous", "show a file of the source"),
    own("find", "find [TEXT]", "look for a text in the source, from the cursor on"),
    own("toggle", "toggle PLACE", "set a breakpoint, or remove it"),
    // What keys do with the time line: a `goto` that says nothing.
    own("scrub", "scrub [-]N", "move by N hundredths of the known run"),
];

/// Every key of every group.
pub fn bindings() -> impl Iterator<Item = &'static Binding> {
    KEYS.iter().flat_map(|group| group.bindings)
}

/// Every command that can be typed: those of the debugger, then those of the screen.
pub fn commands() -> impl Iterator<Item = CommandHelp> {
    let debugger = COMMANDS.iter().map(|command| own(command.name, command.usage, command.about));
    debugger.chain(SCREEN_COMMANDS)
}

/// What a key does, if it does anything.
pub fn binding(key: Key) -> Option<&'static Binding> {
    bindings().find(|binding| binding.key == key)
}

impl Action {
    /// The command, as the help shows it.
    pub fn text(self) -> String {
        match self {
            Action::Command(text) => text.to_owned(),
            Action::AtCursor(text) => text.replace('@', "LINE"),
            Action::Type(text) => format!("{} …", text.replace('@', "").trim_end_matches([' ', '"', '='])),
        }
    }
}

impl Key {
    /// The key of an event.
    pub fn of(event: &KeyEvent) -> Key {
        let is_letter = matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab);
        Key {
            code: event.code,
            control: event.modifiers.contains(KeyModifiers::CONTROL),
            shift: !is_letter && event.modifiers.contains(KeyModifiers::SHIFT),
        }
    }

    /// What the help calls it.
    pub fn name(self) -> String {
        let name = match self.code {
            KeyCode::Char(' ') => "Space".to_owned(),
            KeyCode::Char(letter) => letter.to_string(),
            KeyCode::BackTab => "Shift-Tab".to_owned(),
            KeyCode::PageUp => "PgUp".to_owned(),
            KeyCode::PageDown => "PgDn".to_owned(),
            KeyCode::Delete => "Del".to_owned(),
            KeyCode::Insert => "Ins".to_owned(),
            KeyCode::Esc => "Esc".to_owned(),
            code => format!("{code:?}"),
        };
        let control = if self.control { "Ctrl-" } else { "" };
        let shift = if self.shift { "Shift-" } else { "" };
        format!("{control}{shift}{name}")
    }
}

/// The tables of keys and of the screen's own commands, in Markdown, for the documents.
pub fn markdown() -> String {
    let mut text = String::new();
    for group in &KEYS {
        let _ = writeln!(text, "**{}**\n\n| key | command | what it does |\n|---|---|---|", group.title);
        for binding in group.bindings {
            let command = match binding.action.text() {
                command if command.starts_with(" …") => "any".to_owned(),
                command => format!("`{command}`"),
            };
            let _ = writeln!(text, "| `{}` | {command} | {} |", binding.key.name(), binding.about);
        }
        text.push('\n');
    }
    text += "**Commands that only the screen knows**\n\n| command | what it does |\n|---|---|\n";
    for command in &SCREEN_COMMANDS {
        let _ = writeln!(text, "| `{}` | {} |", command.usage.replace('|', "\\|"), command.about);
    }
    text
}

/// The keys shown in the last line of the screen, the most important first.
pub const FOOTER: &str =
    "s step  n over  p phase  r run  SHIFT back  b break  : type  ? help  q quit  Tab panes";

/// The same while a command runs.
pub const RUNNING_FOOTER: &str = "Esc stop  1-8 Tab panes  ? help";

/// The digit that leads to a pane.
pub fn digit(pane: Pane) -> Option<char> {
    let command = format!("pane {}", pane.name());
    bindings().find_map(|binding| match (binding.action, binding.key.code) {
        (Action::Command(text), KeyCode::Char(letter)) if text == command => Some(letter),
        _ => None,
    })
}
