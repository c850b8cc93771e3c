//! Where in a run a capture begins, and the first difference from there on.

use super::cause::{Likely, Probe, likely};
use super::expected::{End, Expected};
use super::follow::{Entry, Follow, Followed, Pace, Track};
use super::samples::{Capture, Sample};
use gray1_machine::PHASES;
use gray1_machine::netlist::Netlist;
use std::cmp::Reverse;

/// Samples that are looked at to find the beginning.
const LOOKED_AT: usize = 2_000;
/// Cycles of the run among which a capture with a wrong line is looked for.
const WITHIN_WITH_A_WRONG_LINE: usize = 2_000;
/// Samples before the machine begins to run.
const MOST_BEFORE: usize = 256;
/// So many steps of the machine must agree before a place is taken for the beginning.
const ENOUGH: usize = 8;
/// Most places that are compared when no place agrees throughout.
const MOST_PLACES: usize = 64;

/// A capture beside a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The line of the file and the cycle and phase of the run that were found to be the same moment.
    pub line: usize,
    #[allow(missing_docs)]
    pub begins: (u64, u8),
    /// Whether other places of the run would have done as well.
    pub is_ambiguous: bool,
    /// Whether no part of the run looks like it for long, so that it was taken to begin with the run.
    pub is_guess: bool,
    /// How many rows agree.
    pub rows: u64,
    /// What is otherwise first.
    pub difference: Option<Difference>,
    /// A line that is wrong while the machine goes on as it should.
    pub probe: Option<Probe>,
}

/// A sample that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the file.
    pub line: usize,
    /// The cycle and the phase.
    pub position: (u64, u8),
    /// The sequence number of the instruction that runs then.
    pub instruction: u16,
    /// What was seen, as far as it is known, and what should have been.
    pub got: u128,
    #[allow(missing_docs)]
    pub known: u128,
    #[allow(missing_docs)]
    pub wanted: u128,
    /// Whether nothing moves any more, though something should.
    pub stays: bool,
    /// What would explain it.
    pub likely: Option<Likely>,
}

impl Difference {
    /// The lines that are wrong.
    pub fn lines(&self) -> u128 {
        (self.got ^ self.wanted) & self.known
    }
}

/// A place where a capture begins to agree.
struct Place {
    pace: Pace,
    is_tolerant: bool,
    first: usize,
    start: usize,
    followed: Followed,
    is_ambiguous: bool,
}

/// Finds out where in a run a capture begins, within so many cycles, and compares it from there on. Nothing, if it looks
/// like no part of the run.
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
    // A line that is wrong all the time hides where the capture begins.
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
    // A machine that goes wrong at once was perhaps seen from its beginning on.
    let begin = places(samples, expected, u128::MAX, 0)?;
    let Some(begin) = begin.first() else { return Ok(None) };
    let comparison = finish(capture, expected, netlist, begin, None)?;
    Ok(Some(Comparison { is_guess: true, ..comparison }))
}

/// The comparison from a place on. Where one or two lines are wrong, the machine may go on as it should: then rows count
/// that agree but for these.
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

/// The place of a run where most samples agree. If none agrees throughout, those that agree nearly as long follow: a
/// wrong level may happen to be right for a few rows at another place.
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
            // A capture begins anywhere, perhaps while nets are on their way; or before the machine runs.
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

    /// The more agree the better; then, if there is a row for each phase at its pace.
    fn rank(&self) -> (usize, bool) {
        (self.agreeing(), self.followed.has_rows_for_all())
    }

    /// Whether all samples that were looked at agree.
    fn is_whole(&self, samples: &[Sample]) -> bool {
        self.followed.samples == samples.len().min(self.first + LOOKED_AT)
    }
}

/// How many rows most samples have.
fn usual(samples: &[Sample]) -> u64 {
    let mut counts: Vec<u64> = samples.iter().map(|sample| sample.count).collect();
    counts.sort_unstable();
    counts[counts.len() / 2]
}

/// Compares all samples from a place on; a line that is wrong is put right first.
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
    // With one row for each phase, each row has its phase; otherwise it is that in which nets move.
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

/// Where samples do not agree any more, or have come to an end.
struct Stop<'a> {
    samples: &'a [Sample],
    place: &'a Place,
    followed: &'a Followed,
    /// The entry that was seen last, and the one that should follow.
    now: Option<Entry>,
    next: Option<Entry>,
}

impl Stop<'_> {
    /// A sample that is something else, with the phase and what it should be. If each row has its phase, the first one is told.
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

    /// The last sample, if it stays much longer than it should, and what should have followed.
    fn too_long(&self) -> Option<(Sample, usize, u128)> {
        let last = *self.samples.last()?;
        let pace = self.followed.rows.div_ceil(self.followed.phases.max(1));
        let longest = self.now?.phases as u64 * pace * 4 + 16;
        let next = self.next.filter(|_| self.followed.phases > 0 && last.count > longest)?;
        Some((last, next.phase, next.levels))
    }
}
