//! All commands in one table, [`COMMANDS`], which is used both to carry them out and to print the help.

use super::state::{Dialogue, Reply, Result};
use super::{ask, change, script, show, travel, tree, why};
use crate::error::{DebugError, did_you_mean};
use crate::scanner::Scanner;
use gray1_assembler::closest;
use std::sync::atomic::AtomicBool;

type Run = fn(&mut Dialogue, &mut Scanner, &AtomicBool) -> Result;

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// Its syntax.
    pub usage: &'static str,
    /// A description.
    pub about: &'static str,
    run: Run,
}

const fn command(name: &'static str, usage: &'static str, about: &'static str, run: Run) -> Command {
    Command { name, usage, about, run }
}

/// All commands.
pub const COMMANDS: [Command; 31] = [
    command(
        "step",
        "step [N] [lines|cycles|phases]",
        "go forward by lines, into macros and routines",
        travel::step,
    ),
    command("next", "next [N]", "go forward by lines, over macros and calls", |d, s, i| {
        d.forward("next", s, i)
    }),
    command("finish", "finish", "leave this macro, iteration or routine", |d, s, i| {
        d.forward("finish", s, i)
    }),
    command("run", "run [N]", "go forward to a breakpoint or the halt, at most N cycles", travel::run),
    command(
        "until",
        "until EXPR|output|display",
        "go forward until a condition holds, a byte is sent, or the display changes",
        |d, s, i| d.forward("until", s, i),
    ),
    command("to", "to LOCATION", "go forward to a location in the program", |d, s, i| d.forward("to", s, i)),
    command(
        "back",
        "back [N] [lines|cycles|phases], back next|finish|until|to …",
        "the same, backwards",
        travel::back,
    ),
    command("reverse", "reverse", "go back to a breakpoint or the beginning", travel::reverse),
    command(
        "goto",
        "goto cycle N [phase P], goto start|end|node N|NAME",
        "go to a position of the run",
        travel::goto,
    ),
    command("mark", "mark [NAME]", "name this position, for `goto NAME`; or list the names", travel::mark),
    command(
        "break",
        "break LOCATION [if EXPR] [after N] [log \"…{EXPR}…\"]",
        "stop at a location, or print a message there",
        change::set_break,
    ),
    command(
        "tbreak",
        "tbreak LOCATION [if EXPR] [after N]",
        "stop at a location once",
        change::set_temporary_break,
    ),
    command(
        "watch",
        "watch RAM[..RAM] [read|write|change] [if …], watch net NET",
        "stop when RAM is accessed or a net changes",
        change::set_watch,
    ),
    command("delete", "delete [N]", "remove a breakpoint, or all", change::delete),
    command("points", "points", "list breakpoints and watchpoints", show::breakpoints),
    command(
        "print",
        "print EXPR, print word RAM",
        "print the value of an expression, or of two bytes",
        show::print,
    ),
    command(
        "show",
        "show registers|ram [RAM[..RAM]]|board [CHIP]|display|source|output|stack",
        "show a part of the machine",
        show::show,
    ),
    command(
        "display",
        "display EXPR, display none",
        "print an expression at every stop; or stop printing",
        show::display,
    ),
    command("where", "where", "show the position, the instruction and the registers", show::location),
    command(
        "who",
        "who wrote|writes RAM|a|c, who read|reads RAM|a|c|CHIP:CELL, who changed|changes NET|CHIP|RAM, who lit|lights red|green ROW,COL",
        "find which instruction last accessed or changed something, or will do so next",
        ask::who,
    ),
    command(
        "why",
        "why NET|RAM|red ROW,COL|green ROW,COL [depth N]",
        "find the causes of a level, chip by chip",
        why::why,
    ),
    command("when", "when EXPR", "find when a condition last held", ask::when),
    command("set", "set a|c|pc|RAM = EXPR", "change the machine; the run goes on from here", change::set),
    command(
        "burn",
        "burn CHIP:ADDRESS=VALUE, burn none",
        "change cells of a ROM, or restore them all, and run again up to here",
        change::burn,
    ),
    command("press", "press ROW COL, press none", "press a pad, or release it", change::press),
    command("keys", "keys NAME…, keys none", "hold down these keys", change::keys),
    command("tree", "tree", "show where in the tree of its search the program is", tree::tree),
    command("expect", "expect EXPR, expect output \"…\"", "fail unless this is true", ask::expect),
    command("source", "source FILE", "carry out the commands in a file", script::source),
    command("help", "help [COMMAND]", "list the commands, or explain one", help),
    command("quit", "quit", "end the session", quit),
];

impl Dialogue {
    /// Carries out one line; a `;` begins a comment. The reply includes what was printed before an error.
    pub fn line(&mut self, line: &str, interrupt: &AtomicBool) -> (Reply, Result) {
        let result = self.carry_out(line, interrupt);
        (std::mem::take(&mut self.reply), result)
    }

    pub(super) fn carry_out(&mut self, line: &str, interrupt: &AtomicBool) -> Result {
        let mut scanner = Scanner::new(without_comment(line));
        if scanner.is_at_end() {
            return Ok(());
        }
        let offset = scanner.offset();
        let command = find(scanner.word().unwrap_or(""), offset)?;
        (command.run)(self, &mut scanner, interrupt)
    }
}

fn help(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    let offset = scanner.offset();
    if let Some(name) = scanner.word() {
        let command = find(name, offset)?;
        scanner.end()?;
        dialogue.say(format!("{}: {}", command.usage, command.about));
        return Ok(());
    }
    scanner.end()?;
    for command in &COMMANDS {
        dialogue.say(format!("  {:<8} {}", command.name, command.about));
    }
    dialogue.say("`help COMMAND` explains one; a command may be abbreviated if that is unambiguous, or to b c d f p r s t");
    Ok(())
}

fn quit(dialogue: &mut Dialogue, scanner: &mut Scanner, _: &AtomicBool) -> Result {
    scanner.end()?;
    dialogue.is_over = true;
    Ok(())
}

/// Single letters for the most common commands, where more than one command begins with them.
const LETTERS: [(&str, &str); 8] = [
    ("b", "break"),
    ("c", "run"),
    ("d", "delete"),
    ("f", "finish"),
    ("p", "print"),
    ("r", "run"),
    ("s", "step"),
    ("t", "to"),
];

/// The command with this name, or the only one whose name begins with these letters.
fn find(name: &str, offset: usize) -> Result<&'static Command> {
    let name = LETTERS.iter().find(|(letter, _)| *letter == name).map_or(name, |(_, command)| command);
    if let Some(command) = COMMANDS.iter().find(|command| command.name == name) {
        return Ok(command);
    }
    let names = || COMMANDS.iter().map(|command| command.name);
    let begun: Vec<&Command> =
        COMMANDS.iter().filter(|command| !name.is_empty() && command.name.starts_with(name)).collect();
    let message = match begun[..] {
        [command] => return Ok(command),
        [] => format!("there is no command `{name}`{}", did_you_mean(closest(name, names()))),
        _ => {
            let begun: Vec<_> = begun.iter().map(|command| command.name).collect();
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
