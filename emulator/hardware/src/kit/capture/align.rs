//! Compares a capture with a run from a given cycle on, in each way in which it may have been sampled.

use super::cause::{Difference, Probe};
use super::expected::{End, Expected};
use super::explain::Start;
use super::follow::{Agreement, Entry};
use super::samples::{Capture, Sample};
use std::cmp::Reverse;

/// This many entries of the run agree at the right pace; and a line is called wrong if more rows agree without it.
const MIN_AGREEING: usize = 8;

/// The result of comparing a capture with a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The line of the file, and the cycle and phase of the run, at which the comparison begins.
    pub line: usize,
    #[allow(missing_docs)]
    pub begins: (u64, u8),
    /// The same place, for a comparison with other machines.
    pub start: Start,
    /// The number of rows that agree, and in how many of them the lines of the probe differ.
    pub rows: u64,
    #[allow(missing_docs)]
    pub rows_with_wrong_lines: u64,
    /// The first difference.
    pub difference: Option<Difference>,
    /// A line that is wrong while the machine continues correctly.
    pub probe: Option<Probe>,
}

/// Compares a capture that begins in this cycle of a run, or in reset before it, at the pace at which most rows agree.
pub fn compare_capture(capture: &Capture, expected: &mut Expected, from: usize) -> Result<Comparison, End> {
    let mut best: Option<(Comparison, _)> = None;
    for is_tolerant in [false, true] {
        let starts = Start::all(capture, from).into_iter().map(|start| Start { is_tolerant, ..start });
        let plain = starts.map(|start| finish(capture, expected, start, None));
        let plain = plain.collect::<Result<Vec<_>, _>>()?;
        let agrees = |agreement: &Agreement| agreement.entries >= MIN_AGREEING;
        // A line that is always wrong hides at which pace the others agree.
        let is_hidden = !plain.iter().any(|(_, agreement)| agrees(agreement));
        for (comparison, agreement) in plain {
            if !is_hidden && !agrees(&agreement) || is_tolerant && !agreement.is_dense() {
                continue;
            }
            let start = comparison.start;
            let (comparison, agreement) = without_wrong_lines(capture, expected, (comparison, agreement))?;
            let is_equal = comparison.difference.is_none();
            let wrong = Reverse(comparison.rows_with_wrong_lines);
            let rank =
                (is_equal, comparison.rows, wrong, agreement.has_rows_for_all(), Reverse(start.sample));
            if best.as_ref().is_none_or(|(_, best)| rank > *best) {
                best = Some((comparison, rank));
            }
        }
        if best.as_ref().is_some_and(|(best, _)| best.difference.is_none()) {
            break;
        }
    }
    // There is always a start at the first sample.
    best.map(|(best, _)| best).ok_or(End::Interrupted)
}

/// A comparison; or, if one or two lines are wrong while the machine continues correctly, one that counts the rows that
/// agree except for these lines.
fn without_wrong_lines(
    capture: &Capture,
    expected: &mut Expected,
    (comparison, agreement): (Comparison, Agreement),
) -> Result<(Comparison, Agreement), End> {
    let wrong = comparison.difference.as_ref().map_or(0, Difference::lines);
    for probe in Probe::all(capture).filter(|probe| probe.lines() & !wrong == 0) {
        expected.check()?;
        let (without, agreement) = finish(capture, expected, comparison.start, Some(probe))?;
        if without.rows > comparison.rows + MIN_AGREEING as u64 {
            return Ok((Comparison { difference: comparison.difference, ..without }, agreement));
        }
    }
    Ok((comparison, agreement))
}

/// Compares all samples from a start on, after correcting a line that is known to be wrong.
fn finish(
    capture: &Capture,
    expected: &mut Expected,
    start: Start,
    probe: Option<Probe>,
) -> Result<(Comparison, Agreement), End> {
    let samples = &capture.samples;
    let corrected = samples.iter().map(|sample| probe.map_or(*sample, |probe| probe.undone(sample)));
    let corrected: Vec<Sample> = corrected.collect();
    let mut track = start.track(probe.map_or(u128::MAX, |probe| probe.mask()));
    let matcher = start.matcher(&corrected);
    let (mut wrong, mut rows_with_wrong_lines) = (None, 0);
    let agreement = matcher.run(expected, &mut track, (start.sample, 0), |number, entry| {
        let sample = &samples[number];
        if (sample.levels ^ entry.levels) & sample.known != 0 {
            wrong.get_or_insert((*sample, entry.phase, entry.levels));
            rows_with_wrong_lines += sample.count;
        }
    })?;
    let now = track.entry(expected, agreement.entry, matcher.until)?;
    let next = track.entry(expected, agreement.entry + 1, matcher.until)?;
    // With one row for each phase, the phase of each row is known; otherwise it is the phase in which nets move.
    let late = agreement.late.filter(|_| !agreement.is_uneven);
    let begin = start.phase + late.map_or(0, |late| late as usize * start.pace.every);
    let stop = Stop { samples, start, agreement: &agreement, now, next };
    let (seen, stays) = match agreement.samples < samples.len() {
        true => (stop.otherwise(late.map(|_| begin)), false),
        false => (stop.too_long(), true),
    };
    let stays = stays && seen.is_some();
    let first = match (wrong, seen) {
        (Some(one), Some(other)) if one.0.line > other.0.line => Some(other),
        (one, other) => one.or(other),
    };
    let difference = first.map(|(sample, phase, levels)| Difference {
        line: sample.line,
        position: expected.position(phase),
        instruction: expected.instruction(phase),
        got: sample.levels,
        known: sample.known,
        wanted: levels,
        stays,
    });
    let comparison = Comparison {
        line: samples[start.sample].line,
        begins: expected.position(begin),
        start,
        rows: agreement.rows,
        rows_with_wrong_lines,
        difference,
        probe,
    };
    Ok((comparison, agreement))
}

/// The place where samples stop agreeing or end.
struct Stop<'a> {
    samples: &'a [Sample],
    start: Start,
    agreement: &'a Agreement,
    /// The entry that was seen last, and the one that should follow.
    now: Option<Entry>,
    next: Option<Entry>,
}

impl Stop<'_> {
    /// The sample that differs, with its phase and the expected levels. If the phase of each row is known, it is that
    /// of the first row.
    fn otherwise(&self, begin: Option<usize>) -> Option<(Sample, usize, u128)> {
        let sample = *self.samples.get(self.agreement.end)?;
        let before: u64 =
            self.samples[self.start.sample..self.agreement.end].iter().map(|sample| sample.count).sum();
        let phase = begin.map(|begin| begin + before as usize * self.start.pace.every);
        let has_not_moved = |phase: &usize| self.next.is_none_or(|next| *phase < next.phase);
        match (self.now, phase.filter(has_not_moved)) {
            (Some(now), Some(phase)) => Some((sample, phase, now.levels)),
            _ => self.next.or(self.now).map(|entry| (sample, entry.phase, entry.levels)),
        }
    }

    /// The last sample, if it stays much longer than it should, with the phase and the levels that should have
    /// agreement.
    fn too_long(&self) -> Option<(Sample, usize, u128)> {
        let last = *self.samples.last()?;
        let pace = self.agreement.rows.div_ceil(self.agreement.phases.max(1));
        let longest = self.now?.phases as u64 * pace * 4 + 16;
        let next = self.next.filter(|_| self.agreement.phases > 0 && last.count > longest)?;
        Some((last, next.phase, next.levels))
    }
}
