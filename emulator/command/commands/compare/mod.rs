//! `gray1 compare`: runs programs for the same problem on all cores, checks that they agree, and lists their costs.
//!
//! ```text
//!   entry     the assembled programs, one entry for each program and N
//!   measure   a run of an entry
//!   found     parses the output of a program: its solutions and the number of examined positions
//!   agree     checks whether programs found the same solutions
//!   table     formats the results
//! ```

mod agree;
mod entry;
mod found;
mod measure;
mod table;

use crate::ending::Ending;
use crate::support::completion;
use crate::support::cores::on_all_cores;
use crate::support::files::{print, print_text};
use crate::support::interrupt::Interrupt;
use crate::support::message::{print_message, usage_error};
use crate::support::numbers::cycles;
use crate::support::progress::Progress;
use crate::support::source::AssemblerArguments;
use entry::{Entry, Range, entries};
use gray1_text::grouped;
use measure::{End, RunResult, measure};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use table::{Results, Row, TableFormat};

/// The default cycle limit: more than any reasonable program takes.
const DEFAULT_MAX_CYCLES: &str = "20G";
/// The cycle limit of the first round.
const FIRST_ROUND_CYCLES: u64 = 3_000_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// The programs: `.g1` sources, images made by `gray1 asm`, or `-` for standard input
    ///
    /// Each program sends its solutions, one per line. A last line begins with the number of solutions. A second number
    /// in that line is the number of examined positions. Programs with the same N must find the same solutions. If a
    /// program does not report its positions, visits to labels that begin with `_position`, or to constants such as
    /// `_position = here`, are counted.
    #[arg(required = true, value_parser = completion::program(), hide_possible_values = true)]
    files: Vec<PathBuf>,
    /// Run programs that take N (`N ?= 8` in the source) for each N of a range: `10`, or `4..12` for 4 to 12
    #[arg(long, value_name = "RANGE", value_parser = Range::parse)]
    n: Option<Range>,
    /// The format of the results
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    format: TableFormat,
    /// Stop each program after this many machine cycles
    #[arg(long, value_name = "N", value_parser = cycles, default_value = DEFAULT_MAX_CYCLES)]
    max_cycles: u64,
    #[command(flatten)]
    assembler: AssemblerArguments,
}

pub fn compare(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    check(arguments);
    let entries = entries(&arguments.files, arguments.n, &arguments.assembler)?;
    let interrupt = Interrupt::listen_twice()?;
    let ends = run_all(&entries, arguments, &interrupt);

    let runs: Vec<(&Entry, Option<End>)> = entries.iter().zip(ends).collect();
    let finished: Vec<(&Entry, &RunResult)> = runs
        .iter()
        .filter_map(|(entry, end)| match end {
            Some(End::Halted(result)) => Some((*entry, result)),
            _ => None,
        })
        .collect();
    let rows = finished.iter().map(|(entry, result)| Row::new(entry, result));
    let results = Results::new(rows.collect());
    let faults = agree::faults(&finished);
    let agreement = if faults.is_empty() { agree::agreement(&finished) } else { Vec::new() };
    if !results.rows.is_empty() || arguments.format == TableFormat::Json {
        let text = results.text(arguments.format, &agreement)?;
        match arguments.format {
            TableFormat::Table => print_text(&text)?,
            TableFormat::Csv | TableFormat::Json => print(text.as_bytes())?,
        };
    }
    Ok(ending(&runs, faults))
}

/// Exits with a usage error if the options contradict each other.
fn check(arguments: &Arguments) {
    let message = if arguments.n.is_some() && arguments.assembler.define.iter().any(|(name, _)| name == "N") {
        "--n and -D N=… both set N: leave out one of them"
    } else if arguments.files.iter().filter(|path| path.as_path() == Path::new("-")).count() > 1 {
        "standard input can be read only once: give `-` once"
    } else {
        return;
    };
    usage_error(message);
}

/// Runs all entries. The result of a run that was not started, because of an interruption, is `None`.
///
/// Long programs must not delay short ones, because an interruption might then find nothing finished. Therefore all
/// programs first run for [`FIRST_ROUND_CYCLES`]. Programs that have not halted by then start again.
fn run_all(entries: &[Entry], arguments: &Arguments, interrupt: &Interrupt) -> Vec<Option<End>> {
    let progress = Progress::new(entries.len() as u64, "runs");
    let cycles = AtomicU64::new(0);
    let run = |entry: &Entry, limit: u64| {
        measure(entry, limit, interrupt, |ran| {
            let all = cycles.fetch_add(ran, Ordering::Relaxed) + ran;
            progress.set_message(format!("{} cycles", grouped(all)));
        })
    };
    let limit = arguments.max_cycles;
    let mut ends = on_all_cores(entries, interrupt.flag(), |entry| {
        let end = run(entry, limit.min(FIRST_ROUND_CYCLES));
        progress.add(u64::from(!matches!(end, End::Limit)));
        end
    });
    let long = |end: &Option<End>| matches!(end, Some(End::Limit)) && limit > FIRST_ROUND_CYCLES;
    let long: Vec<usize> = (0..entries.len()).filter(|index| long(&ends[*index])).collect();
    let again = on_all_cores(&long, interrupt.flag(), |index| {
        let end = run(&entries[*index], limit);
        progress.add(1);
        end
    });
    for (index, end) in long.into_iter().zip(again) {
        ends[index] = end;
    }
    ends
}

/// Reports runs that did not finish, and contradictions between results.
fn ending(runs: &[(&Entry, Option<End>)], faults: Vec<String>) -> Ending {
    let (mut interrupted, mut limited, mut faults) = (Vec::new(), Vec::new(), faults);
    for (entry, end) in runs {
        match end {
            Some(End::Halted(_)) => {}
            Some(End::Endless { from, length }) => faults.push(format!(
                "{entry}: it never halts: the state of cycle {} recurs every {} cycles",
                grouped(*from),
                grouped(*length)
            )),
            Some(End::Failed(message)) => faults.push(format!("{entry}: {message}")),
            Some(End::Limit) => limited.push(entry.to_string()),
            Some(End::Interrupted) | None => interrupted.push(entry.to_string()),
        }
    }
    if !limited.is_empty() {
        print_message(format_args!("gray1: stopped at --max-cycles: {}", limited.join(", ")));
    }
    if !interrupted.is_empty() {
        print_message(format_args!("gray1: interrupted; not finished: {}", interrupted.join(", ")));
    }
    for fault in &faults {
        print_message(format_args!("gray1: {fault}"));
    }
    if !faults.is_empty() {
        return Ending::Refuted;
    }
    match (interrupted.is_empty(), limited.is_empty()) {
        (false, _) => Ending::Interrupted,
        (true, false) => Ending::MaxCycles,
        (true, true) => Ending::Done,
    }
}
