//! Controls a search and formats its result: the order of the lengths and constants to try, and the lengths that have
//! been ruled out.

use crate::support::numbers::number;
use gray1_proof::search::{Constants, Goal, MAX_TEMPORARIES, MAX_WORDS, Sequence};
use gray1_text::{counted, grouped};
use serde::Serialize;
use std::fmt::Write;

/// The maximum number of printed sequences.
const MAX_PRINTED: usize = 5;
/// The maximum length that is searched with all constants, unless `--exhaustive` is set. The next length is searched
/// with the likely constants. For shorter lengths, the likely constants would exclude nothing that all constants do
/// not.
const MAX_WORDS_ALL_CONSTANTS: usize = 5;

/// The parameters of a search.
#[derive(clap::Args)]
pub struct SearchRequest {
    /// The formula to compute: `a = a & x`, `c = a < x`, `jump if a < x`; or several: `x = x << 1, c = x >> 7`
    #[arg(value_name = "EXPR")]
    pub goal: String,
    /// The maximum length of a sequence, in words
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = number::<u8>(0..=MAX_WORDS as u64))]
    pub max: u8,
    /// The maximum number of temporary bytes
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(0..=MAX_TEMPORARIES as u64))]
    pub temporaries: u8,
    /// Try all constants for every length; the default is only up to 5 words
    #[arg(long)]
    pub exhaustive: bool,
}

/// The state of a search.
#[derive(Default)]
pub struct SearchState {
    /// The shortest sequences found so far.
    pub sequences: Vec<Sequence>,
    /// Proved: no sequence is shorter than this, for any constants.
    min_length: usize,
    /// Proved: no sequence of `min_length` words uses only these constants. The last instruction may use any constant.
    excluded_constants: Option<Vec<u8>>,
    /// The maximum length that was searched with a few constants.
    sampled_length: usize,
    /// Set if the search was completed, and not interrupted.
    pub is_complete: bool,
}

/// Searches the lengths in order. `search_length` returns `None` if the search was interrupted.
pub fn decide<Error>(
    request: &SearchRequest,
    mut search_length: impl FnMut(usize, Constants) -> Result<Option<Vec<Sequence>>, Error>,
) -> Result<SearchState, Error> {
    let max = usize::from(request.max);
    let mut state = SearchState::default();
    for (words, constants) in plan(max, request.exhaustive) {
        if state.sequences.first().is_some_and(|one| one.code().len() <= words) {
            continue;
        }
        // A sequence is correct even if it may not be the shortest.
        let Some(sequences) = search_length(words, constants)? else { return Ok(state) };
        match constants {
            _ if !sequences.is_empty() => state.sequences = sequences,
            Constants::All => state.min_length = words + 1,
            Constants::Few => state.sampled_length = words,
            Constants::Likely => {
                state.excluded_constants =
                    Goal::parse(&request.goal, None).ok().map(|goal| Constants::Likely.of(&goal));
            }
        }
    }
    Ok(SearchState { is_complete: true, ..state })
}

/// Lists the lengths and constants to search, in order of increasing cost. A sequence found with few constants limits
/// the lengths to search with all constants.
fn plan(max: usize, exhaustive: bool) -> Vec<(usize, Constants)> {
    let few = (0..=max).map(|words| (words, Constants::Few));
    let most = if exhaustive { max } else { max.min(MAX_WORDS_ALL_CONSTANTS) };
    let all = (0..=most).map(|words| (words, Constants::All));
    let likely = Some((most + 1, Constants::Likely)).filter(|_| most < max);
    let mut plan: Vec<_> = few.chain(all).chain(likely).collect();
    // All constants cost about as much as two more words.
    plan.sort_by_key(|(words, constants)| words + if *constants == Constants::Few { 0 } else { 2 });
    plan
}

