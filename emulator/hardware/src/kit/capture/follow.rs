//! Compares samples with the expected levels, one after the other.
//!
//! Both are reduced to changes: equal rows are one sample, and consecutive phases in which no net moves are one entry.
//! An analyser that is faster than the machine also sees intermediate levels; one that is clocked by the machine may
//! see only one phase of each cycle.

use super::expected::{Course, End};
use super::samples::Sample;
use gray1_machine::PHASES;

/// Maximum number of successive samples that can be intermediate levels between two entries.
const MAX_INTERMEDIATE: usize = 8;

/// The phases that were sampled: one out of `every`, beginning with `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Pace {
    pub every: usize,
    pub first: usize,
}

impl Pace {
    /// All paces that are tried: every phase, one phase of each cycle, or one of each half cycle.
    pub fn all() -> impl Iterator<Item = Pace> {
        [1, 2, 4].into_iter().flat_map(|every| (0..every).map(move |first| Pace { every, first }))
    }
}

/// Consecutive phases in which none of the compared nets moves.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub levels: u128,
    /// The first of them, counted from the beginning of the run.
    pub phase: usize,
    /// Their number.
    pub phases: usize,
}

/// The expected entries at a pace.
pub struct Track {
    pub pace: Pace,
    /// The nets that are compared.
    pub mask: u128,
    pub entries: Vec<Entry>,
}

impl Track {
    pub fn new(pace: Pace, mask: u128) -> Track {
        Track { pace, mask, entries: Vec::new() }
    }

    /// An entry, if the machine reaches it before this phase.
    pub fn entry(
        &mut self,
        expected: &mut impl Course,
        number: usize,
        until: usize,
    ) -> Result<Option<Entry>, End> {
        // An entry is complete when the next one has begun.
        while self.entries.len() < number + 2 {
            let phase = self
                .entries
                .last()
                .map_or(self.pace.first, |last| last.phase + last.phases * self.pace.every);
            let stands = self.entries.last().is_some_and(|last| last.phases * self.pace.every > 2 * PHASES);
            if phase > until || stands && expected.has_halted(phase.saturating_sub(2 * PHASES)) {
                break;
            }
            let levels = expected.levels(phase)?;
            match self.entries.last_mut() {
                Some(last) if (last.levels ^ levels) & self.mask == 0 => last.phases += 1,
                _ => self.entries.push(Entry { levels, phase, phases: 1 }),
            }
        }
        Ok(self.entries.get(number).copied())
    }
}

/// The part of the samples that agrees with the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// The first sample that does not agree, or the number of samples.
    pub samples: usize,
    /// The sample at which the comparison stopped: a few later, if these looked like intermediate levels.
    pub end: usize,
    /// The entry of the last sample that agrees.
    pub entry: usize,
    /// The number of entries that were seen.
    pub entries: usize,
    /// The number of rows of the samples that agree.
    pub rows: u64,
    /// The number of phases at the pace before the last entry.
    pub phases: u64,
    /// The number of rows before the last entry.
    pub rows_before: u64,
    /// The number of phases of the first entry that had passed when the first sample was taken, if that is known.
    pub late: Option<u64>,
    /// Whether there was not exactly one row for each phase.
    pub is_uneven: bool,
}

/// The inputs of a comparison, and how strict it is.
pub struct Matcher<'a> {
    pub samples: &'a [Sample],
    /// Whether samples may show intermediate levels.
    pub is_tolerant: bool,
    /// The median number of rows of a sample; intermediate levels have fewer.
    pub median_count: u64,
    /// The machine is not run beyond this phase.
    pub until: usize,
}

/// The median number of rows of a sample.
pub fn median_count(samples: &[Sample]) -> u64 {
    let mut counts: Vec<u64> = samples.iter().map(|sample| sample.count).collect();
    counts.sort_unstable();
    counts[counts.len() / 2]
}

impl Agreement {
    /// Whether samples have enough rows for intermediate levels to show up.
    pub fn is_dense(&self) -> bool {
        self.rows_before * 2 >= self.phases * 3
    }

    /// Whether each phase has a row, except perhaps the first ones.
    pub fn has_rows_for_all(&self) -> bool {
        self.rows_before + self.late.unwrap_or_default() >= self.phases
    }
}

impl Matcher<'_> {
    /// Compares samples from a sample and an entry on; `seen` receives the number of each sample that agrees.
    pub fn run(
        &self,
        expected: &mut impl Course,
        track: &mut Track,
        (first, start): (usize, usize),
        mut seen: impl FnMut(usize, &Entry),
    ) -> Result<Agreement, End> {
        let end = self.samples.len();
        let mut agreement = Agreement { samples: first, entry: start, ..Agreement::default() };
        let Some(mut now) = track.entry(expected, start, self.until)? else { return Ok(agreement) };
        let mask = track.mask;
        let mut next = None;
        let mut waiting = 0;
        let mut at = first;
        while at < end {
            let sample = &self.samples[at];
            if agreement.entries > 0 && next.is_none() {
                next = track.entry(expected, agreement.entry + 1, self.until)?;
            }
            if (sample.levels ^ now.levels) & sample.known & mask == 0 {
                agreement.entries = agreement.entries.max(1);
            } else if let Some(entry) =
                next.filter(|entry| (sample.levels ^ entry.levels) & sample.known & mask == 0)
            {
                agreement.phases += now.phases as u64;
                agreement.rows_before = agreement.rows;
                let late = agreement.phases.checked_sub(agreement.rows);
                agreement.is_uneven |=
                    late.is_none() || agreement.late.is_some_and(|known| late != Some(known));
                agreement.late = agreement.late.or(late);
                (now, next) = (entry, None);
                agreement.entry += 1;
                agreement.entries += 1;
            } else if self.is_on_the_way(sample, &now, next.as_ref(), mask) && waiting < MAX_INTERMEDIATE {
                waiting += 1;
                at += 1;
                continue;
            } else {
                break;
            }
            waiting = 0;
            agreement.rows += sample.count;
            seen(at, &now);
            at += 1;
            agreement.samples = at;
        }
        // The capture ends with intermediate levels.
        if at == end {
            agreement.samples = end;
        }
        agreement.end = at;
        Ok(agreement)
    }

    /// Whether a sample may show intermediate levels: each net has its old or its new level, or it is a glitch.
    fn is_on_the_way(&self, sample: &Sample, now: &Entry, next: Option<&Entry>, mask: u128) -> bool {
        let Some(next) = next.filter(|_| self.is_tolerant) else { return false };
        let neither = (sample.levels ^ now.levels) & (sample.levels ^ next.levels);
        let is_between = neither & sample.known & mask == 0;
        sample.count * if is_between { 2 } else { 4 } <= self.median_count
    }
}
