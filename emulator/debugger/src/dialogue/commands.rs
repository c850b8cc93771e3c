//! All commands in one table, [`COMMANDS`]: it leads to what they do, and makes the help.

use super::state::{Dialogue, Reply, Result};
use super::{ask, change, show, travel};
use crate::error::{DebugError, did_you_mean};
use crate::scan::Scan;
use gray1_assembler::closest;
use std::sync::atomic::AtomicBool;

type Run = fn(&mut Dialogue, &mut Scan, &AtomicBool) -> Result;

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it does.
    pub about: &'static str,
    run: Run,
}

const fn command(name: &'static str, usage: &'static str, about: &'static str, run: Run) -> Command {
    Command { name, usage, about, run }
}

/// All commands.
pub const COMMANDS: [Command; 28] = [
    command("step", "step [N] [lines|cycles|phases]", "go on by a line, into macros too", travel::step),
    command("next", "next [N]", "go on by a line, over macros", travel::next),
    command("finish", "finish", "go on to the way out of this macro or round", travel::finish),
    command("run", "run [N]", "go on to a point or the halt, N cycles at most", travel::run),
    command("until", "until EXPR|output|display", "go on to where this is so, or happens", travel::until),
    command("to", "to PLACE", "go on to a place in the program", travel::to),
    command(
        "back",
        "back [N] [lines|cycles|phases], back next|finish|until|to …",
        "the same, backwards",
        travel::back,
    ),
    command("reverse", "reverse", "go back to a point or the beginning", travel::reverse),
    command("goto", "goto cycle N [phase P], goto start|end", "go to a moment of the run", travel::goto),
    command("break", "break PLACE [if EXPR] [after N] [log \"…\"]", "stop at a place", change::set_break),
    command(
        "watch",
        "watch RAM[..RAM] [read|write|change] [if …], watch net NET",
        "stop at accesses",
        change::set_watch,
    ),
    command("log", "log PLACE \"…{EXPR}…\"", "say something at a place, without stopping", change::set_log),
    command("delete", "delete [N]", "remove a point, or all", change::delete),
    command("points", "points", "list breakpoints and watchpoints", show::breakpoints),
    command("print", "print EXPR", "the value of an expression", show::print),
    command(
        "show",
        "show registers|ram [RAM[..RAM]]|board [CHIP]|display|source|output",
        "show a part of the machine",
        show::show,
    ),
    command("where", "where", "show position and line", show::location),
    command("who", "who wrote|writes|read|reads RAM", "who did that last, or does it next", ask::who),
    command("when", "when EXPR", "when this was so last, by the end of a phase or of a cycle", ask::when),
    command("ran", "ran [PLACE]", "when this instruction was run before", ask::ran),
    command("count", "count [PLACE]", "how often each line, or an instruction, has run", ask::count),
    command(
        "cells",
        "cells [CHIP]",
        "how many cells of each chip have been looked up, and which of one",
        ask::cells,
    ),
    command("set", "set a|c|pc|RAM = EXPR", "change the machine: the history forks here", change::set),
    command("press", "press ROW COL, press none", "press a pad, or let it go", change::press),
    command("keys", "keys NAME…, keys none", "hold these keys", change::keys),
    command("expect", "expect EXPR, expect output \"…\"", "fail unless this is so", ask::expect),
    command("help", "help [COMMAND]", "this", help),
    command("quit", "quit", "end", quit),
];

impl Dialogue {
    /// Carries out one line; a `;` begins a comment. What was said before an error is part of the reply.
    pub fn line(&mut self, line: &str, interrupt: &AtomicBool) -> (Reply, Result) {
        let mut scan = Scan::new(without_comment(line));
        let result = if scan.is_at_end() { Ok(()) } else { self.command(&mut scan, interrupt) };
        let reply = Reply { text: std::mem::take(&mut self.text), location: self.location.take() };
        (reply, result)
    }

    fn command(&mut self, scan: &mut Scan, interrupt: &AtomicBool) -> Result {
        let offset = scan.at();
        let command = find(scan.word().unwrap_or(""), offset)?;
        (command.run)(self, scan, interrupt)
    }
}

fn help(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    scan.space();
    let offset = scan.at();
    if let Some(name) = scan.word() {
        let command = find(name, offset)?;
        scan.end()?;
        dialogue.say(format!("{}: {}", command.usage, command.about));
        return Ok(());
    }
    scan.end()?;
    for command in &COMMANDS {
        dialogue.say(format!("  {:<8} {}", command.name, command.about));
    }
    dialogue
        .say("`help COMMAND` tells how one is written; its first letters are enough where they are its own");
    Ok(())
}

fn quit(dialogue: &mut Dialogue, scan: &mut Scan, _: &AtomicBool) -> Result {
    scan.end()?;
    dialogue.is_over = true;
    Ok(())
}

/// The command with this name, or whose name alone begins with these letters.
fn find(name: &str, offset: usize) -> Result<&'static Command> {
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
            format!("`{name}` may be {}", begun.join(", "))
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
