//! Whether another machine than the expected one explains a capture.

use super::expected::{Course, End};
use super::follow::{Matcher, Pace, Track, median_count};
use super::samples::{Capture, Sample};
use gray1_machine::PHASES;

/// Maximum number of samples that may have been taken before the machine begins to run.
const MAX_SAMPLES_BEFORE: usize = 256;
/// Minimum number of samples of a run that are explained.
const MIN_SAMPLES: usize = 16;

/// A possible beginning of a capture in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The sample, and the phase of the run in which it was taken.
    pub sample: usize,
    #[allow(missing_docs)]
    pub phase: usize,
    pub(super) pace: Pace,
    pub(super) is_tolerant: bool,
}

impl Start {
    /// The starts of a capture that begins in a cycle of a run: in the first sample, or after samples of a machine in
    /// reset, in which at most the oscillator moves; at each pace.
    pub fn all(capture: &Capture, cycle: usize) -> Vec<Start> {
        let still: Vec<u128> = capture.samples.iter().take(2).map(|sample| sample.levels).collect();
        let held = capture
            .samples
            .iter()
            .take(MAX_SAMPLES_BEFORE)
            .take_while(|sample| still.contains(&sample.levels));
        // A few samples are explained by anything.
        let firsts = 0..=held.count().min(capture.samples.len().saturating_sub(MIN_SAMPLES + 1));
        let starts = firsts.flat_map(|sample| {
            let phase = |pace: Pace| cycle * PHASES + pace.first;
            Pace::all().map(move |pace| Start { sample, phase: phase(pace), pace, is_tolerant: false })
        });
        starts.collect()
    }

    /// The expected entries from here on. They begin at a phase, since the number of an entry depends on which nets are
    /// compared.
    pub(super) fn track(&self, mask: u128) -> Track {
        Track::new(Pace { first: self.phase, ..self.pace }, mask)
    }

    /// The comparison of these samples from here on.
    pub(super) fn matcher<'a>(&self, samples: &'a [Sample]) -> Matcher<'a> {
        let rows: u64 = samples.iter().map(|sample| sample.count).sum();
        Matcher {
            samples,
            is_tolerant: self.is_tolerant,
            median_count: median_count(samples),
            until: self.phase + (rows as usize + 1) * PHASES,
        }
    }
}

/// Whether a machine explains all samples from a start on.
pub fn explains(capture: &Capture, course: &mut impl Course, start: &Start) -> Result<bool, End> {
    let mut track = start.track(u128::MAX);
    let matcher = start.matcher(&capture.samples);
    let agreement = matcher.run(course, &mut track, (start.sample, 0), |_, _| ())?;
    Ok(agreement.samples == capture.samples.len())
}
