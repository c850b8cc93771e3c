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
            command('s', "step", "step a line, into macros"),
            command('S', "back", "step a line back, into macros"),
            command('n', "next", "step a line, over macros"),
            command('N', "back next", "step a line back, over macros"),
            command('f', "finish", "run to the end of this macro or iteration"),
            command('F', "back finish", "run back to before it"),
            command('c', "step cycle", "step an instruction"),
            command('C', "back cycle", "step an instruction back"),
            command('p', "step phase", "step a phase"),
            command('P', "back phase", "step a phase back"),
            command('r', "run", "run to a breakpoint or the halt"),
            command('R', "reverse", "run back to a breakpoint or the beginning"),
            command(' ', "run", "run; while running: stop"),
            command('o', "until output", "run to the next byte sent"),
            command('O', "back until output", "run back to the previous byte sent"),
            command('d', "until display", "run to the next change of the display"),
            command('D', "back until display", "run back to the previous change"),
            here(KeyCode::Enter, "to @", "run to the line at the cursor"),
            here(KeyCode::Backspace, "back to @", "run back to that line"),
            typed('u', "until ", "run until a condition holds"),
            typed('U', "back until ", "run back until a condition holds"),
            typed('g', "goto cycle ", "go to a cycle"),
            special(KeyCode::Home, "goto start", "go to the beginning"),
            special(KeyCode::End, "goto end", "go to the end of the known run"),
            special(KeyCode::Left, "scrub -1", "go back by a hundredth of the known run"),
            special(KeyCode::Right, "scrub 1", "go forward by a hundredth"),
            shifted(KeyCode::Left, "scrub -10", "go back by a tenth"),
            shifted(KeyCode::Right, "scrub 10", "go forward by a tenth"),
        ],
    },
    Group {
        title: "Points",
        bindings: &[
            here(KeyCode::Char('b'), "toggle @", "set or remove a breakpoint at the cursor"),
            bind(KeyCode::Insert, Action::Type("break @ "), "set a breakpoint with a condition"),
            typed('w', "watch @", "stop at accesses to RAM or a net"),
            typed('l', "log @ \"", "log a message at a line, without stopping"),
            command('i', "points", "list all points"),
            special(KeyCode::Delete, "delete", "remove all points"),
            typed('x', "delete ", "remove one point"),
        ],
    },
    Group {
        title: "Questions and changes",
        bindings: &[
            typed('=', "print ", "show the value of an expression"),
            command('.', "where", "show and follow where the machine is"),
            typed('k', "who wrote @", "find who wrote, writes or reads a byte"),
            typed('t', "when ", "find when a condition last held"),
            here(KeyCode::Char('a'), "ran @", "find when the line at the cursor last ran"),
            here(KeyCode::Char('#'), "count @", "count how often it has run"),
            typed('%', "cells ", "count the cells looked up in a chip"),
            typed('v', "show ", "describe a part of the machine"),
            typed('e', "set @ = ", "change RAM or a register"),
            typed('j', "press ", "press a pad"),
            typed('y', "keys ", "hold down keys of the machine"),
            typed('!', "expect ", "check that a condition holds"),
        ],
    },
    Group {
        title: "The screen",
        bindings: &[
            special(KeyCode::Tab, "pane next", "go to the next pane"),
            special(KeyCode::BackTab, "pane previous", "go to the previous pane"),
            command('1', "pane source", "show the source"),
            command('2', "pane board", "show the board, chip by chip"),
            command('3', "pane registers", "show registers and clock"),
            command('4', "pane ram", "show RAM"),
            command('5', "pane display", "show the LEDs"),
            command('6', "pane output", "show what the program has sent"),
            command('7', "pane points", "show breakpoints and watchpoints"),
            command('8', "pane messages", "show commands and their answers"),
            command('z', "zoom", "show this pane alone, or all panes again"),
            special(KeyCode::Up, "scroll up", "move up in this pane"),
            special(KeyCode::Down, "scroll down", "move down"),
            special(KeyCode::PageUp, "scroll pageup", "move up by a page"),
            special(KeyCode::PageDown, "scroll pagedown", "move down by a page"),
            command('<', "scroll left", "scroll long lines to the left"),
            command('>', "scroll right", "scroll them to the right"),
            command('+', "unfold", "unfold or fold the line at the cursor"),
            command('*', "unfold auto", "unfold the running macro by itself, or not"),
            command('m', "code", "show the words of the program, or its source"),
            command('h', "bytes", "show RAM byte by byte, or by name"),
            command('[', "file previous", "show the previous file"),
            command(']', "file next", "show the next file"),
            typed('/', "find ", "find a text in the source, or the next one"),
        ],
    },
    Group {
        title: "Other keys: Esc goes back, and stops a long command, as Space and Ctrl-C do",
        bindings: &[
            typed(':', "", "type a command"),
            command('?', "help", "show this help; after that, explain a key"),
            command('q', "quit", "end the session"),
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
        "show a pane and give it the focus",
    ),
    own("zoom", "zoom", "show this pane alone, or all panes again"),
    own("scroll", "scroll up|down|left|right|pageup|pagedown", "move or scroll in this pane"),
    own("unfold", "unfold [auto]", "unfold or fold the line at the cursor"),
    own("code", "code", "show the words of the program, or its source"),
    own("bytes", "bytes", "show RAM byte by byte, or by name"),
    own("file", "file NAME|next|previous", "show a file of the source"),
    own("find", "find [TEXT]", "find a text in the source, from the cursor on"),
    own("toggle", "toggle PLACE", "set or remove a breakpoint"),
    // What keys do with the time line: a `goto` that says nothing.
    own("scrub", "scrub [-]N", "go forward by N hundredths of the known run"),
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
