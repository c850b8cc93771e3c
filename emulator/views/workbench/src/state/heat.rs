//! How often each line has run: counted when the user asks for it, and shown beside the source until that is no longer
//! true of the position.

use crate::listing::{FileLine, Listing, Row};
use gray1_debugger::{Count, Counts};
use gray1_isa::PROGRAM_WORDS;
use std::collections::HashMap;

/// The width of its column.
pub const WIDTH: usize = 7;

/// The counts of a run up to a cycle.
pub struct Heat {
    /// The cycle up to which it was counted.
    pub cycle: u64,
    /// All cycles that were counted.
    pub all: u64,
    words: Vec<Count>,
    lines: HashMap<FileLine, Count>,
}

impl Heat {
    pub fn new(listing: &Listing, counts: &Counts) -> Heat {
        let words: Vec<Count> = (0..PROGRAM_WORDS as u16).map(|at| counts.word(at)).collect();
        let lines = counts.lines(&listing.source).into_iter();
        let lines = lines.filter_map(|((file, line), count)| Some((listing.line_of(file, line)?, count)));
        let all = words.iter().map(|word| word.cycles).sum();
        Heat { cycle: counts.cycle(), all, words, lines: lines.collect() }
    }

    /// The counts of a row; `None` for a row without instructions.
    pub fn of(&self, file: usize, row: Row) -> Option<Count> {
        match row {
            Row::Line(line) => self.lines.get(&FileLine { file, line }).copied(),
            Row::Word { sequence, .. } => self.words.get(usize::from(sequence)).copied(),
            Row::Call { .. } => None,
        }
    }
}

/// How often something was begun, in at most five characters: `950`, `1.2k`, `34k`, `5.6M`.
pub fn short(times: u64) -> String {
    let (mut rest, mut unit) = (times, "");
    let mut tenths = 0;
    for next in ["k", "M", "G", "T"] {
        if rest >= 1000 {
            (tenths, rest, unit) = (rest % 1000 / 100, rest / 1000, next);
        }
    }
    match times {
        0 => "never".to_owned(),
        1000.. if rest < 10 => format!("{rest}.{tenths}{unit}"),
        _ => format!("{rest}{unit}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short() {
        let cases = [(0, "never"), (950, "950"), (1_250, "1.2k"), (34_999, "34k"), (5_600_000, "5.6M")];
        for (times, expected) in cases {
            assert_eq!(short(times), expected);
        }
    }
}
