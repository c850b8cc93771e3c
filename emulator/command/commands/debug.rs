//! `gray1 debug`: steps through a run, forwards and backwards. Commands come from a full screen, a script, or standard
//! input.

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::completion;
use crate::support::files::{self, print, print_text, shown};
use crate::support::interrupt::Interrupt;
use crate::support::json;
use crate::support::machine::{MachineArguments, hide_engines};
use crate::support::message::{print_message, print_note};
use crate::support::numbers::cycles;
use crate::support::progress::Progress;
use crate::support::source::AssemblerArguments;
use gray1_debugger::{DebugError, Debugger, Dialogue, Place, Position, Reply, Shortfall};
use gray1_machine::Engine;
use serde::Serialize;
use serde_json::{Map, Value};
use std::error::Error;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// The interval at which interruptions are checked while waiting for a line.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

#[derive(clap::Args)]
#[command(mut_args(hide_engines))]
pub struct Arguments {
    /// The program: a `.g1` source, or an image made by `gray1 asm`
    #[arg(value_parser = completion::program(), hide_possible_values = true)]
    file: PathBuf,
    /// Run the commands in this file (`-` for standard input) until one fails
    #[arg(long, value_name = "SCRIPT")]
    batch: Option<PathBuf>,
    /// The format of the replies to a script's commands
    #[arg(long, value_parser = format("A line of JSON for each command"), default_value = "text", requires = "batch")]
    format: Format,
    /// Read commands line by line, without a full screen
    #[arg(long, conflicts_with = "batch")]
    plain: bool,
    /// Start at this cycle of the run
    #[arg(long, value_name = "N", value_parser = cycles)]
    cycle: Option<u64>,
    /// Stop after this many machine cycles; a script that reaches the limit ends with exit code 3
    #[arg(long, value_name = "N", value_parser = cycles)]
    max_cycles: Option<u64>,
    #[command(flatten)]
    machine: MachineArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

pub fn debug(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let Arguments { machine, assembler, file, .. } = arguments;
    let debugger = machine.load_debugger(assembler, file, "the debugger always runs the chips engine")?;
    let script =
        arguments.batch.as_deref().map(|path| Ok::<_, Box<dyn Error>>((path, files::read_text(path)?)));
    let script = script.transpose()?;
    let mut dialogue = Dialogue::new(debugger);
    if let Some(cycles) = arguments.max_cycles {
        dialogue.set_limit(cycles);
    }
    if let Some(cycle) = arguments.cycle {
        let interrupt = Interrupt::listen_twice()?;
        let (_, result) = dialogue.line(&format!("goto cycle {cycle}"), interrupt.flag());
        result?;
    }
    let from = script.as_ref().filter(|(path, _)| *path != Path::new("-")).map(|(path, _)| shown(path));
    dialogue.set_reader(files::reader(), from.as_deref());
    match script {
        Some((path, text)) => batch(&mut dialogue, path, &text, arguments.format),
        None if !arguments.plain && gray1_workbench::can_open() => {
            Ok(gray1_workbench::open(dialogue)?.into())
        }
        None => converse(&mut dialogue),
    }
}

/// Executes a script until a command fails.
fn batch(dialogue: &mut Dialogue, path: &Path, text: &str, format: Format) -> Result<Ending, Box<dyn Error>> {
    let interrupt = Interrupt::listen_twice()?;
    let progress = Progress::observe(dialogue.debugger_mut());
    let is_gone = match format {
        Format::Text => print_log_messages(dialogue, &interrupt, &progress),
        Format::Json => Arc::default(), // messages are part of the reply
    };
    for (number, line) in (1..).zip(text.lines()) {
        let (reply, result) = execute(dialogue, line, &interrupt, &progress);
        let output = match format {
            Format::Text => reply.to_string(),
            Format::Json => json_line(number, line, &reply, &result, dialogue.debugger()),
        };
        if !print(output.as_bytes())? || is_gone.load(Ordering::Relaxed) {
            return Ok(Ending::Done);
        }
        match result {
            Ok(()) if reply.shortfall == Some(Shortfall::Limit) => return Ok(Ending::MaxCycles),
            Ok(()) => {
                if let Some(shortfall) = reply.shortfall {
                    return Err(format!("{}:{number}:1: {}", shown(path), shortfall.of(line)).into());
                }
            }
            Err(DebugError::Interrupted) => return Ok(Ending::Interrupted),
            Err(error) => {
                let column = error.column(line);
                return Err(format!("{}:{number}:{column}: {error}", shown(path)).into());
            }
        }
        if dialogue.is_over() {
            break;
        }
    }
    Ok(Ending::Done)
}

/// A command of a script with its reply, and the position of the machine.
#[derive(Serialize)]
struct BatchAnswer<'a> {
    /// The number of the command's line in the script.
    number: usize,
    input: &'a str,
    ok: bool,
    text: String,
    error: Option<String>,
    value: Option<i64>,
    #[serde(flatten)]
    at: Position,
    #[serde(flatten)]
    place: Place,
    a: u8,
    c: u8,
    /// The answer of a question.
    #[serde(flatten)]
    fields: &'a Map<String, Value>,
}

