//! What a search has shown: the order in which lengths and constants are tried, and the answer as text.

use super::parts::Question;
use gray1_search::{Constants, Goal, Sequence};
use gray1_text::{counted, grouped};
use std::error::Error;
use std::fmt::Write;

/// Maximum number of sequences printed.
const MOST_PRINTED: usize = 5;
/// Lengths up to this are searched with all constants; longer ones only with `--exhaustive`, because that takes long.
/// Only the length after it is searched with all likely constants: shorter ones can combine constants to others, but
/// those lengths are searched with all constants.
const SHOWN: usize = 5;

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
pub fn decide(
    question: &Question,
    mut of_length: impl FnMut(usize, Constants) -> Result<Option<Vec<Sequence>>, Box<dyn Error>>,
) -> Result<Known, Box<dyn Error>> {
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

/// The lengths in the order in which they are tried: a sequence with few constants limits the lengths to search with
/// all of them.
fn plan(max: usize, exhaustive: bool) -> impl Iterator<Item = (usize, Constants)> {
    let lengths = move |constants| (0..=max.min(SHOWN)).map(move |words| (words, constants));
    let longer = (SHOWN + 1..=max).flat_map(move |words| {
        let more = match words {
            _ if exhaustive => Some(Constants::All),
            _ if words == SHOWN + 1 => Some(Constants::Likely),
            _ => None,
        };
        [Some(Constants::Few), more].into_iter().flatten().map(move |constants| (words, constants))
    });
    lengths(Constants::Few).chain(lengths(Constants::All)).chain(longer)
}

/// A length in words.
pub fn words(count: usize) -> String {
    counted(count, "word")
}

impl Known {
    /// Up to which length there is nothing.
    pub fn nothing(&self) -> String {
        let Known { shown, likely, tried, .. } = self;
        let mut text = match shown {
            0 => return "nothing is shown".to_owned(),
            shown => format!("nothing of {} or fewer, whatever the constants", words(shown - 1)),
        };
        if let Some(constants) = likely {
            let _ = write!(text, "; nothing of {} with the constants {}", words(*shown), ranges(constants));
        }
        if *tried > *shown {
            let _ = write!(text, "; nothing found of up to {} with fewer constants", words(*tried));
        }
        text
    }

    /// The answer.
    pub fn text(&self, goal: &str) -> String {
        let Known { sequences, shown, .. } = self;
        let Some(first) = sequences.first() else { return format!("{goal}: {}\n", self.nothing()) };
        let mut text = String::new();
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
                let likely = match &self.likely {
                    Some(constants) => {
                        format!(", nor of {} with the constants {}", words(shown), ranges(constants))
                    }
                    None => String::new(),
                };
                format!(
                    "There is nothing of {} or fewer{likely}; of {open}{} there may be something with other constants.\n",
                    words(shown - 1),
                    words(length - 1)
                )
            }
        };
        text
    }
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
