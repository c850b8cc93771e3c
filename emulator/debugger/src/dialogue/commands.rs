//! All commands in one table, [`COMMANDS`], which is used to execute them, to print the help and to complete words; and
//! the names that other debuggers have for them.

use super::state::{Dialogue, Reply, Result};
use super::{ask, change, script, show, travel, tree, why};
use crate::error::{DebugError, did_you_mean};
use crate::scanner::Scanner;
use gray1_assembler::closest;
use std::sync::atomic::AtomicBool;

type Run = fn(&mut Dialogue, &mut Scanner, &AtomicBool) -> Result;

/// A command.
pub struct Command {
    /// Its syntax, which begins with its name.
    pub usage: &'static str,
    /// A description.
    pub about: &'static str,
    run: Run,
}

const fn command(usage: &'static str, about: &'static str, run: Run) -> Command {
    Command { usage, about, run }
}

/// All commands.
pub const COMMANDS: &[Command] = &[
    command("step [N] [lines|cycles|phases]", "go forward by lines, into macros and routines", |d, s, i| {
        d.forward("step", s, i)
    }),
    command("next [N]", "go forward by lines, over macros and calls", |d, s, i| d.forward("next", s, i)),
    command("finish", "leave this macro, iteration or routine", |d, s, i| d.forward("finish", s, i)),
    command("run [N]", "go forward to a breakpoint or the halt, at most N cycles", travel::run),
    command(
        "until EXPR|output|display",
        "go forward until a condition holds, a byte is sent, or the display changes",
        |d, s, i| d.forward("until", s, i),
    ),
    command("to LOCATION", "go forward to a location in the program", |d, s, i| d.forward("to", s, i)),
    command(
        "back [N] [lines|cycles|phases], back next|finish|until|to …",
        "the same, backwards",
        travel::back,
    ),
    command("reverse", "go back to a breakpoint or the beginning", travel::reverse),
    command(
        "goto cycle N [phase P], goto start|end|node N|NAME",
        "go to a position of the run",
        travel::goto,
    ),
    command("mark [NAME]", "name this position, for `goto NAME`; or list the names", travel::mark),
    command(
        "break LOCATION [if EXPR] [after N] [log \"…{EXPR}…\"]",
        "stop at a location, or print a message there",
        |d, s, _| d.set_break(s, false),
    ),
    command("tbreak LOCATION [if EXPR] [after N]", "stop at a location once", |d, s, _| d.set_break(s, true)),
    command(
        "watch RAM[..RAM] [read|write|change] [if …], watch net NET",
        "stop when RAM is accessed or a net changes",
        change::set_watch,
    ),
    command("delete [N]", "remove a breakpoint, or all", change::delete),
    command("points", "list breakpoints and watchpoints", show::points),
    command("print EXPR, print word RAM", "print the value of an expression, or of two bytes", show::print),
    command(
        "show registers|ram [RAM[..RAM]]|board [CHIP]|display|source|output|stack",
        "show a part of the machine",
        show::show,
    ),
    command(
        "display EXPR, display none",
        "print an expression at every stop; or stop printing",
        show::display,
    ),
    command("where", "show the position, the instruction and the registers", show::location),
    command(
        "who wrote|writes RAM|a|c, who read|reads RAM|a|c|CHIP:CELL, who changed|changes NET|CHIP|RAM, \
         who lit|lights red|green ROW,COL",
        "find which instruction last accessed or changed something, or will do so next",
        ask::who,
    ),
    command(
        "why NET|RAM|red ROW,COL|green ROW,COL [depth N]",
        "find the causes of a level, chip by chip",
        why::why,
    ),
    command("when EXPR", "find when a condition last held", ask::when),
    command("set a|c|pc|RAM = EXPR", "change the machine; the run goes on from here", change::set),
    command(
        "burn CHIP:ADDRESS=VALUE, burn none",
        "change cells of a ROM, or restore them all, and run again up to here",
        change::burn,
    ),
    command("press ROW COL, press none", "press a pad, or release it", change::press),
    command("keys NAME…, keys none", "hold down these keys", change::keys),
    command("tree", "show where in the tree of its search the program is", tree::tree),
    command("expect EXPR, expect output \"…\"", "fail unless this is true", ask::expect),
    command("source FILE", "carry out the commands in a file", script::source),
    command("help [COMMAND]", "list the commands, or explain one", help),
    command("quit", "end the session", quit),
];

