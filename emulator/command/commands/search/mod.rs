//! `gray1 search`: the shortest sequences of instructions that compute something.

mod known;

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::cores::on_all_cores;
use crate::support::files::print;
use crate::support::interrupt::Interrupt;
use crate::support::progress::Progress;
use crate::tell::{tell, usage};
use gray1_search::{Constants, Goal, MAX_TEMPORARIES, MAX_WORDS, Name, Search, Sequence};
use gray1_text::{counted, visible};
use known::{Known, Question, decide};
use serde_json::json;
use std::error::Error;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Progress that is not on a terminal is reported for lengths that take longer than this.
const LONG: Duration = Duration::from_secs(5);

#[derive(clap::Args)]
pub struct Arguments {
    /// What the sequence has to compute: `a = a & x`, `c = a < x`, `jump if a < x`, or several: `x = x << 1, c = x >> 7`
    #[arg(value_name = "EXPR")]
    goal: String,
    /// Search sequences of at most this many words
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(0..=MAX_WORDS as i64))]
    max: u8,
    /// The number of temporary bytes that a sequence may use
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=MAX_TEMPORARIES as i64))]
    temporaries: u8,
    /// Which of a, x and y must not change; the default is x and y, except for the result
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 0..=1)]
    keep: Option<Vec<String>>,
    /// Try all constants for every length, not only up to 5 words
    #[arg(long)]
    exhaustive: bool,
    /// The format of the result
    #[arg(long, value_parser = format("For programs"), default_value = "text")]
    format: Format,
}

pub fn search(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    // Exit code 1 says that there is nothing, so a goal that cannot be read is a wrong command line.
    let keep = arguments.keep.as_ref().map(|names| kept(names)).transpose();
    let parsed = keep.and_then(|keep| {
        Goal::parse(&arguments.goal, keep.as_deref())
            .map_err(|error| format!("`{}`: {error}", visible(&arguments.goal)))
    });
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(message) => {
            if arguments.format == Format::Json {
                let error = json!({ "version": 1, "command": "search", "error": { "message": message } });
                print(format!("{error}\n").as_bytes())?;
            }
            usage(message)
        }
    };
    let interrupt = Interrupt::listen_twice()?;
    let hunt = Hunt { goal: &parsed, temporaries: arguments.temporaries.into(), stop: interrupt.flag() };
    let question = Question {
        search: arguments.goal.trim().to_owned(),
        temporaries: arguments.temporaries,
        max: arguments.max,
        exhaustive: arguments.exhaustive,
    };
    let known = decide(&question, |words, constants| hunt.of_length(words, constants))?;
    conclude(&question, arguments.format, &known)
}

fn kept(names: &[String]) -> Result<Vec<Name>, String> {
    let names = names.iter().filter(|name| !name.is_empty());
    let known = |name: &String| {
        Name::parse(name).ok_or(format!("--keep {name}: write a, x or y, separated by commas"))
    };
    names.map(known).collect()
}

/// A search that can be interrupted.
struct Hunt<'a> {
    goal: &'a Goal,
    temporaries: usize,
    stop: &'a AtomicBool,
}

impl Hunt<'_> {
    /// Searches for the sequences of a length and sorts them, the fastest first. `None` if it was interrupted. Fails if
    /// there are none and it is undecided whether there is one.
    fn of_length(&self, words: usize, constants: Constants) -> Result<Option<Vec<Sequence>>, Undecided> {
        let search = Search::new(self.goal, self.temporaries, constants);
        let jobs = search.jobs(words);
        let begun = Instant::now();
        let progress = Progress::of(jobs.len() as u64, "parts");
        progress.say(format!("{words} words"));
        let results = on_all_cores(&jobs, self.stop, |job| {
            let found = search.work(job, self.stop);
            progress.add(1);
            found
        });
        drop(progress);
        if self.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let found: Vec<_> = results.into_iter().flatten().collect();
        let undecided = found.iter().any(|found| found.is_undecided);
        let mut sequences: Vec<Sequence> = found.into_iter().flat_map(|found| found.sequences).collect();
        sequences.sort();
        sequences.dedup();
        if begun.elapsed() > LONG && !stderr().is_terminal() {
            let length = counted(words, "word");
            tell(format!("{length}, {} constants: {} found", constants.of(self.goal).len(), sequences.len()));
        }
        if sequences.is_empty() && undecided { Err(Undecided { words }) } else { Ok(Some(sequences)) }
    }
}

/// Too many sequences were almost right to check all of them.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot decide whether there is a sequence of {words} words: too many are almost right to check them all; \
     allow fewer with --temporaries, or set a lower --max"
)]
struct Undecided {
    words: usize,
}

fn conclude(question: &Question, format: Format, known: &Known) -> Result<Ending, Box<dyn Error>> {
    if !known.is_complete && known.sequences.is_empty() && format == Format::Text {
        let excluded = known.excluded(question.temporaries);
        tell(format!("{}: interrupted; {excluded}", visible(&question.search)));
        return Ok(Ending::Interrupted);
    }
    let text = match format {
        Format::Text => known.text(&visible(&question.search), question.temporaries),
        Format::Json => serde_json::to_string(&known.json(question))? + "\n",
    };
    print(text.as_bytes())?;
    Ok(match (known.is_complete, known.sequences.is_empty()) {
        (false, _) => Ending::Interrupted,
        (true, true) => Ending::Refuted,
        (true, false) => Ending::Done,
    })
}
