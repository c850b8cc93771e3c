//! Whether another machine than the expected one explains a capture.

use super::expected::{Course, End};
use super::follow::{Follow, Pace, Track, usual};
use super::place::MOST_BEFORE;
use super::samples::{Capture, Sample};
use gray1_machine::PHASES;

/// Minimum number of samples of a run that are explained.
const FEWEST: usize = 16;

/// Where in a run a capture may begin.
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
    /// The beginning of a run, for a machine that goes wrong before it can be recognised: in the first sample, or after
    /// samples of a machine in reset, in which at most the oscillator moves.
    pub fn of_run(capture: &Capture) -> Vec<Start> {
        let still: Vec<u128> = capture.samples.iter().take(2).map(|sample| sample.levels).collect();
        let held =
            capture.samples.iter().take(MOST_BEFORE).take_while(|sample| still.contains(&sample.levels));
        // A few samples are explained by anything.
        let firsts = 0..held.count().saturating_add(1).min(capture.samples.len().saturating_sub(FEWEST));
        let starts = firsts.flat_map(|sample| {
            Pace::all().map(move |pace| Start { sample, phase: pace.first, pace, is_tolerant: false })
        });
        starts.collect()
    }
}

/// Whether a machine explains all samples from a start on.
pub fn explains(capture: &Capture, course: &mut impl Course, start: &Start) -> Result<bool, End> {
    let samples: &[Sample] = &capture.samples;
    let rows: u64 = samples.iter().map(|sample| sample.count).sum();
    let mut track = Track::new(Pace { first: start.phase, ..start.pace }, u128::MAX);
    let follow = Follow {
        samples,
        is_tolerant: start.is_tolerant,
        usual: usual(samples),
        until: start.phase + (rows as usize + 1) * PHASES,
        most: usize::MAX,
    };
    let followed = follow.run(course, &mut track, (start.sample, 0), |_, _| ())?;
    Ok(followed.samples == samples.len())
}
