//! `gray1 search`: the shortest sequences of instructions that compute something.

mod parts;

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::cores::on_all_cores;
use crate::support::files::print;
use crate::support::interrupt::Interrupt;
use crate::support::progress::Progress;
use crate::tell::usage;
use gray1_isa::Shard;
use gray1_search::{Constants, Goal, MOST_TEMPORARIES, MOST_WORDS, Name, Search, Sequence};
use gray1_text::{grouped, visible};
use parts::{Part, Question, SHOWN, Tried};
use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

/// Maximum number of sequences printed.
const MOST_PRINTED: usize = 5;

#[derive(clap::Args)]
pub struct Arguments {
    /// What the sequence has to compute: `a = a & x`, `x = x + 1`, `jump if a < x`
    #[arg(value_name = "EXPR", required_unless_present = "join")]
    goal: Option<String>,
    /// Search sequences of at most this many words
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u8).range(0..=MOST_WORDS as i64))]
    max: u8,
    /// The number of temporary bytes that a sequence may use
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=MOST_TEMPORARIES as i64))]
    temporaries: u8,
    /// Which of a, x and y must not change; the default is x and y, except for the result
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 0..=1)]
    keep: Option<Vec<String>>,
    /// Prove for every length that there is no shorter sequence; without it, only up to 5 words
    #[arg(long)]
    exhaustive: bool,
    /// The format of the result
    #[arg(long, value_parser = format("For programs"), default_value = "text")]
    format: Format,
    /// Search only one of N equal parts of the sequences, counted from 1, and write the result for --join
    #[arg(long, value_name = "I/N", conflicts_with = "format")]
    shard: Option<Shard>,
    /// Join files written by `--shard`, instead of searching
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["goal", "max", "temporaries", "keep", "exhaustive", "shard"])]
    join: Vec<PathBuf>,
}

/// A sequence in the JSON output.
#[derive(Serialize)]
struct Told<'a> {
    words: usize,
    cycles: [u32; 2],
    code: &'a [String],
}

/// The result of a search so far.
#[derive(Default)]
struct Known {
    /// The shortest sequences that were found.
    sequences: Vec<Sequence>,
    /// It is proved that there is no sequence of fewer words than this, whatever the constants.
    shown: usize,
    /// Whether the search was completed, and not interrupted.
    is_complete: bool,
}

pub fn search(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    let Some(goal) = &arguments.goal else {
        let parts = parts::read(&arguments.join)?;
        let question = &parts[0].work.question;
        let known = decide(question, Scope::Whole, |words, constants| {
            parts::found(&parts, words, constants).map(Some)
        })?;
        return tell(question, arguments.format, &known);
    };
    // Exit code 1 says that there is nothing, so a goal that cannot be read is a wrong command line.
    let keep = arguments.keep.as_ref().map(|names| kept(names).unwrap_or_else(|error| usage(error)));
    let parsed = Goal::parse(goal, keep.as_deref())
        .unwrap_or_else(|error| usage(format!("`{}`: {error}", visible(goal))));
    let interrupt = Interrupt::listen_twice()?;
    let hunt = Hunt {
        goal: &parsed,
        temporaries: arguments.temporaries.into(),
        shard: arguments.shard.unwrap_or(Shard { number: 0, of: 1 }),
        stop: interrupt.flag(),
    };
    let question = Question {
        search: goal.trim().to_owned(),
        keep: arguments.keep.clone(),
        temporaries: arguments.temporaries,
        max: arguments.max,
        exhaustive: arguments.exhaustive,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let Some(shard) = arguments.shard else {
        let known = decide(&question, Scope::Whole, |words, constants| {
            hunt.of_length(words, constants).map(Tried::decided).transpose()
        })?;
        return tell(&question, arguments.format, &known);
    };
    let mut tried = Vec::new();
    let known = decide(&question, Scope::Part, |words, constants| {
        let of_length = hunt.of_length(words, constants);
        tried.extend(of_length.clone());
        Ok(of_length.map(|tried| tried.sequences))
    })?;
    if !known.is_complete {
        return Ok(Ending::Interrupted);
    }
    let part = Part { question, part: shard.to_string() };
    print(crate::support::parts::text::<Part>(&part, tried)?.as_bytes())?;
    Ok(Ending::Done)
}

/// Whether all sequences are searched, or one part of them.
#[derive(Clone, Copy, PartialEq)]
enum Scope {
    Whole,
    /// If a part finds nothing with likely constants, another part may: so it does not try all constants above
    /// [`SHOWN`].
    Part,
}

/// Decides the question from the sequences of each length. `of_length` returns `None` if the search was interrupted.
fn decide(
    question: &Question,
    scope: Scope,
    mut of_length: impl FnMut(usize, Constants) -> Result<Option<Vec<Sequence>>, Box<dyn Error>>,
) -> Result<Known, Box<dyn Error>> {
    let max = usize::from(question.max);
    // Likely constants are tried first: a sequence with them limits the lengths to search with all constants.
    let mut known = Known::default();
    for words in 0..=max {
        let Some(sequences) = of_length(words, Constants::Few)? else { return Ok(known) };
        known.sequences = sequences;
        if !known.sequences.is_empty() {
            break;
        }
    }
    let shortest = known.sequences.first().map_or(max + 1, |one| one.code().len());
    let all = question.exhaustive || known.sequences.is_empty() && scope == Scope::Whole;
    let to_show = if all { shortest } else { shortest.min(SHOWN + 1) };
    while known.shown < to_show {
        // The sequence that was found is correct, even if it is not known whether it is the shortest.
        let Some(sequences) = of_length(known.shown, Constants::All)? else { return Ok(known) };
        if !sequences.is_empty() {
            known.sequences = sequences;
            break;
        }
        known.shown += 1;
    }
    Ok(Known { is_complete: true, ..known })
}

fn kept(names: &[String]) -> Result<Vec<Name>, String> {
    let names = names.iter().filter(|name| !name.is_empty());
    let known = |name: &String| {
        Name::parse(name).ok_or(format!("--keep {name}: write a, x or y, separated by commas"))
    };
    names.map(known).collect()
}

/// A search, or one part of it, that can be interrupted.
struct Hunt<'a> {
    goal: &'a Goal,
    temporaries: usize,
    shard: Shard,
    stop: &'a AtomicBool,
}

