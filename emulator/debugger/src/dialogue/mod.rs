//! The debugger as a dialogue: a line of text goes in, text comes out. One table of commands, [`COMMANDS`], leads to
//! what they do and makes the help.

mod ask;
mod change;
mod describe;
mod show;
mod travel;

use crate::debugger::Debugger;
use crate::expression::Expression;
use crate::fault::{Fault, did_you_mean};
use crate::scan::Scan;
use gray1_assembler::closest;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;

/// A conversation with a debugger.
pub struct Dialogue {
    debugger: Debugger,
    /// What has been said in answer to this line.
    said: String,
    is_over: bool,
}

/// A command.
pub struct Command {
    /// Its name.
    pub name: &'static str,
    /// How it is written.
    pub usage: &'static str,
    /// What it does.
    pub about: &'static str,
    run: fn(&mut Dialogue, &mut Scan, &AtomicBool) -> Result<(), Fault>,
}

const fn command(
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    run: fn(&mut Dialogue, &mut Scan, &AtomicBool) -> Result<(), Fault>,
) -> Command {
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
    command("points", "points", "list breakpoints and watchpoints", show::points),
    command("print", "print EXPR", "the value of an expression", show::print),
    command(
        "show",
        "show registers|ram [RAM[..RAM]]|board [CHIP]|display|source|output",
        "show a part of the machine",
        show::show,
    ),
    command("where", "where", "show position and line", show::place),
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
    command("help", "help [COMMAND]", "this", Dialogue::help),
    command("quit", "quit", "end", Dialogue::quit),
];

impl Dialogue {
    /// A conversation with this debugger.
    pub fn new(debugger: Debugger) -> Dialogue {
        Dialogue { debugger, said: String::new(), is_over: false }
    }

    /// The debugger.
    pub fn debugger(&self) -> &Debugger {
        &self.debugger
    }

    /// The debugger, to go through the run, to change it, or to be told of it.
    pub fn debugger_mut(&mut self) -> &mut Debugger {
        &mut self.debugger
    }

    /// Whether somebody has said `quit`.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Carries out one line; what stands behind `;` is a comment. What was said before a fault is said all the same.
    pub fn line(&mut self, line: &str, interrupt: &AtomicBool) -> (String, Result<(), Fault>) {
        let mut scan = Scan::new(without_comment(line));
        let result = self.command(&mut scan, interrupt);
        (std::mem::take(&mut self.said), result)
    }

    fn command(&mut self, scan: &mut Scan, interrupt: &AtomicBool) -> Result<(), Fault> {
        if scan.is_at_end() {
            return Ok(());
        }
        let at = scan.at();
        let name = scan.word().unwrap_or("");
        let command = find(name, at)?;
        (command.run)(self, scan, interrupt)
    }

    fn say(&mut self, text: impl AsRef<str>) {
        self.said += text.as_ref();
        self.said.push('\n');
    }

    fn help(&mut self, scan: &mut Scan, _: &AtomicBool) -> Result<(), Fault> {
        scan.space();
        let at = scan.at();
        if let Some(name) = scan.word() {
            let command = find(name, at)?;
            scan.end()?;
            self.say(format!("{}: {}", command.usage, command.about));
            return Ok(());
        }
        scan.end()?;
        for command in &COMMANDS {
            let _ = writeln!(self.said, "  {:<8} {}", command.name, command.about);
        }
        self.say(
            "`help COMMAND` tells how one is written; its first letters are enough where they are its own",
        );
        Ok(())
    }

    fn quit(&mut self, scan: &mut Scan, _: &AtomicBool) -> Result<(), Fault> {
        scan.end()?;
        self.is_over = true;
        Ok(())
    }

    fn expression(&self, scan: &mut Scan) -> Result<Expression, Fault> {
        self.debugger.reader().expression(scan)
    }

    /// A whole number, not below 0, if one comes next.
    fn count(&self, scan: &mut Scan) -> Result<Option<u64>, Fault> {
        let number = scan.number()?;
        Ok(number.and_then(|number| u64::try_from(number).ok()))
    }

    /// The name of a chip, if something comes next.
    fn chip(&self, scan: &mut Scan) -> Result<Option<String>, Fault> {
        scan.space();
        let at = scan.at();
        let Some(name) = scan.name() else { return Ok(None) };
        let board = self.debugger.board();
        let unknown = || {
            let near = closest(name, board.chips.iter().map(|chip| chip.name()));
            Fault::text(at, format!("the board has no chip `{name}`{}", did_you_mean(near)))
        };
        Ok(Some(board.chip(name).ok_or_else(unknown)?.name().to_owned()))
    }

    /// A place in the program: a line (`12`, `lib.g1:12`), a label (`loop+2`), or `at` and a sequence number.
    fn places(&self, scan: &mut Scan) -> Result<Vec<u16>, Fault> {
        scan.space();
        let at = scan.at();
        let source = self.debugger.source();
        let word = scan.rest().split_whitespace().next().unwrap_or("").to_owned();
        let (file, digits) = match word.rsplit_once(':') {
            Some((file, digits)) => (source.file(file), digits),
            None => (source.root(), word.as_str()),
        };
        if let Ok(line) = digits.parse::<usize>() {
            let file = file.ok_or_else(|| {
                Fault::text(at, "there are no lines of that: write `at` and a sequence number")
            })?;
            let places = source.places_of_line(file, line);
            if places.is_empty() {
                return Err(Fault::text(at, format!("line {line} of {file} makes no instruction")));
            }
            scan.take(&word);
            return Ok(places);
        }
        scan.take_word("at");
        let value = self.expression(scan)?.value(self.debugger.machine())?;
        let place = u16::try_from(value).ok().filter(|&place| place < 4096);
        let place = place
            .ok_or_else(|| Fault::text(at, format!("{value} is no sequence number: they are 0 to 4095")))?;
        Ok(vec![place])
    }

    /// Bytes of RAM: a name with all its bytes, an address, or the first and the last with `..` between.
    fn range(&self, scan: &mut Scan) -> Result<(u16, u16), Fault> {
        let mut alone = scan.clone();
        let size = alone.name().and_then(|name| self.debugger.source().name(name));
        let reader = self.debugger.reader();
        let first = reader.address(scan)?;
        if scan.take("..") {
            let at = scan.at();
            let last = reader.address(scan)?;
            if last < first {
                return Err(Fault::text(at, "the last byte lies before the first"));
            }
            return Ok((first, last));
        }
        match size {
            Some(crate::source::Name::Ram(_, size)) if alone.at() == scan.at() => {
                Ok((first, first + size - 1))
            }
            _ => Ok((first, first)),
        }
    }
}

/// The command of a name, or of its first letters.
fn find(name: &str, at: usize) -> Result<&'static Command, Fault> {
    if let Some(command) = COMMANDS.iter().find(|command| command.name == name) {
        return Ok(command);
    }
    let begun: Vec<_> = COMMANDS.iter().filter(|command| command.name.starts_with(name)).collect();
    match begun[..] {
        [command] if !name.is_empty() => Ok(command),
        [_, _, ..] if !name.is_empty() => {
            let names: Vec<_> = begun.iter().map(|command| command.name).collect();
            Err(Fault::text(at, format!("`{name}` may be {}", names.join(", "))))
        }
        _ => {
            let near = closest(name, COMMANDS.iter().map(|command| command.name));
            Err(Fault::text(at, format!("there is no command `{name}`{}", did_you_mean(near))))
        }
    }
}

/// A line up to its comment; a `;` within a text or a letter begins none.
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
