//! A place in a run at which a capture may begin, and how far it agrees from there on.

use super::expected::{End, Expected};
use super::follow::{Follow, Followed, Pace, Track};
use super::samples::Sample;
use gray1_machine::PHASES;

/// Maximum number of samples compared to find the beginning of the capture.
pub const LOOKED_AT: usize = 2_000;
/// Maximum number of samples that may have been taken before the machine begins to run.
pub const MOST_BEFORE: usize = 256;

/// A place in the run at which a capture may begin.
pub struct Place {
    pub pace: Pace,
    pub is_tolerant: bool,
    pub first: usize,
    pub start: usize,
    /// The phase in which its first entry begins.
    pub phase: usize,
    pub followed: Followed,
    /// The same, but without the lines that are wrong at the first difference.
    pub beyond: Followed,
    pub is_ambiguous: bool,
}

impl Place {
    /// The number of entries that agree.
    pub fn entries(&self) -> usize {
        self.followed.entries.max(self.beyond.entries)
    }

    /// The number of samples that agree.
    pub fn agreeing(&self) -> usize {
        self.followed.samples - self.first
    }

    /// The number of samples that agree, except for the lines that are wrong at the first difference.
    pub fn agreeing_without(&self) -> usize {
        self.beyond.samples - self.first
    }

    /// Sorts places by the number of samples that agree, then by whether there is a row for each phase at their pace. If
    /// the place is hidden by wrong lines, the samples that agree without these come first.
    pub fn rank(&self, is_hidden: bool) -> (usize, usize, bool) {
        let (with, without) = (self.agreeing(), self.agreeing_without());
        let (first, second) = if is_hidden { (without, with) } else { (with, 0) };
        (first, second, self.followed.has_rows_for_all())
    }

    /// Leaves out the lines that are wrong at the first difference. In a loop, a wrong level in the first round hides
    /// which round it is. No probe explains more than two wrong lines.
    pub fn look_beyond(&mut self, follow: &Follow, expected: &mut Expected, mask: u128) -> Result<(), End> {
        let sample = follow.samples.get(self.followed.end).filter(|_| !self.is_whole(follow.samples));
        let Some(sample) = sample else { return Ok(()) };
        let until = self.phase + LOOKED_AT * PHASES;
        let now = self.followed.entry - self.start;
        for number in [now, now + 1] {
            let Some(entry) = self.track(mask).entry(expected, number, until)? else { continue };
            let wrong = (sample.levels ^ entry.levels) & sample.known & mask;
            if wrong.count_ones() <= 2 {
                let mut track = self.track(mask & !wrong);
                let without =
                    Follow { until, ..*follow }.run(expected, &mut track, (self.first, 0), |_, _| ())?;
                if without.samples > self.beyond.samples {
                    self.beyond = without;
                }
            }
        }
        Ok(())
    }

    /// The expected entries from here on. They begin at a phase, since the number of an entry depends on which nets are
    /// compared.
    pub fn track(&self, mask: u128) -> Track {
        Track::new(Pace { first: self.phase, ..self.pace }, mask)
    }

    /// Whether all samples that were compared agree.
    pub fn is_whole(&self, samples: &[Sample]) -> bool {
        self.followed.samples == samples.len().min(self.first + LOOKED_AT)
    }
}
