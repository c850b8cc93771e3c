//! Every key in one table, which is used by the screen, its help and the documents. A key stands for a command that can
//! also be typed.

use crate::pane::Pane;
use Action::{AtCursor, Command, Type};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use gray1_debugger::COMMANDS;
use std::fmt::Write;

/// The effect of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Carries out this command.
    Command(&'static str),
    /// Carries out this command, with the location at the cursor of the source pane for `@`.
    AtCursor(&'static str),
    /// Opens the command line with this text, with the location at the cursor or the selection for `@`.
    Type(&'static str),
}

/// A key and what it does.
pub struct Binding {
    /// The key, as [`name`] calls it.
    pub key: &'static str,
    /// A description.
    pub action: Action,
    /// A description for the help.
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
#[derive(Clone)]
pub struct CommandHelp {
    /// Its syntax, which begins with its name.
    pub usage: &'static str,
    /// A description.
    pub about: &'static str,
}

const fn bind(key: &'static str, action: Action, about: &'static str) -> Binding {
    Binding { key, action, about }
}

/// Every key. A capital letter is the backward version of the small letter.
pub const KEYS: [Group; 5] = [
    Group {
        title: "Through the run: a capital letter goes backwards",
        bindings: &[
            bind("s", Command("step"), "step a line, into macros and routines"),
            bind("S", Command("back"), "step a line back, into macros and routines"),
            bind("n", Command("next"), "step a line, over macros and calls"),
            bind("N", Command("back next"), "step a line back, over macros and calls"),
            bind("f", Command("finish"), "to the end of this macro, loop or routine"),
            bind("F", Command("back finish"), "run back to before it"),
            bind("c", Command("run"), "continue to a breakpoint or the halt"),
            bind("C", Command("reverse"), "continue back to a breakpoint or the start"),
            bind("r", Command("run"), "the same"),
            bind("R", Command("reverse"), "the same"),
            bind("i", Command("step cycle"), "step an instruction"),
            bind("I", Command("back cycle"), "step an instruction back"),
            bind("p", Command("step phase"), "step a phase"),
            bind("P", Command("back phase"), "step a phase back"),
            bind("Space", Command("run"), "run; while running: stop"),
            bind("o", Command("until output"), "run to the next byte sent"),
            bind("O", Command("back until output"), "run back to the previous byte sent"),
            bind("d", Command("until display"), "run to the next change of the display"),
            bind("D", Command("back until display"), "run back to the previous change"),
            bind("Enter", AtCursor("to @"), "run to the line at the cursor; unfold a chip"),
            bind("Backspace", AtCursor("back to @"), "run back to that line"),
            bind("u", Type("until "), "run until a condition holds"),
            bind("U", Type("back until "), "run back until a condition holds"),
            bind("g", Type("goto cycle "), "go to a cycle"),
            bind("'", Type("mark "), "name this position, to return to"),
            bind("Home", Command("goto start"), "go to the beginning"),
            bind("End", Command("goto end"), "go to the end of the known run"),
            bind("Left", Command("scrub -1"), "go back by a hundredth of the known run"),
            bind("Right", Command("scrub 1"), "go forward by a hundredth"),
            bind("Shift-Left", Command("scrub -10"), "go back by a tenth"),
            bind("Shift-Right", Command("scrub 10"), "go forward by a tenth"),
        ],
    },
    Group {
        title: "Points",
        bindings: &[
            bind("b", AtCursor("toggle @"), "set or remove a breakpoint at the cursor"),
            bind("Ins", Type("break @ "), "set a breakpoint with a condition or a message"),
            bind(",", Type("tbreak @ "), "set a breakpoint for one stop"),
            bind("w", Type("watch @"), "stop at accesses to RAM or a net"),
            bind("l", Command("points"), "list all points"),
            bind("Del", Command("delete"), "remove all points"),
            bind("x", Type("delete "), "remove one point"),
        ],
    },
    Group {
        title: "Questions and changes",
        bindings: &[
            bind("=", Type("print "), "show the value of an expression"),
            bind("$", Type("display "), "print a value at every stop"),
            bind(".", Command("where"), "show and follow where the machine is"),
            bind("k", Type("who wrote @"), "find who wrote, writes or reads a byte"),
            bind("\"", Type("why @"), "find what made a net, a byte or an LED as it is"),
            bind("t", Type("when "), "find when a condition last held"),
            bind("v", Type("show "), "describe a part of the machine"),
            bind("e", Type("set @ = "), "change RAM or a register"),
            bind("\\", Type("burn "), "change cells of a ROM"),
            bind("j", Type("press "), "press a pad"),
            bind("y", Type("keys "), "hold down keys of the machine"),
            bind("`", Command("tree"), "show where in its search the program is"),
            bind("!", Type("expect "), "check that a condition holds"),
            bind("&", Type("source "), "carry out the commands in a file"),
        ],
    },
    Group {
        title: "The screen",
        bindings: &[
            bind("Tab", Command("pane next"), "go to the next pane"),
            bind("Shift-Tab", Command("pane previous"), "go to the previous pane"),
            bind("1", Command("pane source"), "show the source"),
            bind("2", Command("pane board"), "show the board, chip by chip"),
            bind("3", Command("pane registers"), "show registers and clock"),
            bind("4", Command("pane ram"), "show RAM"),
            bind("5", Command("pane display"), "show the LEDs"),
            bind("6", Command("pane output"), "show what the program has sent"),
            bind("7", Command("pane points"), "show breakpoints and watchpoints"),
            bind("8", Command("pane messages"), "show commands and their answers"),
            bind("z", Command("zoom"), "show this pane alone, or all panes again"),
            bind("Up", Command("scroll up"), "move up in this pane"),
            bind("Down", Command("scroll down"), "move down"),
            bind("PgUp", Command("scroll pageup"), "move up by a page"),
            bind("PgDn", Command("scroll pagedown"), "move down by a page"),
            bind("<", Command("scroll left"), "scroll long lines to the left"),
            bind(">", Command("scroll right"), "scroll them to the right"),
            bind("+", Command("unfold"), "unfold or fold the line or chip at the cursor"),
            bind("*", Command("unfold auto"), "unfold the running macro by itself, or not"),
            bind("m", Command("code"), "show the words of the program, or its source"),
            bind("a", Command("bytes"), "show RAM by address, or by name"),
            bind("[", Command("file previous"), "show the previous file"),
            bind("]", Command("file next"), "show the next file"),
            bind("/", Type("find "), "find a text in the source, or the next one"),
        ],
    },
    Group {
        title: "Other keys: Esc goes back, and stops a long command, as Space and Ctrl-C do",
        bindings: &[
            bind(":", Type(""), "type a command"),
            bind("?", Command("help"), "show this help; after that, explain a key"),
            bind("h", Command("help"), "the same"),
            bind("F1", Command("help"), "the same"),
            bind("q", Command("quit"), "end the session"),
        ],
    },
];

const fn own(usage: &'static str, about: &'static str) -> CommandHelp {
    CommandHelp { usage, about }
}

impl CommandHelp {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}

/// The commands of the screen, in addition to the debugger commands.
pub const SCREEN_COMMANDS: [CommandHelp; 10] = [
    own(
        "pane source|board|registers|ram|display|output|points|messages|next|previous",
        "show a pane and give it the focus",
    ),
    own("zoom", "show this pane alone, or all panes again"),
    own("scroll up|down|left|right|pageup|pagedown", "move or scroll in this pane"),
    own("unfold [auto]", "unfold or fold the line or chip at the cursor"),
    own("code", "show the words of the program, or its source"),
    own("bytes", "show RAM byte by byte, or by name"),
    own("file NAME|next|previous", "show a file of the source"),
    own("find [TEXT]", "find a text in the source, from the cursor on"),
    own("toggle PLACE", "set or remove a breakpoint"),
    // For the keys of the timeline: a `goto` without a message.
    own("scrub [-]N", "go forward by N hundredths of the known run"),
];

/// Every key of every group.
pub fn bindings() -> impl Iterator<Item = &'static Binding> {
    KEYS.iter().flat_map(|group| group.bindings)
}

/// All commands that can be typed: first the debugger commands, then the commands of the screen.
pub fn commands() -> impl Iterator<Item = CommandHelp> + Clone {
    let debugger = COMMANDS.iter().map(|command| own(command.usage, command.about));
    debugger.chain(SCREEN_COMMANDS)
}

/// The binding of a key, if it has one.
pub fn binding(key: &str) -> Option<&'static Binding> {
    bindings().find(|binding| binding.key == key)
}

impl Action {
    /// The command, as the help shows it.
    pub fn text(self) -> String {
        match self {
            Command(text) => text.to_owned(),
            AtCursor(text) => text.replace('@', "LINE"),
            Type(text) => format!("{} …", text.replace('@', "").trim_end_matches([' ', '='])),
        }
    }
}

/// The name of a key in the help.
pub fn name(event: &KeyEvent) -> String {
    let name = match event.code {
        KeyCode::Char(' ') => "Space".to_owned(),
        KeyCode::Char(letter) => letter.to_string(),
        KeyCode::BackTab => "Shift-Tab".to_owned(),
        KeyCode::PageUp => "PgUp".to_owned(),
        KeyCode::PageDown => "PgDn".to_owned(),
        KeyCode::Delete => "Del".to_owned(),
        KeyCode::Insert => "Ins".to_owned(),
        KeyCode::F(number) => format!("F{number}"),
        code => format!("{code:?}"),
    };
    let control = if event.modifiers.contains(KeyModifiers::CONTROL) { "Ctrl-" } else { "" };
    // Shift with a letter is reported as the capital letter.
    let is_letter = matches!(event.code, KeyCode::Char(_) | KeyCode::BackTab);
    let shift = if !is_letter && event.modifiers.contains(KeyModifiers::SHIFT) { "Shift-" } else { "" };
    format!("{control}{shift}{name}")
}

/// The tables of keys and of the commands of the screen, in Markdown, for the documents.
pub fn markdown() -> String {
    let mut text = String::new();
    for group in &KEYS {
        let _ = writeln!(text, "**{}**\n\n| key | command | what it does |\n|---|---|---|", group.title);
        for binding in group.bindings {
            let command = match binding.action.text() {
                command if command.starts_with(" …") => "any".to_owned(),
                command => format!("`{command}`"),
            };
            let _ = writeln!(text, "| `{}` | {command} | {} |", binding.key, binding.about);
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

/// The key that shows a pane.
pub fn of_pane(pane: Pane) -> Option<&'static str> {
    let command = format!("pane {}", pane.name());
    let leads_there = |binding: &&Binding| matches!(binding.action, Command(text) if text == command);
    bindings().find(leads_there).map(|binding| binding.key)
}
