//! `gray1 search`: finds the shortest instruction sequences that compute a formula.

mod state;

use crate::ending::Ending;
use crate::support::choice::{Format, format};
use crate::support::cores::on_all_cores;
use crate::support::files::print;
use crate::support::interrupt::Interrupt;
use crate::support::json;
use crate::support::message::{print_message, print_note, usage_error};
use crate::support::progress::Progress;
use gray1_proof::search::{Constants, Goal, Name, Search, Sequence};
use gray1_text::{counted, visible};
use state::{SearchRequest, SearchState, decide};
use std::error::Error;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Without a terminal, the end of a length that took longer than this is reported.
const LONG_SEARCH: Duration = Duration::from_secs(5);

#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    request: SearchRequest,
    /// The names, of a, x and y, whose values must not change; the default is x and y, except for results
    #[arg(long, value_name = "NAMES", value_delimiter = ',', num_args = 0..=1)]
    keep: Option<Vec<String>>,
    /// The format of the result
    #[arg(long, value_parser = format("JSON for other programs"), default_value = "text")]
    format: Format,
}

pub fn search(arguments: &Arguments) -> Result<Ending, Box<dyn Error>> {
    // Exit code 1 means that no sequence exists, so an invalid goal is a usage error.
    let keep = arguments.keep.as_ref().map(|names| parse_kept(names)).transpose();
    let parsed = keep.and_then(|keep| {
        let goal = &arguments.request.goal;
        Goal::parse(goal, keep.as_deref()).map_err(|error| format!("`{}`: {error}", visible(goal)))
    });
    let parsed = match parsed {
        Ok(parsed) => parsed,
        Err(message) => usage_error(message),
    };
    let interrupt = Interrupt::listen_twice()?;
    let request = &arguments.request;
    let searcher =
        Searcher { goal: &parsed, temporaries: request.temporaries.into(), stop: interrupt.flag() };
    let state = decide(request, |words, constants| searcher.search_length(words, constants))?;
    print_result(request, arguments.format, &state)
}

fn parse_kept(names: &[String]) -> Result<Vec<Name>, String> {
    let names = names.iter().filter(|name| !name.is_empty());
    let known = |name: &String| {
        Name::parse(name).ok_or(format!("--keep {name}: write a, x or y, separated by commas"))
    };
    names.map(known).collect()
}

/// A search that can be interrupted.
struct Searcher<'a> {
    goal: &'a Goal,
    temporaries: usize,
    stop: &'a AtomicBool,
}

impl Searcher<'_> {
    /// Searches for the sequences of a length and sorts them by speed. Returns `None` after an interruption. Fails if
    /// no sequence was found but its existence is undecided.
    fn search_length(&self, words: usize, constants: Constants) -> Result<Option<Vec<Sequence>>, Undecided> {
        let search = Search::new(self.goal, self.temporaries, constants);
        let jobs = search.jobs(words);
        let begun = Instant::now();
        let progress = Progress::new(jobs.len() as u64, "parts");
        progress.set_message(format!("{words} words"));
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
        if begun.elapsed() > LONG_SEARCH && !stderr().is_terminal() {
            let length = counted(words, "word");
            print_note(format!(
                "{length}, {} constants: {} found",
                constants.of(self.goal).len(),
                sequences.len()
            ));
        }
        // The search of shorter lengths with all constants takes long.
        if let Some(sequence) = sequences.first().filter(|_| constants == Constants::Few && words > 5) {
            let (length, code) = (counted(words, "word"), sequence.code().join("; "));
            print_note(format!("{length}: {code}. The search continues with shorter sequences"));
        }
        if sequences.is_empty() && undecided { Err(Undecided { words }) } else { Ok(Some(sequences)) }
    }
}

/// The error for a length with too many near misses to check them all.
#[derive(Debug, thiserror::Error)]
#[error(
    "cannot decide whether a sequence of {} exists: too many near misses to check; lower --temporaries or --max",
    counted(*.words, "word")
)]
struct Undecided {
    words: usize,
}

fn print_result(
    request: &SearchRequest,
    format: Format,
    state: &SearchState,
) -> Result<Ending, Box<dyn Error>> {
    let goal = visible(request.goal.trim());
    if !state.is_complete && state.sequences.is_empty() && format == Format::Text {
        let excluded = state.excluded(request.temporaries);
        print_message(format!("{goal}: interrupted; {excluded}"));
        return Ok(Ending::Interrupted);
    }
    let text = match format {
        Format::Text => state.text(&goal, request.temporaries),
        Format::Json => json::line("search", state.json(request))?,
    };
    print(text.as_bytes())?;
    Ok(match (state.is_complete, state.sequences.is_empty()) {
        (false, _) => Ending::Interrupted,
        (true, true) => Ending::Refuted,
        (true, false) => Ending::Done,
    })
}
