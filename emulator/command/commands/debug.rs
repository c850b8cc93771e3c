//! `gray1 debug`: steps through a run, forwards and backwards, on a full screen or by commands from a script or
//! standard input.

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::files::{self, Audience, print, shown};
use crate::support::interrupt::Interrupt;
use crate::support::known;
use crate::support::machine::{MachineArguments, hide_engines};
use crate::support::progress::SearchProgress;
use crate::support::source::AssemblerArguments;
use crate::support::units::cycles;
use crate::tell::tell;
use gray1_debugger::{DebugError, Debugger, Dialogue, Observer, Reply, Shortfall};
use gray1_machine::Engine;
use serde_json::json;
use std::error::Error;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// How often signals are checked while waiting for a line.
const MOMENT: Duration = Duration::from_millis(50);

#[derive(clap::Args)]
#[command(mut_args(hide_engines))]
pub struct Arguments {
    /// The program: a `.g1` source, or an image made by `gray1 asm`
    #[arg(value_parser = known::program(), hide_possible_values = true)]
    file: PathBuf,
    /// Run the commands of this file, `-` for standard input, up to the first that fails
    #[arg(long, value_name = "SCRIPT")]
    batch: Option<PathBuf>,
    /// The format of the replies to the commands of a script
    #[arg(long, value_parser = format("For programs: a line of JSON for each command"), default_value = "text", requires = "batch")]
    format: Format,
    /// Read commands line by line, without the full screen
    #[arg(long, conflicts_with = "batch")]
    plain: bool,
    /// Begin at this cycle of the run instead of its first
    #[arg(long, value_name = "N", value_parser = cycles)]
    cycle: Option<u64>,
    /// Run no further than this many machine cycles; a script that reaches the limit ends with exit code 3
    #[arg(long, value_name = "N", value_parser = cycles)]
    max_cycles: Option<u64>,
    #[command(flatten)]
    machine: MachineArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

pub fn debug(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let Arguments { machine, assembler, file, .. } = arguments;
    let debugger = machine.debugged(assembler, file, "the debugger always runs the chips engine")?;
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
        None => talk(&mut dialogue),
    }
}

