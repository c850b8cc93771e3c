//! `gray1 why`: finds the chain of chips and cells that caused the level of a net, a byte or an LED.

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::completion;
use crate::support::files::{print, print_text};
use crate::support::interrupt::Interrupt;
use crate::support::json;
use crate::support::machine::{MachineArguments, hide_engines};
use crate::support::numbers::{cycles, number};
use crate::support::progress::Progress;
use crate::support::source::AssemblerArguments;
use gray1_debugger::{CauseRow, Debugger, Depth, Position, Question, Scanner, USUAL_DEPTH};
use gray1_text::{THOUSANDS, grouped, quantity};
use serde::Serialize;
use std::error::Error;
use std::path::PathBuf;

#[derive(clap::Args)]
#[command(mut_args(hide_engines))]
pub struct Arguments {
    /// The program: a `.g1` source, or an image made by `gray1 asm`
    #[arg(value_parser = completion::program(), hide_possible_values = true)]
    file: PathBuf,
    /// The subject: a net (`A3`), a bus (`PC`), a byte (`n`, `list[2]`, `ram[$012]`), or an LED with its row and column
    /// (`red 3,5`)
    #[arg(required = true, num_args = 1..)]
    what: Vec<String>,
    /// Explain the level in this cycle; the default is the end of the run
    #[arg(long, value_name = "N", value_parser = cycles)]
    cycle: Option<u64>,
    /// Explain the level after this phase of the cycle; 0 is the start of the cycle
    #[arg(long, value_name = "P", default_value_t = 0, requires = "cycle", value_parser = number::<u8>(0..=3))]
    phase: u8,
    /// Follow causes back for this many steps, or `all`
    #[arg(long, value_name = "N|all", default_value_t = Steps(USUAL_DEPTH), value_parser = Steps::parse)]
    depth: Steps,
    /// Show every chip, address and cell, not only the effects of instructions
    #[arg(long)]
    full: bool,
    /// Also follow the program words and the clock, the reasons why these instructions ran
    #[arg(long)]
    control: bool,
    /// The format of the causes
    #[arg(long, value_parser = format("A list of steps as JSON, from effect to cause"), default_value = "text")]
    format: Format,
    #[command(flatten)]
    machine: MachineArguments,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

/// The maximum number of cycles to run without `--cycle`.
const MAX_CYCLES: u64 = 100_000_000;

/// A number of steps.
#[derive(Clone, Copy)]
struct Steps(usize);

impl Steps {
    fn parse(text: &str) -> Result<Steps, &'static str> {
        match text {
            "all" => Ok(Steps(usize::MAX)),
            _ => match quantity(text, &THOUSANDS) {
                Some(steps) => Ok(Steps(usize::try_from(steps).unwrap_or(usize::MAX))),
                None => Err("write a number of steps, or `all`"),
            },
        }
    }
}

impl std::fmt::Display for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

pub fn why(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let Arguments { machine, assembler, file, .. } = arguments;
    let mut debugger =
        machine.load_debugger(assembler, file, "lookups are recorded with the chips engine")?;
    let interrupt = Interrupt::listen_twice()?;
    Progress::observe(&mut debugger);
    let text = answer(arguments, &mut debugger, &interrupt);
    drop(debugger); // erases the progress line
    match arguments.format {
        Format::Text => print_text(&text?)?,
        Format::Json => print(text?.as_bytes())?,
    };
    Ok(Ending::Done)
}

fn answer(
    arguments: &Arguments,
    debugger: &mut Debugger,
    interrupt: &Interrupt,
) -> Result<String, Box<dyn Error>> {
    let what = arguments.what.join(" ");
    let at = arguments.cycle.map(|cycle| Position { cycle, phase: arguments.phase });
    let start = debugger.history().start();
    if let Some(at) = at.filter(|at| *at < start) {
        return Err(format!(
            "--cycle: the run begins in cycle {}, so it has no cycle {}",
            grouped(start.cycle),
            grouped(at.cycle)
        )
        .into());
    }
    if ["red", "green"].contains(&what.as_str()) {
        return Err(format!("`{what}`: name an LED with its row and its column: `{what} 3,5`").into());
    }
    // Reports an invalid question before the run, which may take long.
    parse_question(debugger, &what)?;
    let most = Position { cycle: start.cycle.saturating_add(MAX_CYCLES), phase: 0 };
    debugger.history_mut().go(at.unwrap_or(most), interrupt.flag())?;
    if at.is_none() && !debugger.history().is_halted() {
        let most = grouped(MAX_CYCLES);
        return Err(
            format!("the program has not halted after {most} cycles: choose a cycle with --cycle").into()
        );
    }
    if at.is_some_and(|at| debugger.position() < at) {
        let last = grouped(debugger.position().cycle);
        return Err(format!(
            "--cycle: the machine has halted before: its last position is cycle {last} phase 0"
        )
        .into());
    }
    let question = parse_question(debugger, &what)?;
    let depth = Depth { steps: arguments.depth.0, follows_control: arguments.control };
    let answer = debugger.why(question, depth, interrupt.flag())?;
    if matches!(arguments.format, Format::Text) {
        return Ok(match arguments.full {
            true => debugger.describe_causes(&answer),
            false => debugger.describe_briefly(&answer) + "--full shows every chip, address and cell.\n",
        });
    }
    Ok(json::answer("why", WhyAnswer { steps: debugger.cause_rows(&answer) })?)
}

fn parse_question(debugger: &Debugger, what: &str) -> Result<Question, String> {
    let question = Scanner::whole(what, |scanner| debugger.parser_here(None).question(scanner));
    question.map_err(|error| format!("`{what}`, column {}: {error}", error.column(what)))
}

/// The answer in the JSON output.
#[derive(Serialize)]
struct WhyAnswer {
    steps: Vec<CauseRow>,
}