/// The result as JSON.
#[derive(Serialize)]
pub struct Answer<'a> {
    goal: &'a str,
    /// Set if sequences with backward jumps were searched too.
    loops: bool,
    temporaries: u8,
    /// No sequence of at most this many words exists, for any constants; null if no length is excluded.
    excluded: Option<usize>,
    /// No sequence of one more word exists with these constants.
    excluded_constants: Option<&'a [u8]>,
    /// Set if the search was not interrupted.
    complete: bool,
    sequences: Vec<SequenceRow<'a>>,
}

#[derive(Serialize)]
struct SequenceRow<'a> {
    words: usize,
    cycles: [u32; 2],
    code: &'a [String],
}

impl SearchState {
    /// Describes the excluded lengths.
    pub fn excluded(&self, temporaries: u8) -> String {
        let SearchState { min_length, excluded_constants, sampled_length, .. } = self;
        let Some(most) = min_length.checked_sub(1) else { return "no length is excluded".to_owned() };
        let mut text = format!(
            "no sequence of at most {}, {}, for any constants",
            counted(most, "word"),
            limits(temporaries)
        );
        if let Some(constants) = excluded_constants {
            let _ = write!(
                text,
                "; none of {} with the constants {}",
                counted(*min_length, "word"),
                ranges(constants)
            );
        }
        if *sampled_length > *min_length {
            let _ = write!(
                text,
                "; none found of at most {} with fewer constants",
                counted(*sampled_length, "word")
            );
        }
        text
    }

    /// Formats the result as text.
    pub fn text(&self, goal: &str, temporaries: u8) -> String {
        let SearchState { sequences, min_length, .. } = self;
        let Some(first) = sequences.first() else {
            return format!("{goal}: {}\n", self.excluded(temporaries));
        };
        let mut text = String::new();
        let length = first.code().len();
        let _ = writeln!(text, "{goal}: {}", counted(length, "word"));
        for sequence in sequences.iter().take(MAX_PRINTED) {
            let [least, most] = sequence.cycles();
            let range = if least == most { String::new() } else { format!("{least} to ") };
            let _ = writeln!(text, "\n  ; {range}{}", counted(most as usize, "cycle"));
            for line in sequence.code() {
                let (label, instruction) =
                    line.rsplit_once(": ").map_or(("", &**line), |(label, rest)| (label, rest));
                let colon = if label.is_empty() { "" } else { ":" };
                let _ = writeln!(text, "  {:<4}{instruction}", format!("{label}{colon}"));
            }
        }
        if let more @ 1.. = sequences.len().saturating_sub(MAX_PRINTED) {
            let _ = writeln!(text, "\nand {} more of {}.", grouped(more as u64), counted(length, "word"));
        }
        text += "\nProved for every initial state. ";
        text += &if *min_length >= length {
            format!("No shorter sequence exists {}.\n", limits(temporaries))
        } else {
            let excluded = self.excluded(temporaries);
            let from = if min_length + 1 == length { String::new() } else { format!("{min_length} to ") };
            format!(
                "Shorter: {excluded}; {from}{} with other constants: unknown.\n",
                counted(length - 1, "word")
            )
        };
        text
    }

    /// Converts the result for JSON.
    pub fn json<'a>(&'a self, request: &'a SearchRequest) -> Answer<'a> {
        let row = |sequence: &'a Sequence| SequenceRow {
            words: sequence.code().len(),
            cycles: sequence.cycles(),
            code: sequence.code(),
        };
        Answer {
            goal: request.goal.trim(),
            loops: false,
            temporaries: request.temporaries,
            excluded: self.min_length.checked_sub(1),
            excluded_constants: self.excluded_constants.as_deref(),
            complete: self.is_complete,
            sequences: self.sequences.iter().map(row).collect(),
        }
    }
}

/// Describes the restrictions of every search.
fn limits(temporaries: u8) -> String {
    format!("without loops and with at most {}", counted(temporaries.into(), "temporary byte"))
}

/// Formats ascending numbers, with ranges: `0 to 4, 7`.
fn ranges(numbers: &[u8]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[u8]| match run {
        [first, .., last] if run.len() > 2 => format!("{first} to {last}"),
        few => few.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}