/// Carries out a script, up to the first command that fails.
fn batch(dialogue: &mut Dialogue, path: &Path, text: &str, format: Format) -> Result<Ending, Box<dyn Error>> {
    let interrupt = Interrupt::listen_twice()?;
    let search = Search::observe(dialogue);
    let is_gone = match format {
        Format::Text => print_as_logged(dialogue, &interrupt, &search),
        Format::Json => Arc::default(), // messages are part of the reply
    };
    for (number, line) in (1..).zip(text.lines()) {
        let (reply, result) = search.line(dialogue, line, &interrupt);
        let said = match format {
            Format::Text => reply.to_string(),
            Format::Json => json_line(number, line, &reply, &result, dialogue.debugger()),
        };
        if print(said.as_bytes())? == Audience::Gone || is_gone.load(Ordering::Relaxed) {
            return Ok(Ending::Done);
        }
        match result {
            Ok(()) if reply.shortfall == Some(Shortfall::Limit) => return Ok(Ending::MaxCycles),
            Ok(()) => {
                if let Some(missed) = reply.shortfall {
                    return Err(format!("{}:{number}:1: {}", shown(path), missed.of(line)).into());
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

/// A command of a script with its reply, as one line of JSON; empty for a line without a command.
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
    let text = reply.to_string();
    let (at, machine) = (debugger.position(), debugger.machine());
    let (sequence, registers) = (machine.running(), machine.registers());
    let frame = debugger.source().frames(sequence).last();
    let answer = json!({
        "line": number,
        "command": command,
        "ok": is_ok,
        "text": text,
        "error": error,
        "value": reply.value,
        "cycle": at.cycle,
        "phase": at.phase,
        "pc": sequence,
        "a": registers.a,
        "c": u8::from(registers.c),
        "source": frame.map(|frame| format!("{}:{}", frame.file, frame.line)),
        "routine": debugger.source().routine(sequence),
    });
    format!("{answer}\n")
}

/// Carries out the commands of standard input, typed or piped. A command that fails does not end the dialogue.
///
/// Ctrl-C ends the current command, or the dialogue if it is waiting for a command. Any other signal ends the
/// dialogue in both cases.
fn talk(dialogue: &mut Dialogue) -> Result<Ending, Box<dyn Error>> {
    let interrupt = Interrupt::listen()?;
    let search = Search::observe(dialogue);
    let is_gone = print_as_logged(dialogue, &interrupt, &search);
    let is_person = io::stdin().is_terminal();
    if is_person {
        tell("gray1 debug: `help` lists the commands");
    }
    let lines = lines_of_stdin();
    let mut last_step = String::new();
    while !dialogue.is_over() {
        if is_person {
            let _ = write!(io::stderr(), "> "); // as in `tell`
        }
        let Some(line) = next_line(&lines, &interrupt) else { return Ok(Ending::Interrupted) };
        let Some(line) = line else { break };
        let mut line = String::from_utf8_lossy(&line?).into_owned();
        if is_person && line.trim().is_empty() {
            line.clone_from(&last_step); // Enter alone repeats the last step
        }
        let (reply, result) = search.line(dialogue, &line, &interrupt);
        if reply.location.is_some() {
            last_step = line;
        }
        interrupt.forget(); // Ctrl-C was meant for the command, which has ended
        if print(reply.to_string().as_bytes())? == Audience::Gone || is_gone.load(Ordering::Relaxed) {
            break;
        }
        if let Err(error) = result {
            tell(error);
        }
    }
    Ok(Ending::Done)
}

/// Reports the progress of a long command.
#[derive(Clone)]
struct Search(Arc<Mutex<SearchProgress>>);

impl Search {
    fn observe(dialogue: &mut Dialogue) -> Search {
        let search = Search(Arc::new(Mutex::new(SearchProgress::new())));
        let observed = search.clone();
        let observer: Observer = Box::new(move |machine, _, _| observed.progress().at(machine.cycle()));
        dialogue.debugger_mut().history_mut().set_observer(observer);
        search
    }

    /// Carries out a line.
    fn line(
        &self,
        dialogue: &mut Dialogue,
        line: &str,
        interrupt: &Interrupt,
    ) -> (Reply, Result<(), DebugError>) {
        self.progress().begin();
        let answer = dialogue.line(line, interrupt.flag());
        self.progress().give_way();
        answer
    }

    fn progress(&self) -> MutexGuard<'_, SearchProgress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Prints the messages of logpoints as they arrive. If the reader of standard output has gone away, the current
/// command is stopped and the returned flag set.
fn print_as_logged(dialogue: &mut Dialogue, interrupt: &Interrupt, search: &Search) -> Arc<AtomicBool> {
    let is_gone = Arc::new(AtomicBool::new(false));
    let (gone, interrupt, search) = (Arc::clone(&is_gone), interrupt.share(), search.clone());
    dialogue.set_listener(Some(Box::new(move |message| {
        search.progress().give_way();
        if !matches!(print(format!("{message}\n").as_bytes()), Ok(Audience::Listens)) {
            gone.store(true, Ordering::Relaxed);
            interrupt.store(true, Ordering::Relaxed);
        }
    })));
    is_gone
}

/// The lines of standard input. They are read by a separate thread, so that signals are noticed while no line arrives.
fn lines_of_stdin() -> Receiver<io::Result<Vec<u8>>> {
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

/// The next line; `Some(None)` at the end of standard input, `None` if interrupted before a line arrives.
#[allow(clippy::option_option)]
fn next_line(
    lines: &Receiver<io::Result<Vec<u8>>>,
    interrupt: &Interrupt,
) -> Option<Option<io::Result<Vec<u8>>>> {
    loop {
        match lines.recv_timeout(MOMENT) {
            _ if interrupt.must_end() => return None,
            Ok(line) => return Some(Some(line)),
            Err(RecvTimeoutError::Disconnected) => return Some(None),
            Err(RecvTimeoutError::Timeout) if interrupt.flag().load(Ordering::Relaxed) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}
