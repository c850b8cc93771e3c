//! Finds where in a run a capture begins, and the first difference from there on.

use super::cause::{Difference, Probe, likely};
use super::expected::{End, Expected};
use super::explain::Start;
use super::follow::{Entry, Follow, Followed, Pace, Track, usual};
use super::place::{LOOKED_AT, MOST_BEFORE, Place};
use super::samples::{Capture, Sample};
use gray1_machine::PHASES;
use gray1_machine::netlist::Netlist;
use std::cmp::Reverse;

/// Maximum number of cycles of the run that are searched for the beginning of a capture with a wrong line.
const WITHIN_WITH_A_WRONG_LINE: usize = 2_000;
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
    /// The same place, for a comparison with other machines.
    pub start: Start,
    /// Whether other places of the run agree equally well.
    pub is_ambiguous: bool,
    /// Whether no part of the run agrees for long, so that the capture was assumed to begin with the run.
    pub is_guess: bool,
    /// The number of rows that agree, and in how many of them the lines of the probe differ.
    pub rows: u64,
    #[allow(missing_docs)]
    pub rows_with_wrong_lines: u64,
    /// The first difference.
    pub difference: Option<Difference>,
    /// A line that is wrong while the machine goes on as it should.
    pub probe: Option<Probe>,
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
    let found = places(samples, expected, u128::MAX, within, true)?;
    let mut best: Option<(Comparison, _)> = None;
    for place in found.iter().filter(|place| place.entries() >= ENOUGH || place.is_whole(samples)) {
        let mut comparison = compare_from(capture, expected, netlist, place)?;
        comparison.is_ambiguous &= found.len() == 1;
        let rank = (comparison.rows, Reverse(comparison.rows_with_wrong_lines), place.agreeing());
        match &mut best {
            Some((_, best)) if *best > rank => {}
            Some((best, its)) if *its == rank => best.is_ambiguous |= best.line == comparison.line,
            _ => best = Some((comparison, rank)),
        }
    }
    // A line that is always wrong hides where the capture begins. Where it is right by chance, it seems to be wrong at
    // times.
    if let Some((best, (.., agreeing))) = &best
        && *agreeing >= ENOUGH
    {
        return Ok(Some(best.clone()));
    }
    let best = best.map(|(best, _)| best);
    let always = with_a_wrong_line(capture, expected, netlist, within.min(WITHIN_WITH_A_WRONG_LINE))?;
    let rows = |comparison: &Option<Comparison>| comparison.as_ref().map(|comparison| comparison.rows);
    let best = if rows(&always) >= rows(&best) { always } else { best };
    if best.is_some() {
        return Ok(best);
    }
    // If the machine goes wrong at once, the capture perhaps begins with the run.
    let begin = places(samples, expected, u128::MAX, 0, false)?;
    let Some(begin) = begin.first() else { return Ok(None) };
    let comparison = finish(capture, expected, netlist, begin, None)?;
    Ok(Some(Comparison { is_guess: true, ..comparison }))
}

/// Finds the place in the first `within` cycles of a run without one line after the other.
fn with_a_wrong_line(
    capture: &Capture,
    expected: &mut Expected,
    netlist: &Netlist,
    within: usize,
) -> Result<Option<Comparison>, End> {
    let mut best: Option<(Place, Probe)> = None;
    for probe in Probe::all(capture) {
        expected.check()?;
        let samples = capture.samples.iter().take(MOST_BEFORE + LOOKED_AT);
        let samples: Vec<Sample> = samples.map(|sample| probe.undone(sample)).collect();
        if let Some(place) = places(&samples, expected, probe.mask(), within, false)?.into_iter().next()
            && place.followed.entries >= 2 * ENOUGH
            && best.as_ref().is_none_or(|(best, _)| place.agreeing() > best.agreeing())
        {
            best = Some((place, probe));
        }
    }
    best.map(|(place, probe)| finish(capture, expected, netlist, &place, Some(probe))).transpose()
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
fn places(
    samples: &[Sample],
    expected: &mut Expected,
    mask: u128,
    within: usize,
    looks_beyond: bool,
) -> Result<Vec<Place>, End> {
    let mut places: Vec<Place> = Vec::new();
    let (mut most, mut most_without, mut is_hidden) = (0, 0, false);
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
                let phase = track.entries[start].phase;
                let mut place = Place {
                    pace,
                    is_tolerant,
                    first,
                    start,
                    phase,
                    followed,
                    beyond: followed,
                    is_ambiguous: false,
                };
                if looks_beyond {
                    place.look_beyond(&follow, expected, mask)?;
                }
                most = most.max(place.agreeing());
                most_without = most_without.max(place.agreeing_without());
                if place.agreeing() + ENOUGH >= most || place.agreeing_without() + ENOUGH >= most_without {
                    places.push(place);
                }
            }
        }
        is_hidden = 2 * most_without >= 3 * most;
        places.sort_by_key(|place| Reverse(place.rank(is_hidden)));
        if places.first().is_some_and(|best| best.is_whole(samples)) {
            break;
        }
    }
    let Some(best) = places.first() else { return Ok(places) };
    let (pace, is_tolerant, first, rank) = (best.pace, best.is_tolerant, best.first, best.rank(is_hidden));
    let is_whole = best.is_whole(samples);
    places.retain(|place| {
        let is_near = place.rank(is_hidden).0 + ENOUGH >= rank.0;
        place.pace == pace && place.is_tolerant == is_tolerant && is_near
    });
    let is_equal = |place: &Place| place.first == first && place.rank(is_hidden) == rank;
    places[0].is_ambiguous = places[1..].iter().any(is_equal);
    places.truncate(if is_whole { 1 } else { MOST_PLACES });
    Ok(places)
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
    let begin = place.phase;
    let mut track = place.track(probe.map_or(u128::MAX, |probe| probe.mask()));
    let follow = Follow {
        samples: &right,
        is_tolerant: place.is_tolerant,
        usual: usual(samples),
        until: begin + (rows as usize + 1) * PHASES,
        most: usize::MAX,
    };
    let (mut wrong, mut rows_with_wrong_lines) = (None, 0);
    let followed = follow.run(expected, &mut track, (place.first, 0), |number, entry| {
        let sample = &samples[number];
        if (sample.levels ^ entry.levels) & sample.known != 0 {
            wrong.get_or_insert((*sample, entry.phase, entry.levels));
            rows_with_wrong_lines += sample.count;
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
        start: Start {
            sample: place.first,
            phase: place.phase,
            pace: place.pace,
            is_tolerant: place.is_tolerant,
        },
        is_ambiguous: place.is_ambiguous,
        is_guess: false,
        rows: followed.rows,
        rows_with_wrong_lines,
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