/// Formats a command and its reply as a line of JSON. Returns an empty string if the line has no command.
fn json_line(
    number: usize,
    line: &str,
    reply: &Reply,
    result: &Result<(), DebugError>,
    debugger: &Debugger,
) -> String {
    let command = line.trim();
    if command.is_empty() || command.starts_with(';') {
        return String::new();
    }
    let is_ok = result.is_ok() && reply.shortfall.is_none();
    let shortfall = reply.shortfall.map(|shortfall| shortfall.of(command));
    let error = result.as_ref().err().map(ToString::to_string).or(shortfall);
    let (machine, registers) = (debugger.machine(), debugger.machine().registers());
    let answer = BatchAnswer {
        number,
        input: command,
        ok: is_ok,
        text: reply.to_string(),
        error,
        value: reply.value,
        at: debugger.position(),
        place: debugger.source().place(machine.running()),
        a: registers.a,
        c: registers.c.into(),
        fields: &reply.fields,
    };
    json::line("debug", answer).unwrap_or_default() // plain data can always be converted
}

/// Executes commands from standard input, typed or piped. A failed command does not end the dialogue.
///
/// Ctrl-C ends the current command. If no command is running, it ends the dialogue. Any other signal always ends the
/// dialogue.
fn converse(dialogue: &mut Dialogue) -> Result<Ending, Box<dyn Error>> {
    let interrupt = Interrupt::listen()?;
    let progress = Progress::observe(dialogue.debugger_mut());
    let is_gone = print_log_messages(dialogue, &interrupt, &progress);
    let is_interactive = io::stdin().is_terminal();
    if is_interactive {
        print_note("gray1 debug: `help` lists the commands");
    }
    let lines = stdin_lines();
    let mut last_step = String::new();
    while !dialogue.is_over() {
        if is_interactive {
            let _ = write!(io::stderr(), "> "); // errors are ignored, as in `print_message`
        }
        let Some(line) = next_line(&lines, &interrupt) else { return Ok(Ending::Interrupted) };
        let Some(line) = line else { break };
        let mut line = String::from_utf8_lossy(&line?).into_owned();
        if is_interactive && line.trim().is_empty() {
            line.clone_from(&last_step); // Enter alone repeats the last step
        }
        let (reply, result) = execute(dialogue, &line, &interrupt, &progress);
        if reply.location.is_some() {
            last_step = line;
        }
        interrupt.clear(); // Ctrl-C was meant for the command, which has ended
        if !print_text(&reply.to_string())? || is_gone.load(Ordering::Relaxed) {
            break;
        }
        if let Err(error) = result {
            print_message(error);
        }
    }
    Ok(Ending::Done)
}

/// Executes a line, with its progress.
fn execute(
    dialogue: &mut Dialogue,
    line: &str,
    interrupt: &Interrupt,
    progress: &Progress,
) -> (Reply, Result<(), DebugError>) {
    progress.restart();
    let answer = dialogue.line(line, interrupt.flag());
    progress.erase();
    answer
}

/// Prints the messages of logpoints as they arrive. If standard output is closed, interrupts the current command and
/// sets the returned flag.
fn print_log_messages(
    dialogue: &mut Dialogue,
    interrupt: &Interrupt,
    progress: &Arc<Progress>,
) -> Arc<AtomicBool> {
    let is_gone = Arc::new(AtomicBool::new(false));
    let (gone, interrupt, progress) = (Arc::clone(&is_gone), interrupt.share(), Arc::clone(progress));
    dialogue.set_listener(Some(Box::new(move |message| {
        progress.erase();
        if !matches!(print(format!("{message}\n").as_bytes()), Ok(true)) {
            gone.store(true, Ordering::Relaxed);
            interrupt.store(true, Ordering::Relaxed);
        }
    })));
    is_gone
}

/// Reads the lines of standard input in a separate thread, so that signals are noticed while no line arrives.
fn stdin_lines() -> Receiver<io::Result<Vec<u8>>> {
    let (sender, lines) = mpsc::sync_channel(1);
    thread::spawn(move || {
        for line in io::stdin().lock().split(b'\n') {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// Returns the next line; `Some(None)` at the end of standard input, `None` after an interruption.
#[allow(clippy::option_option)]
fn next_line(
    lines: &Receiver<io::Result<Vec<u8>>>,
    interrupt: &Interrupt,
) -> Option<Option<io::Result<Vec<u8>>>> {
    loop {
        match lines.recv_timeout(POLL_INTERVAL) {
            _ if interrupt.must_end() => return None,
            Ok(line) => return Some(Some(line)),
            Err(RecvTimeoutError::Disconnected) => return Some(None),
            Err(RecvTimeoutError::Timeout) if interrupt.flag().load(Ordering::Relaxed) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
