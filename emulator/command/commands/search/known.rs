//! The answer to a search, with exactly what was shown: the order in which lengths and constants are tried, and the
//! wording.

use gray1_search::{Constants, Goal, Sequence};
use gray1_text::{counted, grouped};
use serde::Serialize;
use std::fmt::Write;

/// Maximum number of sequences printed.
const MAX_PRINTED: usize = 5;
/// Lengths up to this are searched with all constants; longer ones only with `--exhaustive`, because that takes long.
/// Only the length after it is searched with all likely constants: shorter ones can combine constants to others, but
/// those lengths are searched with all constants.
const MAX_WORDS_ALL_CONSTANTS: usize = 5;

/// The options of a search.
pub struct Question {
    /// The goal as it was written.
    pub search: String,
    pub temporaries: u8,
    pub max: u8,
    pub exhaustive: bool,
}

/// The result of a search so far.
#[derive(Default)]
pub struct Known {
    /// The shortest sequences that were found.
    pub sequences: Vec<Sequence>,
    /// It is proved that there is no sequence of fewer words than this, whatever the constants.
    shown: usize,
    /// It is proved that there is none of `shown` words with these constants, except for that of the last instruction.
    likely: Option<Vec<u8>>,
    /// The most words that were tried with a few constants.
    tried: usize,
    /// Whether the search was completed, and not interrupted.
    pub is_complete: bool,
}

/// Decides the question from the sequences of each length. `of_length` returns `None` if the search was interrupted.
pub fn decide<Error>(
    question: &Question,
    mut of_length: impl FnMut(usize, Constants) -> Result<Option<Vec<Sequence>>, Error>,
) -> Result<Known, Error> {
    let max = usize::from(question.max);
    let mut known = Known::default();
    for (words, constants) in plan(max, question.exhaustive) {
        if known.sequences.first().is_some_and(|one| one.code().len() <= words) {
            continue;
        }
        // A sequence that was found is correct, even if it is not known whether it is the shortest.
        let Some(sequences) = of_length(words, constants)? else { return Ok(known) };
        match constants {
            _ if !sequences.is_empty() => known.sequences = sequences,
            Constants::All => known.shown = words + 1,
            Constants::Few => known.tried = words,
            Constants::Likely => {
                known.likely =
                    Goal::parse(&question.search, None).ok().map(|goal| Constants::Likely.of(&goal));
            }
        }
    }
    Ok(Known { is_complete: true, ..known })
}

/// The lengths in the order in which they are tried, the cheaper first. A sequence found with few constants limits the
/// lengths to search with all of them.
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

/// The answer for programs.
#[derive(Serialize)]
pub struct Answer<'a> {
    version: u8,
    command: &'static str,
    goal: &'a str,
    /// Whether sequences with backward jumps were searched, too.
    loops: bool,
    temporaries: u8,
    /// No sequence of at most this many words exists, for any constants; null if none is excluded.
    excluded: Option<usize>,
    /// The constants with which no sequence of one more word exists.
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

impl Known {
    /// The lengths that are excluded, as a noun phrase.
    pub fn excluded(&self, temporaries: u8) -> String {
        let Known { shown, likely, tried, .. } = self;
        let Some(most) = shown.checked_sub(1) else { return "no length is excluded".to_owned() };
        let mut text = format!(
            "no sequence of at most {}, {}, for any constants",
            counted(most, "word"),
            limits(temporaries)
        );
        if let Some(constants) = likely {
            let _ = write!(
                text,
                "; none of {} with the constants {}",
                counted(*shown, "word"),
                ranges(constants)
            );
        }
        if *tried > *shown {
            let _ = write!(text, "; none found of at most {} with fewer constants", counted(*tried, "word"));
        }
        text
    }

    /// The answer as text.
    pub fn text(&self, goal: &str, temporaries: u8) -> String {
        let Known { sequences, shown, .. } = self;
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
        text += &if *shown >= length {
            format!("No shorter sequence exists {}.\n", limits(temporaries))
        } else {
            let excluded = self.excluded(temporaries);
            let from = if shown + 1 == length { String::new() } else { format!("{shown} to ") };
            format!(
                "Shorter: {excluded}; {from}{} with other constants: unknown.\n",
                counted(length - 1, "word")
            )
        };
        text
    }

    /// The answer as JSON.
    pub fn json<'a>(&'a self, question: &'a Question) -> Answer<'a> {
        let row = |sequence: &'a Sequence| SequenceRow {
            words: sequence.code().len(),
            cycles: sequence.cycles(),
            code: sequence.code(),
        };
        Answer {
            version: 1,
            command: "search",
            goal: &question.search,
            loops: false,
            temporaries: question.temporaries,
            excluded: self.shown.checked_sub(1),
            excluded_constants: self.likely.as_deref(),
            complete: self.is_complete,
            sequences: self.sequences.iter().map(row).collect(),
        }
    }
}

/// The restrictions of every search.
fn limits(temporaries: u8) -> String {
    format!("without loops and with at most {}", counted(temporaries.into(), "temporary byte"))
}

/// Numbers in ascending order, with ranges: `0 to 4, 7`.
fn ranges(numbers: &[u8]) -> String {
    let runs = numbers.chunk_by(|one, next| one + 1 == *next);
    let run = |run: &[u8]| match run {
        [first, .., last] if run.len() > 2 => format!("{first} to {last}"),
        few => few.iter().map(u8::to_string).collect::<Vec<_>>().join(", "),
    };
    runs.map(run).collect::<Vec<_>>().join(", ")
}
