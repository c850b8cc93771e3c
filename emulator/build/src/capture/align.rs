//! Finds where in a run a capture begins, and the first difference from there on.

use super::cause::{Likely, Probe, likely};
use super::expected::{End, Expected};
use super::follow::{Entry, Follow, Followed, Pace, Track};
use super::samples::{Capture, Sample};
use gray1_machine::PHASES;
use gray1_machine::netlist::Netlist;
use std::cmp::Reverse;

/// Maximum number of samples compared to find the beginning of the capture.
const LOOKED_AT: usize = 2_000;
/// Maximum number of cycles of the run that are searched for the beginning of a capture with a wrong line.
const WITHIN_WITH_A_WRONG_LINE: usize = 2_000;
/// Maximum number of samples that may have been taken before the machine begins to run.
const MOST_BEFORE: usize = 256;
/// Number of entries of the run that must agree for a place to be accepted as the beginning.
const ENOUGH: usize = 8;
/// Maximum number of places that are compared further if none agrees throughout.
const MOST_PLACES: usize = 64;

/// The result of comparing a capture with a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The line of the file, and the cycle and phase of the run, at which the comparison begins.
    pub line: usize,
    #[allow(missing_docs)]
    pub begins: (u64, u8),
    /// Whether other places of the run agree equally well.
    pub is_ambiguous: bool,
    /// Whether no part of the run agrees for long, so that the capture was assumed to begin with the run.
    pub is_guess: bool,
    /// The number of rows that agree.
    pub rows: u64,
    /// The first difference.
    pub difference: Option<Difference>,
    /// A line that is wrong while the machine goes on as it should.
    pub probe: Option<Probe>,
}

/// A sample that differs from the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the file.
    pub line: usize,
    /// The cycle and the phase.
    pub position: (u64, u8),
    /// The sequence number of the instruction that runs then.
    pub instruction: u16,
    /// The levels that were seen, as far as they are known, and those expected.
    pub got: u128,
    #[allow(missing_docs)]
    pub known: u128,
    #[allow(missing_docs)]
    pub wanted: u128,
    /// Whether the levels stay the same although they should change.
    pub stays: bool,
    /// A likely explanation.
    pub likely: Option<Likely>,
}

impl Difference {
    /// The lines that are wrong.
    pub fn lines(&self) -> u128 {
        (self.got ^ self.wanted) & self.known
    }
}

/// A place in the run at which a capture may begin.
struct Place {
    pace: Pace,
    is_tolerant: bool,
    first: usize,
    start: usize,
    followed: Followed,
    is_ambiguous: bool,
}

/// Finds the place in the first `within` cycles of a run where a capture begins, and compares it from there on. `None`
/// if no part of the run resembles it.
pub fn compare_capture(
    capture: &Capture,
    expected: &mut Expected,
    netlist: &Netlist,
    within: usize,
) -> Result<Option<Comparison>, End> {
    let samples = &capture.samples;
    let found = places(samples, expected, u128::MAX, within)?;
    let mut best: Option<Comparison> = None;
    for place in found.iter().filter(|place| place.followed.entries >= ENOUGH || place.is_whole(samples)) {
        let mut comparison = compare_from(capture, expected, netlist, place)?;
        comparison.is_ambiguous &= found.len() == 1;
        match &mut best {
            Some(best) if best.rows > comparison.rows => {}
            Some(best) if best.rows == comparison.rows => best.is_ambiguous |= best.line == comparison.line,
            _ => best = Some(comparison),
        }
    }
    if best.is_some() {
        return Ok(best);
    }
    // A line that is always wrong hides where the capture begins, so the search is repeated without each line.
    let within = within.min(WITHIN_WITH_A_WRONG_LINE);
    let mut best: Option<(Place, Probe)> = None;
    for probe in Probe::all(capture) {
        expected.check()?;
        let samples = samples.iter().take(MOST_BEFORE + LOOKED_AT);
        let samples: Vec<Sample> = samples.map(|sample| probe.undone(sample)).collect();
        if let Some(place) = places(&samples, expected, probe.mask(), within)?.into_iter().next()
            && place.followed.entries >= 2 * ENOUGH
            && best.as_ref().is_none_or(|(best, _)| place.agreeing() > best.agreeing())
        {
            best = Some((place, probe));
        }
    }
    if let Some((place, probe)) = best {
        return finish(capture, expected, netlist, &place, Some(probe)).map(Some);
    }
    // If the machine goes wrong at once, the capture perhaps begins with the run.
    let begin = places(samples, expected, u128::MAX, 0)?;
    let Some(begin) = begin.first() else { return Ok(None) };
    let comparison = finish(capture, expected, netlist, begin, None)?;
    Ok(Some(Comparison { is_guess: true, ..comparison }))
}