impl Hunt<'_> {
    /// Searches for the sequences of a length and sorts them, the fastest first. `None` if it was interrupted.
    fn of_length(&self, words: usize, constants: Constants) -> Option<Tried> {
        let search = Search::new(self.goal, self.temporaries, constants);
        let mut jobs = search.jobs(words);
        // A single job is short and is not divided: every part needs its result.
        if jobs.len() > 1 {
            let mut numbers = 0..;
            jobs.retain(|_| numbers.next().is_some_and(|number| self.shard.has(number)));
        }
        let progress = Progress::of(jobs.len() as u64, "parts");
        progress.say(format!("{words} words"));
        let results = on_all_cores(&jobs, self.stop, |job| {
            let found = search.work(job, self.stop);
            progress.add(1);
            found
        });
        drop(progress);
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let found: Vec<_> = results.into_iter().flatten().collect();
        let undecided = found.iter().any(|found| found.is_undecided);
        let mut sequences: Vec<Sequence> = found.into_iter().flat_map(|found| found.sequences).collect();
        sequences.sort();
        sequences.dedup();
        Some(Tried { words, constants, undecided, sequences })
    }
}

fn tell(question: &Question, format: Format, known: &Known) -> Result<Ending, Box<dyn Error>> {
    if !known.is_complete && known.sequences.is_empty() {
        return Ok(Ending::Interrupted);
    }
    let text = match format {
        Format::Text => text(&visible(&question.search), known),
        Format::Json => {
            let told = known.sequences.iter().map(|sequence| Told {
                words: sequence.code().len(),
                cycles: sequence.cycles(),
                code: sequence.code(),
            });
            serde_json::to_string(&told.collect::<Vec<_>>())? + "\n"
        }
    };
    print(text.as_bytes())?;
    Ok(match (known.is_complete, known.sequences.is_empty()) {
        (false, _) => Ending::Interrupted,
        (true, true) => Ending::Refuted,
        (true, false) => Ending::Done,
    })
}

fn text(goal: &str, Known { sequences, shown, .. }: &Known) -> String {
    let words = |count: usize| if count == 1 { "1 word".to_owned() } else { format!("{count} words") };
    let mut text = String::new();
    if let Some(first) = sequences.first() {
        let length = first.code().len();
        let _ = writeln!(text, "{}: {}", goal, words(length));
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
            goal,
            words(shown.saturating_sub(1))
        );
    }
    text
}
