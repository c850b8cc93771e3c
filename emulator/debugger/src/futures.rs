//! The futures of a run: a change to the past begins a new one, and the previous one is kept.
//!
//! Only its inputs, its edits and the last position it reached are stored. The run itself is repeated when needed.

use crate::position::Position;
use crate::timeline::Timeline;
use std::collections::VecDeque;
use std::fmt;

/// The maximum number of futures that are kept. When there are more, the oldest is dropped.
const KEPT: usize = 16;

/// Futures that are not followed now.
#[derive(Default)]
pub(crate) struct Futures {
    kept: VecDeque<Kept>,
    last_number: usize,
}

struct Kept {
    number: usize,
    timeline: Timeline,
    end: Position,
}

/// A future that is not the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Future {
    /// Its number, for [`History::switch`](crate::History::switch).
    pub number: usize,
    /// The cycle in which it diverges from the current one.
    pub parting: u64,
    /// The latest position reached in it.
    pub end: Position,
}

/// The result of a change: where it was made, and what has become of the previous future.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fork {
    /// The position of the change.
    pub position: Position,
    /// How many cycles had been run after it.
    pub left: u64,
    /// The number of the future that keeps these cycles, if there are any.
    pub kept: Option<usize>,
}

impl Futures {
    /// Keeps a future and returns its number.
    pub fn keep(&mut self, timeline: Timeline, end: Position) -> usize {
        self.last_number += 1;
        self.kept.push_back(Kept { number: self.last_number, timeline, end });
        if self.kept.len() > KEPT {
            self.kept.pop_front();
        }
        self.last_number
    }

    /// Removes and returns the future with this number.
    pub fn take(&mut self, number: usize) -> Option<(Timeline, Position)> {
        let index = self.kept.iter().position(|kept| kept.number == number)?;
        self.kept.remove(index).map(|kept| (kept.timeline, kept.end))
    }

    /// The future with this number, and the latest position reached in it.
    pub fn get(&self, number: usize) -> Option<(&Timeline, Position)> {
        let kept = self.kept.iter().find(|kept| kept.number == number)?;
        Some((&kept.timeline, kept.end))
    }

    /// All of them, the oldest first, and where they diverge from the current timeline.
    pub fn list(&self, current: &Timeline) -> impl Iterator<Item = Future> {
        self.kept.iter().map(|Kept { number, timeline, end }| {
            let parting = current.parting(timeline).unwrap_or(end.cycle);
            Future { number: *number, parting, end: *end }
        })
    }

    /// The bytes of memory that the futures take.
    pub fn size(&self) -> usize {
        self.kept.iter().map(|kept| size_of::<Kept>() + kept.timeline.size()).sum()
    }
}

impl fmt::Display for Fork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fork { position, left, kept } = self;
        match kept {
            None => write!(f, "changed at {position}"),
            Some(kept) => write!(
                f,
                "the history forks at {position}; the {left} later cycles are kept: `switch {kept}` goes back to them"
            ),
        }
    }
}