/// The comparison from a place on. If one or two lines are wrong while the machine continues correctly, the rows that
/// agree except for these lines are counted.
fn compare_from(
    capture: &Capture,
    expected: &mut Expected,
    netlist: &Netlist,
    place: &Place,
) -> Result<Comparison, End> {
    let comparison = finish(capture, expected, netlist, place, None)?;
    let wrong = comparison.difference.as_ref().map_or(0, Difference::lines);
    for probe in Probe::all(capture).filter(|probe| probe.lines() & !wrong == 0) {
        expected.check()?;
        let without = finish(capture, expected, netlist, place, Some(probe))?;
        if without.rows > comparison.rows + ENOUGH as u64 {
            return Ok(Comparison { difference: comparison.difference, ..without });
        }
    }
    Ok(comparison)
}

/// The place of a run where most samples agree. If none agrees throughout, it is followed by those that agree nearly as
/// long, because a wrong level may by chance be right for a few rows at another place.
fn places(samples: &[Sample], expected: &mut Expected, mask: u128, within: usize) -> Result<Vec<Place>, End> {
    let (mut places, mut most) = (Vec::<Place>::new(), 0);
    for is_tolerant in [false, true] {
        for pace in Pace::all() {
            let mut track = Track::new(pace, mask);
            let window = within * PHASES;
            let follow = Follow {
                samples,
                is_tolerant,
                usual: usual(samples),
                until: window + LOOKED_AT * PHASES,
                most: LOOKED_AT,
            };
            // A capture may begin anywhere, even while nets are changing, or before the machine runs.
            let mut candidates = Vec::new();
            for (first, sample) in samples.iter().enumerate().take(MOST_BEFORE) {
                for start in 0.. {
                    if first > 2 && start > 0 {
                        break;
                    }
                    let Some(entry) = track.entry(expected, start, window)? else { break };
                    if (sample.levels ^ entry.levels) & sample.known & mask == 0 {
                        candidates.push((first, start));
                    }
                }
            }
            for (first, start) in candidates {
                expected.check()?;
                let followed = follow.run(expected, &mut track, (first, start), |_, _| ())?;
                if is_tolerant && !followed.is_dense() {
                    continue;
                }
                let place = Place { pace, is_tolerant, first, start, followed, is_ambiguous: false };
                most = most.max(place.agreeing());
                if place.agreeing() + ENOUGH >= most {
                    places.push(place);
                }
            }
        }
        places.sort_by_key(|place| Reverse(place.rank()));
        if places.first().is_some_and(|best| best.is_whole(samples)) {
            break;
        }
    }
    let Some(best) = places.first() else { return Ok(places) };
    let (pace, is_tolerant, first, rank) = (best.pace, best.is_tolerant, best.first, best.rank());
    let compared = if best.is_whole(samples) { 1 } else { MOST_PLACES };
    places.retain(|place| {
        place.pace == pace && place.is_tolerant == is_tolerant && place.agreeing() + ENOUGH >= most
    });
    places[0].is_ambiguous = places[1..].iter().any(|place| place.first == first && place.rank() == rank);
    places.truncate(compared);
    Ok(places)
}

impl Place {
    fn agreeing(&self) -> usize {
        self.followed.samples - self.first
    }

    /// Sorts places by the number of entries that agree, then by whether there is a row for each phase at their pace.
    fn rank(&self) -> (usize, bool) {
        (self.agreeing(), self.followed.has_rows_for_all())
    }

    /// Whether all samples that were compared agree.
    fn is_whole(&self, samples: &[Sample]) -> bool {
        self.followed.samples == samples.len().min(self.first + LOOKED_AT)
    }
}

/// The usual number of rows of a sample.
fn usual(samples: &[Sample]) -> u64 {
    let mut counts: Vec<u64> = samples.iter().map(|sample| sample.count).collect();
    counts.sort_unstable();
    counts[counts.len() / 2]
}

