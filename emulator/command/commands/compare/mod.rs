//! `gray1 compare`: runs programs that solve the same problem on all cores, checks that they agree, and lists the cost
//! of each.
//!
//! ```text
//!   entry     the programs, assembled: one entry for each program and N
//!   measure   one run of one entry
//!   found     parses the output of a program: its solutions, and how many positions it examined
//!   agree     whether programs have found the same solutions
//!   table     the results in rows, in each format
//! ```

mod agree;
mod entry;
mod found;
mod measure;
mod table;

use crate::ending::Ending;
use crate::support::cores::on_all_cores;
use crate::support::files::print;
use crate::support::interrupt::Interrupt;
use crate::support::known;
use crate::support::progress::Progress;
use crate::support::source::AssemblerArguments;
use crate::support::units::cycles;
use crate::tell::{tell, usage};
use entry::{Entry, Range, entries};
use gray1_text::grouped;
use measure::{End, Measured, measure};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use table::{Results, Row, TableFormat};

/// More cycles than any program of a reasonable size takes, so that one that never halts does not block the others.
const MOST: &str = "20G";
/// The number of cycles that each program gets in the first round.
const SOON: u64 = 3_000_000;

#[derive(clap::Args)]
pub struct Arguments {
    /// The programs: `.g1` sources, images made by `gray1 asm`, or `-` for standard input
    ///
    /// Each program sends its solutions, one per line, and a last line that begins with their number; a second number
    /// in that line is how many positions it examined. Programs with the same N must find the same solutions. For a
    /// program that does not count its positions, visits to labels whose names begin with `_position`, or to constants
    /// such as `_position = here`, are counted.
    #[arg(required = true, value_parser = known::program(), hide_possible_values = true)]
    files: Vec<PathBuf>,
    /// Run the programs that take N (`N ?= 8` in the source) for each of these: `10`, or `4..12` for 4 to 12
    #[arg(long, value_name = "RANGE")]
    n: Option<Range>,
    /// The format of the results
    #[arg(long, value_enum, default_value_t = TableFormat::Table)]
    format: TableFormat,
    /// Stop each program after this many machine cycles
    #[arg(long, value_name = "N", value_parser = cycles, default_value = MOST)]
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
    let finished: Vec<(&Entry, &Measured)> = runs
        .iter()
        .filter_map(|(entry, end)| match end {
            Some(End::Halted(measured)) => Some((*entry, measured)),
            _ => None,
        })
        .collect();
    let rows = finished.iter().map(|(entry, measured)| Row::new(entry, measured));
    let results = Results::new(rows.collect());
    let faults = agree::faults(&finished);
    let agreement = if faults.is_empty() { agree::agreement(&finished) } else { Vec::new() };
    if !results.rows.is_empty() {
        print(results.text(arguments.format, &agreement)?.as_bytes())?;
    }
    ending(&runs, faults)
}

/// Exits with a usage error if the options contradict each other.
fn check(arguments: &Arguments) {
    let message = if arguments.n.is_some() && arguments.assembler.defines("N") {
        "--n and -D N=… both set N: leave out one of them"
    } else if arguments.files.iter().filter(|path| path.as_path() == Path::new("-")).count() > 1 {
        "standard input can be read only once: give `-` once"
    } else {
        return;
    };
    usage(message);
}

/// Runs everything. `None` stands for a run that was not started because of an interruption.
///
/// Long programs must not delay short ones, since an interruption might then find nothing finished. So all programs
/// first run for [`SOON`] cycles, and those that have not halted by then start again.
fn run_all(entries: &[Entry], arguments: &Arguments, interrupt: &Interrupt) -> Vec<Option<End>> {
    let progress = Progress::of(entries.len() as u64, "runs");
    let cycles = AtomicU64::new(0);
    let run = |entry: &Entry, limit: u64| {
        measure(entry, limit, interrupt, |ran| {
            let all = cycles.fetch_add(ran, Ordering::Relaxed) + ran;
            progress.say(format!("{} cycles", grouped(all)));
        })
    };
    let limit = arguments.max_cycles;
    let mut ends = on_all_cores(entries, interrupt.flag(), |entry| {
        let end = run(entry, limit.min(SOON));
        progress.add(u64::from(!matches!(end, End::Limit)));
        end
    });
    let long = |end: &Option<End>| matches!(end, Some(End::Limit)) && limit > SOON;
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
fn ending(runs: &[(&Entry, Option<End>)], faults: Vec<String>) -> Result<Ending, Box<dyn Error>> {
    let (mut interrupted, mut limited, mut faults) = (Vec::new(), Vec::new(), faults);
    for (entry, end) in runs {
        match end {
            Some(End::Halted(_)) => {}
            Some(End::Endless { from, length }) => faults.push(format!(
                "{entry}: it never halts: the machine is in the same state in cycle {} and every {} cycles from there on",
                grouped(*from),
                grouped(*length)
            )),
            Some(End::Failed(message)) => faults.push(format!("{entry}: {message}")),
            Some(End::Limit) => limited.push(entry.to_string()),
            Some(End::Interrupted) | None => interrupted.push(entry.to_string()),
        }
    }
    if !limited.is_empty() {
        tell(format_args!("gray1: stopped at --max-cycles: {}", limited.join(", ")));
    }
    if !interrupted.is_empty() {
        tell(format_args!("gray1: interrupted; not finished: {}", interrupted.join(", ")));
    }
    if !faults.is_empty() {
        return Err(faults.join("\ngray1: ").into());
    }
    Ok(match (interrupted.is_empty(), limited.is_empty()) {
        (false, _) => Ending::Interrupted,
        (true, false) => Ending::MaxCycles,
        (true, true) => Ending::Done,
    })
}