/// Short names for the most common commands, and the names that gdb and lldb have for them.
const ALIASES: &[(&str, &str)] = &[
    ("?", "help"),
    ("b", "break"),
    ("backtrace", "show stack"),
    ("breakpoints", "points"),
    ("bt", "show stack"),
    ("c", "run"),
    ("continue", "run"),
    ("d", "delete"),
    ("exit", "quit"),
    ("f", "finish"),
    ("frame", "where"),
    ("h", "help"),
    ("info", "show"),
    ("l", "show source"),
    ("list", "show source"),
    ("memory", "show ram"),
    ("p", "print"),
    ("r", "run"),
    ("rc", "reverse"),
    ("register", "show registers"),
    ("registers", "show registers"),
    ("rn", "back next"),
    ("rs", "back"),
    ("s", "step"),
    ("si", "step cycles"),
    ("stack", "show stack"),
    ("stepi", "step cycles"),
    ("t", "to"),
    ("x", "show ram"),
];

impl Command {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or_default()
    }
}

impl Dialogue {
    /// Executes one line; a `;` begins a comment. The reply includes what was printed before an error.
    pub fn line(&mut self, line: &str, interrupt: &AtomicBool) -> (Reply, Result) {
        let result = self.carry_out(line, interrupt);
        (std::mem::take(&mut self.reply), result)
    }

    pub(super) fn carry_out(&mut self, line: &str, interrupt: &AtomicBool) -> Result {
        let line = without_comment(line);
        let Some((command, rest)) = unaliased(line) else { return self.execute(line, interrupt) };
        let full = format!("{command}{rest}");
        self.execute(&full, interrupt).map_err(|error| match error {
            // The offset counts in the line as it was typed.
            DebugError::Input { offset, message } => {
                DebugError::input((offset + line.len()).saturating_sub(full.len()), message)
            }
            error => error,
        })
    }

    fn execute(&mut self, line: &str, interrupt: &AtomicBool) -> Result {
        let mut scanner = Scanner::new(line);
        if scanner.is_at_end() {
            return Ok(());
        }
        let offset = scanner.offset();
        let command = find(scanner.word().unwrap_or_else(|| scanner.rest()), offset)?;
        (command.run)(self, &mut scanner, interrupt)
    }
}

fn help(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let offset = scanner.offset();
    let name = scanner.take_rest();
    if !name.is_empty() {
        let (full, _) = unaliased(name).unwrap_or((name, ""));
        let Command { usage, about, .. } = find(full.split(' ').next().unwrap_or(full), offset)?;
        let alias = if full == name { String::new() } else { format!("{name} is `{full}`: ") };
        dialogue.say(format!("{alias}{usage}: {about}"));
        return Ok(());
    }
    for command in COMMANDS {
        dialogue.say(format!("  {:<8} {}", command.name(), command.about));
    }
    let aliases = ALIASES.iter().map(|(alias, command)| match command.contains(' ') {
        true => format!("{alias} `{command}`"),
        false => format!("{alias} {command}"),
    });
    dialogue
        .say("`help COMMAND` explains one. A command may be abbreviated as long as it stays unambiguous.");
    dialogue.say(format!("Other names: {}", aliases.collect::<Vec<_>>().join(", ")));
    Ok(())
}

fn quit(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    scanner.end()?;
    dialogue.is_over = true;
    Ok(())
}

/// The command that another name at the beginning of a line stands for, and the rest of the line.
fn unaliased(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    let (name, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    let (_, command) = ALIASES.iter().find(|(alias, _)| *alias == name)?;
    Some((command, rest))
}

/// The command with this name, or the only one whose name begins with these letters.
fn find(name: &str, offset: usize) -> Result<&'static Command> {
    if let Some(command) = COMMANDS.iter().find(|command| command.name() == name) {
        return Ok(command);
    }
    let begun: Vec<&Command> = COMMANDS.iter().filter(|command| command.name().starts_with(name)).collect();
    let names = COMMANDS.iter().map(Command::name);
    let message = match begun[..] {
        [command] => return Ok(command),
        [] => format!("there is no command `{name}`{}", did_you_mean(closest(name, names))),
        _ => {
            let begun: Vec<_> = begun.iter().map(|command| command.name()).collect();
            format!("`{name}` is ambiguous: {}", begun.join(", "))
        }
    };
    Err(DebugError::input(offset, message))
}

/// A line up to its comment. A `;` within quotation marks does not begin one.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut is_escaped = false;
    let end = line.find(|c: char| {
        match quote {
            Some(_) if std::mem::take(&mut is_escaped) => {}
            Some('"') if c == '\\' => is_escaped = true,
            Some(open) if open == c => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            _ => {}
        }
        quote.is_none() && c == ';'
    });
    line[..end.unwrap_or(line.len())].trim_end()
}
