//! `gray1 search`: the shortest sequences of instructions that compute something.

use crate::Ending;
use crate::cores::on_all_cores;
use crate::interrupt::Interrupt;
use crate::output::put;
use crate::progress::Progress;
use clap::ValueEnum;
use gray1_isa::grouped;
use gray1_search::{Constants, Goal, Inputs, MOST_TEMPORARIES, MOST_WORDS, Name, Search, Sequence};
use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// Of sequences longer than this it is not shown, unless asked for, that there are none with other constants.
const SHOWN: usize = 5;
/// More sequences are not printed.
const MOST_PRINTED: usize = 5;

#[derive(clap::Args)]
pub struct Arguments {
    /// What is wanted: `a = a & x`, `x = x + 1`, `jump if a < x`
    #[arg(value_name = "EXPR")]
    goal: String,
    /// Search sequences of this many words at most
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=MOST_WORDS as i64))]
    max: u8,
    /// How many cells of its own a sequence may use
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=MOST_TEMPORARIES as i64))]
    temporaries: u8,
    /// What must not change, of a, x and y; the default is x and y, where they are not the result
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 0..=1)]
    keep: Option<Vec<String>>,
    /// Show for every length that there is nothing shorter; without it, up to 5 words
    #[arg(long)]
    exhaustive: bool,
    /// How the result is told
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// A sequence as programs are told.
#[derive(Serialize)]
struct Told<'a> {
    words: usize,
    cycles: [u32; 2],
    code: &'a [String],
}

/// What is known of the lengths.
struct Result {
    /// The shortest sequences that were found.
    sequences: Vec<Sequence>,
    /// For lengths below this it is shown that there is nothing, whatever the constants.
    shown: usize,
}

pub fn search(arguments: &Arguments) -> std::result::Result<Ending, Box<dyn Error>> {
    let keep = arguments.keep.as_ref().map(|names| kept(names)).transpose()?;
    let goal = Goal::parse(&arguments.goal, keep.as_deref())
        .map_err(|error| format!("`{}`: {error}", arguments.goal))?;
    let interrupt = Interrupt::listen_twice()?;
    let hunt = Hunt { goal: &goal, temporaries: arguments.temporaries.into(), stop: interrupt.flag() };
    let max = usize::from(arguments.max);
    // Likely constants are tried first: what they give is a limit to what has to be searched with all.
    let mut found = Vec::new();
    for words in 0..=max {
        match hunt.of_length(words, Constants::Few)? {
            None => return Ok(Ending::Interrupted),
            Some(sequences) => found = sequences,
        }
        if !found.is_empty() {
            break;
        }
    }
    let shortest = found.first().map_or(max + 1, |one| one.code().len());
    let all = arguments.exhaustive || found.is_empty();
    let to_show = if all { shortest } else { shortest.min(SHOWN + 1) };
    let mut result = Result { sequences: found, shown: 0 };
    while result.shown < to_show {
        match hunt.of_length(result.shown, Constants::All)? {
            None => {
                // What was found is proved, whatever else was to be shown.
                if !result.sequences.is_empty() {
                    tell(arguments, &result)?;
                }
                return Ok(Ending::Interrupted);
            }
            Some(sequences) if !sequences.is_empty() => {
                result.sequences = sequences;
                break;
            }
            Some(_) => result.shown += 1,
        }
    }
    tell(arguments, &result)?;
    Ok(if result.sequences.is_empty() { Ending::Refuted } else { Ending::Done })
}

fn kept(names: &[String]) -> std::result::Result<Vec<Name>, String> {
    let names = names.iter().filter(|name| !name.is_empty());
    let known =
        |name: &String| Name::parse(name).ok_or(format!("--keep {name}: there are a, x and y to keep"));
    names.map(known).collect()
}

/// A search that can be stopped.
struct Hunt<'a> {
    goal: &'a Goal,
    temporaries: usize,
    stop: &'a AtomicBool,
}

