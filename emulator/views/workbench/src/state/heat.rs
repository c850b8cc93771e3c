//! How often each line has run: counted when the user asks for it, and shown beside the source until that is no longer
//! true of the position.

use crate::listing::{Line, Listing, Row};
use gray1_debugger::Counts;
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
    lines: HashMap<Line, Count>,
}

/// How often something ran.
#[derive(Clone, Copy, Default)]
pub struct Count {
    /// How often it was begun.
    pub times: u64,
    /// The cycles of all its words.
    pub cycles: u64,
    /// The cycle in which it ran first.
    pub first: Option<u64>,
}

impl Heat {
    pub fn new(listing: &Listing, counts: &Counts) -> Heat {
        let word = |at: u16| {
            let times = counts.times()[usize::from(at)];
            Count { times, cycles: times, first: counts.first(at) }
        };
        let mut lines: HashMap<Line, Count> = HashMap::new();
        for at in 0..PROGRAM_WORDS as u16 {
            let count = word(at);
            let mut seen: Vec<Line> = Vec::new();
            for (depth, frame) in listing.source.frames(at).iter().enumerate() {
                let Some(line) = listing.line(frame).filter(|line| !seen.contains(line)) else { continue };
                seen.push(line);
                let sum = lines.entry(line).or_default();
                sum.cycles += count.cycles;
                sum.times += if listing.source.begins_line(at, depth) { count.times } else { 0 };
                sum.first = sum.first.into_iter().chain(count.first).min();
            }
        }
        let all = counts.times().iter().sum();
        Heat { cycle: counts.cycle(), all, words: (0..PROGRAM_WORDS as u16).map(word).collect(), lines }
    }

    /// The counts of a row; `None` for a row without instructions.
    pub fn of(&self, file: usize, row: Row) -> Option<Count> {
        match row {
            Row::Line(line) => self.lines.get(&Line { file, line }).copied(),
            Row::Word { sequence, .. } => self.words.get(usize::from(sequence)).copied(),
            Row::Call { .. } => None,
        }
    }
}

impl Count {
    /// How often it was begun, in at most five characters: `950`, `1.2k`, `34k`, `5.6M`.
    pub fn text(self) -> String {
        let (mut rest, mut unit) = (self.times, "");
        let mut tenths = 0;
        for next in ["k", "M", "G", "T"] {
            if rest >= 1000 {
                (tenths, rest, unit) = (rest % 1000 / 100, rest / 1000, next);
            }
        }
        match self.times {
            0 => "never".to_owned(),
            1000.. if rest < 10 => format!("{rest}.{tenths}{unit}"),
            _ => format!("{rest}{unit}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short() {
        let text = |times| Count { times, ..Count::default() }.text();
        let cases = [(0, "never"), (950, "950"), (1_250, "1.2k"), (34_999, "34k"), (5_600_000, "5.6M")];
        for (times, expected) in cases {
            assert_eq!(text(times), expected);
        }
    }
}
