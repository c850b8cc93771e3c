//! A run in progress.

use gray1_debugger::{Direction, Frame, Target};
use std::time::Duration;

/// The cycles of the first slice of a run, and of the longest.
const FIRST_SLICE: u64 = 1 << 14;
const LONGEST_SLICE: u64 = 1 << 21;
/// How long a slice should take.
const SLICE_TIME: Duration = Duration::from_millis(30);

/// Where a run goes. Forwards it goes in slices, so that output appears and requests are answered in between.
/// Backwards the whole search is one slice, which `pause` interrupts.
pub(super) struct Run {
    pub direction: Direction,
    pub target: Target,
    /// The expansions that had been entered where the run began.
    pub entered: Vec<Frame>,
    /// The cycles of the next slice.
    pub slice: u64,
}

impl Run {
    pub fn new(direction: Direction, target: Target, entered: Vec<Frame>) -> Run {
        Run { direction, target, entered, slice: FIRST_SLICE }
    }

    /// Makes the next slice longer or shorter.
    pub fn adjust_slice(&mut self, took: Duration) {
        if took < SLICE_TIME / 2 {
            self.slice = (self.slice * 2).min(LONGEST_SLICE);
        } else if took > SLICE_TIME * 2 {
            self.slice = (self.slice / 2).max(1);
        }
    }
}