impl Hunt<'_> {
    /// The sequences of a length, the fastest first; nothing if it was stopped.
    fn of_length(
        &self,
        words: usize,
        constants: Constants,
    ) -> std::result::Result<Option<Vec<Sequence>>, Box<dyn Error>> {
        let mut search = Search::new(self.goal, self.temporaries, constants);
        loop {
            let jobs = search.jobs(words);
            let progress = Progress::of(jobs.len() as u64, "parts");
            progress.say(format!("{words} words"));
            let results = on_all_cores(&jobs, self.stop, |job| {
                let found = search.work(job, self.stop);
                progress.add(1);
                found
            });
            drop(progress);
            if self.stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Ok(None);
            }
            let found = results.into_iter().flatten();
            let (mut sequences, mut failures) = (Vec::new(), Vec::<Inputs>::new());
            found.for_each(|found| {
                sequences.extend(found.sequences);
                failures.extend(found.failures);
            });
            sequences.sort();
            sequences.dedup();
            if !sequences.is_empty() || failures.is_empty() {
                return Ok(Some(sequences));
            }
            search = search.learn(&failures).ok_or_else(|| {
                format!("whether there is a sequence of {words} words cannot be decided: too many are almost right")
            })?;
        }
    }
}

fn tell(arguments: &Arguments, result: &Result) -> std::result::Result<(), Box<dyn Error>> {
    let text = match arguments.format {
        Format::Text => text(arguments, result),
        Format::Json => {
            let told = result.sequences.iter().map(|sequence| Told {
                words: sequence.code().len(),
                cycles: sequence.cycles(),
                code: sequence.code(),
            });
            serde_json::to_string(&told.collect::<Vec<_>>())? + "\n"
        }
    };
    Ok(put(Path::new("-"), text.as_bytes())?)
}

fn text(arguments: &Arguments, Result { sequences, shown }: &Result) -> String {
    let words = |count: usize| if count == 1 { "1 word".to_owned() } else { format!("{count} words") };
    let mut text = String::new();
    if let Some(first) = sequences.first() {
        let length = first.code().len();
        let _ = writeln!(text, "{}: {}", arguments.goal.trim(), words(length));
        for sequence in sequences.iter().take(MOST_PRINTED) {
            let [least, most] = sequence.cycles();
            let cycles = if least == most { format!("{most}") } else { format!("{least} to {most}") };
            let _ = writeln!(text, "\n  ; {cycles} {}", if most == 1 { "cycle" } else { "cycles" });
            sequence.code().iter().for_each(|line| {
                let (label, instruction) =
                    line.rsplit_once(": ").map_or(("", &**line), |(label, rest)| (label, rest));
                let colon = if label.is_empty() { "" } else { ":" };
                let _ = writeln!(text, "  {:<4}{instruction}", format!("{label}{colon}"));
            });
        }
        if let more @ 1.. = sequences.len().saturating_sub(MOST_PRINTED) {
            let _ = writeln!(text, "\nand {} more of {}.", grouped(more as u64), words(length));
        }
        text += "\nProved for every state in which it can begin. ";
        text += &match (*shown, length) {
            (_, 0 | 1) => "There is nothing shorter.\n".to_owned(),
            (shown, length) if shown >= length => "There is nothing shorter.\n".to_owned(),
            (0, _) => "Whether there is something shorter was not shown.\n".to_owned(),
            (shown, length) => {
                let open = if shown + 1 == length { String::new() } else { format!("{shown} to ") };
                format!(
                    "There is nothing of {} or fewer; of {open}{} there may be something with other constants.\n",
                    words(shown - 1),
                    words(length - 1)
                )
            }
        };
    } else {
        let _ = writeln!(
            text,
            "{}: nothing of {} or fewer, whatever the constants",
            arguments.goal.trim(),
            words(shown.saturating_sub(1))
        );
    }
    text
}