/// Compares all samples from a place on, after correcting a line that is known to be wrong.
fn finish(
    capture: &Capture,
    expected: &mut Expected,
    netlist: &Netlist,
    place: &Place,
    probe: Option<Probe>,
) -> Result<Comparison, End> {
    let samples = &capture.samples;
    let put_right = |sample: &Sample| probe.map_or(*sample, |probe| probe.undone(sample));
    let right: Vec<Sample> = samples.iter().map(put_right).collect();
    let rows: u64 = samples.iter().map(|sample| sample.count).sum();
    let mut track = Track::new(place.pace, probe.map_or(u128::MAX, |probe| probe.mask()));
    let begin = track.entry(expected, place.start, usize::MAX)?.map_or(0, |entry| entry.phase);
    let follow = Follow {
        samples: &right,
        is_tolerant: place.is_tolerant,
        usual: usual(samples),
        until: begin + (rows as usize + 1) * PHASES,
        most: usize::MAX,
    };
    let mut wrong = None;
    let followed = follow.run(expected, &mut track, (place.first, place.start), |number, entry| {
        let sample = &samples[number];
        if (sample.levels ^ entry.levels) & sample.known != 0 {
            wrong.get_or_insert((*sample, entry.phase, entry.levels));
        }
    })?;
    let now = track.entry(expected, followed.entry, follow.until)?;
    let next = track.entry(expected, followed.entry + 1, follow.until)?;
    // With one row for each phase, the phase of each row is known; otherwise it is the phase in which nets move.
    let late = followed.late.filter(|_| !followed.is_uneven);
    let begin = begin + late.map_or(0, |late| late as usize * place.pace.every);
    let stop = Stop { samples, place, followed: &followed, now, next };
    let (seen, stays) = match followed.samples < samples.len() {
        true => (stop.otherwise(late.map(|_| begin)), false),
        false => (stop.too_long(), true),
    };
    let stays = stays && seen.is_some();
    let first = match (wrong, seen) {
        (Some(one), Some(other)) if one.0.line > other.0.line => Some(other),
        (one, other) => one.or(other),
    };
    let difference = first.map(|(sample, phase, levels)| {
        let difference = Difference {
            line: sample.line,
            position: expected.position(phase),
            instruction: expected.instruction(phase),
            got: sample.levels,
            known: sample.known,
            wanted: levels,
            stays,
            likely: None,
        };
        let likely = likely(&difference, capture, netlist, now.map(|now| now.levels));
        Difference { likely, ..difference }
    });
    Ok(Comparison {
        line: samples[place.first].line,
        begins: expected.position(begin),
        is_ambiguous: place.is_ambiguous,
        is_guess: false,
        rows: followed.rows,
        difference,
        probe,
    })
}

/// The place where samples stop agreeing or end.
struct Stop<'a> {
    samples: &'a [Sample],
    place: &'a Place,
    followed: &'a Followed,
    /// The entry that was seen last, and the one that should follow.
    now: Option<Entry>,
    next: Option<Entry>,
}

impl Stop<'_> {
    /// The sample that differs, with its phase and the expected levels. If the phase of each row is known, it is that
    /// of the first row.
    fn otherwise(&self, begin: Option<usize>) -> Option<(Sample, usize, u128)> {
        let sample = *self.samples.get(self.followed.end)?;
        let before: u64 =
            self.samples[self.place.first..self.followed.end].iter().map(|sample| sample.count).sum();
        let phase = begin.map(|begin| begin + before as usize * self.place.pace.every);
        let has_not_moved = |phase: &usize| self.next.is_none_or(|next| *phase < next.phase);
        match (self.now, phase.filter(has_not_moved)) {
            (Some(now), Some(phase)) => Some((sample, phase, now.levels)),
            _ => self.next.or(self.now).map(|entry| (sample, entry.phase, entry.levels)),
        }
    }

    /// The last sample, if it stays much longer than it should, with the phase and the levels that should have
    /// followed.
    fn too_long(&self) -> Option<(Sample, usize, u128)> {
        let last = *self.samples.last()?;
        let pace = self.followed.rows.div_ceil(self.followed.phases.max(1));
        let longest = self.now?.phases as u64 * pace * 4 + 16;
        let next = self.next.filter(|_| self.followed.phases > 0 && last.count > longest)?;
        Some((last, next.phase, next.levels))
    }
}
