//! Decides which lookups cause a transient.
//!
//! Each lookup has a place: its cycle, its phase, and its number among the lookups of that phase. Whether there is a
//! candidate for a transient at a place depends on the seed and the place alone, with the same probability everywhere:
//! that of the chip that is most likely to show one. When the lookup comes, its chip takes the candidate or not, so
//! each lookup causes a transient with the probability of its own chip, independently of all others. So it is known in
//! advance in which phases there can be a transient, and all others can be run without delays.
//!
//! ```text
//!   a block: 256 cycles of 4 phases of 1,024 lookups. Is there a candidate? Which half? Which quarter? …
//!   │ ···························· │ ··············X············· │
//! ```

use crate::circuit::Chip;
use crate::conditions::LineTiming;
use gray1_machine::netlist::ChipId;
use gray1_machine::{PHASES, Random};

/// The lookups of a phase that have a place, as a power of two. A machine that meets its deadlines has been seen to make
/// 635 at most. For any others, a number is drawn when they come.
const LOOKUPS: u32 = 10;
/// The cycles of a block, as a power of two.
const CYCLES: u32 = 8;
/// The places of a block, as a power of two.
const BLOCK: usize = (LOOKUPS + PHASES.ilog2() + CYCLES) as usize;
/// The stream of random numbers from which all others begin.
const STREAM: u64 = u64::MAX;

/// A cycle, and a phase of it: 0 for the first that runs in it.
pub type Phase = (u64, u32);

/// The source of transients.
pub struct TransientNoise {
    /// The seeds of the blocks, and of what is drawn at places.
    seeds: [u64; 2],
    /// For each chip.
    chips: Vec<Restlessness>,
    odds: Odds,
    /// The block whose candidates these are, by their places in it.
    block: Option<u64>,
    candidates: Vec<u32>,
    /// The phase of which lookups are counted, the number of the next lookup, and of the next candidate.
    phase: Phase,
    lookup: u32,
    next: u32,
    /// If given, a number is drawn for every lookup, one after the other, and nothing is known in advance.
    #[cfg(test)]
    pub in_order: Option<Random>,
}

/// The transients of a chip that are long enough to be seen.
struct Restlessness {
    /// It takes a candidate if a random number is below this.
    takes_below: u64,
    /// A lookup causes a transient, long enough or not, if a random number is below this.
    #[cfg(test)]
    any_below: u64,
    /// The number of its data lines.
    lines: u64,
    /// Half of its transients are longer than this.
    half_longer: u64,
    /// Its lines filter pulses that are shorter than this.
    inertia: u64,
}

/// A transient that a lookup causes.
pub struct Transient {
    /// The data line that shows a wrong level, and for how long.
    pub line: usize,
    pub length: u64,
    /// Numbers to draw more about it.
    pub random: Random,
}

/// For each power of two, the probability that there is a candidate among this number of places.
struct Odds([u64; BLOCK + 1]);

impl TransientNoise {
    /// The transients of chips whose lines have these timings; `None` if none of them can be seen.
    pub fn new(seed: u64, chips: &[Chip], timings: &[LineTiming]) -> Option<TransientNoise> {
        let inertia = |chip: &Chip| timings[chip.first].inertia;
        let seen = |chip: &Chip| match chip.transient_below {
            0 => 0,
            below => times(below, Random::exceeding(chip.half_longer, inertia(chip))),
        };
        let most = chips.iter().map(seen).max().filter(|most| *most > 0)?;
        let restlessness = |chip: &Chip| Restlessness {
            takes_below: part(seen(chip), most),
            #[cfg(test)]
            any_below: chip.transient_below,
            lines: chip.lines as u64,
            half_longer: chip.half_longer,
            inertia: inertia(chip),
        };
        let mut random = Random::new(seed, STREAM);
        Some(TransientNoise {
            seeds: [random.draw(), random.draw()],
            chips: chips.iter().map(restlessness).collect(),
            odds: Odds::of(most),
            block: None,
            candidates: Vec::new(),
            phase: (0, 0),
            lookup: 0,
            next: 1 << LOOKUPS,
            #[cfg(test)]
            in_order: None,
        })
    }

    /// Whether a lookup of this chip can cause a transient that is long enough to be seen.
    pub fn concerns(&self, chip: ChipId) -> bool {
        self.chips[chip].takes_below > 0
    }

    /// Before the first phase begins, no lookup causes a transient.
    pub fn rest(&mut self) {
        (self.lookup, self.next) = (0, 1 << LOOKUPS);
    }

    /// Restarts the transients.
    #[cfg(test)]
    pub fn again(&self) -> TransientNoise {
        TransientNoise {
            block: None,
            candidates: Vec::new(),
            chips: Vec::new(),
            odds: Odds(self.odds.0),
            in_order: None,
            ..*self
        }
    }

    /// The number of lookups counted in this phase.
    #[cfg(test)]
    pub fn counted(&self) -> u32 {
        self.lookup
    }

    /// A phase begins.
    #[inline]
    pub fn begin(&mut self, phase: Phase) {
        (self.phase, self.lookup) = (phase, 0);
        self.find_next();
    }

    /// Counts lookups of chips that this concerns, if none of them can cause a transient; otherwise counts nothing.
    #[inline]
    pub fn pass(&mut self, lookups: u32) -> bool {
        #[cfg(test)]
        if self.in_order.is_some() {
            return false;
        }
        let after = self.lookup + lookups;
        let is_quiet = after <= self.next;
        if is_quiet {
            self.lookup = after;
        }
        is_quiet
    }

    /// Counts a lookup of a chip; returns the transient that it causes, if it does.
    pub fn look_up(&mut self, chip: ChipId) -> Option<Transient> {
        #[cfg(test)]
        if let Some(random) = &mut self.in_order {
            let Restlessness { any_below, lines, half_longer, inertia, .. } = self.chips[chip];
            let is_any = any_below != 0 && random.draw() < any_below;
            let transient =
                is_any.then(|| (random.between(0, lines - 1) as usize, random.fading(half_longer)));
            let (line, length) = transient.filter(|(_, length)| *length >= inertia)?;
            return Some(Transient { line, length, random: Random::from_state(random.draw()) });
        }
        if !self.concerns(chip) {
            return None;
        }
        let number = self.lookup;
        self.lookup += 1;
        let (cycle, phase) = self.phase;
        let seed = Random::new(self.seeds[1].wrapping_add(cycle), u64::from(phase)).draw();
        let mut random = Random::new(seed, u64::from(number));
        match number >> LOOKUPS {
            0 if number == self.next => self.find_next(),
            0 => return None,
            _ if random.draw() >= self.odds.0[0] => return None,
            _ => {}
        }
        let Restlessness { takes_below, lines, half_longer, inertia, .. } = self.chips[chip];
        (random.draw() < takes_below).then(|| Transient {
            line: random.between(0, lines - 1) as usize,
            length: random.fading_beyond(half_longer, inertia),
            random,
        })
    }

    /// The first phase, from this one to the end of a cycle, in which there is a candidate.
    pub fn candidate(&mut self, (cycle, phase): Phase, last: u64) -> Option<Phase> {
        let first = cycle >> CYCLES;
        (first..=last >> CYCLES).find_map(|block| {
            self.turn_to(block);
            let from = if block == first { place((cycle, phase)) } else { 0 };
            let found = self.candidates.partition_point(|place| *place < from);
            let phase = self.candidates.get(found)? >> LOOKUPS;
            let (cycle, phase) =
                ((block << CYCLES) + u64::from(phase) / PHASES as u64, phase % PHASES as u32);
            (cycle <= last).then_some((cycle, phase))
        })
    }

    /// Finds the next candidate of the phase.
    #[inline]
    fn find_next(&mut self) {
        self.turn_to(self.phase.0 >> CYCLES);
        let first = place(self.phase);
        let found = self.candidates.partition_point(|place| *place < first + self.lookup);
        let next = self.candidates.get(found).map_or(1 << LOOKUPS, |place| place - first);
        self.next = next.min(1 << LOOKUPS);
    }

    /// Finds the candidates of a block.
    #[inline]
    fn turn_to(&mut self, block: u64) {
        if self.block != Some(block) {
            self.block = Some(block);
            self.candidates.clear();
            let mut random = Random::new(self.seeds[0], block);
            if random.draw() < self.odds.0[BLOCK] {
                self.odds.find(&mut random, BLOCK, 0, &mut self.candidates);
            }
        }
    }
}

impl Odds {
    /// The odds if this is the probability at one place.
    fn of(one: u64) -> Odds {
        let mut none = (1 << u64::BITS) - u128::from(one);
        Odds(std::array::from_fn(|_| {
            let some = (1 << u64::BITS) - none;
            none = (none * none) >> u64::BITS;
            u64::try_from(some).unwrap_or(u64::MAX)
        }))
    }

    /// Finds all candidates among the places that begin here, as many as two to the power of `level`, if there are any.
    fn find(&self, random: &mut Random, level: usize, first: u32, found: &mut Vec<u32>) {
        let Some(half) = level.checked_sub(1) else { return found.push(first) };
        let in_half = self.0[half];
        let is_in_first = random.draw() < part(in_half, self.0[level]);
        if is_in_first {
            self.find(random, half, first, found);
        }
        if !is_in_first || random.draw() < in_half {
            self.find(random, half, first + (1 << half), found);
        }
    }
}

/// The first place of a phase in its block.
fn place((cycle, phase): Phase) -> u32 {
    ((cycle % (1 << CYCLES)) as u32 * PHASES as u32 + phase) << LOOKUPS
}

/// The product of two probabilities. All probabilities are multiples of two to the power of -64.
fn times(one: u64, other: u64) -> u64 {
    ((u128::from(one) * u128::from(other)) >> u64::BITS) as u64
}

/// The probability of what happens with the probability `one`, if something of which it is a part happens, which has the
/// probability `all`.
fn part(one: u64, all: u64) -> u64 {
    u64::try_from((u128::from(one) << u64::BITS) / u128::from(all)).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Source;
    use crate::idle::Idle;
    use std::collections::BTreeMap;

    /// A chip with this many lines, of which one in so many lookups causes a transient.
    fn chip(first: usize, lines: usize, one_in: u64) -> Chip {
        Chip {
            source: Source::Rom { offset: 0 },
            first,
            lines,
            inertia: 0,
            transient_below: u64::MAX / one_in,
            half_longer: 2_000,
            idle: Idle::default(),
        }
    }

    /// All transients of machines with these chips, which are looked up in turn, by what is counted of them.
    fn count<K: Ord>(in_order: bool, kind: impl Fn(usize, u64, &Transient) -> K) -> BTreeMap<K, u32> {
        let chips = [chip(0, 8, 900), chip(1, 4, 2_000), chip(2, 8, 700)];
        let timing = |inertia| LineTiming { inertia, ..LineTiming::default() };
        let timings = [4_000, 1_000, 42_000].map(timing);
        let mut counts = BTreeMap::new();
        for seed in 0..40 {
            let mut noise = TransientNoise::new(seed, &chips, &timings).unwrap();
            noise.in_order = in_order.then(|| Random::new(seed, STREAM));
            assert_eq!([0, 1, 2].map(|chip| noise.concerns(chip)), [true, true, false]);
            for phase in 0..4 * 700 {
                noise.begin((phase / 4, phase as u32 % 4));
                // More of them in some phases than have a place.
                let lookups = if phase % 50 == 0 { 1_800 } else { 60 };
                for lookup in 0..lookups {
                    let id = lookup as usize % 3;
                    if let Some(transient) = noise.look_up(id) {
                        *counts.entry(kind(id, lookup, &transient)).or_default() += 1;
                    }
                }
            }
        }
        counts
    }

    fn assert_alike<K: Ord + std::fmt::Debug>(kind: impl Fn(usize, u64, &Transient) -> K + Copy) {
        let [by_place, in_order] = [false, true].map(|in_order| count(in_order, kind));
        println!("{by_place:?}\n{in_order:?}");
        assert!(by_place.keys().eq(in_order.keys()));
        for (one, other) in by_place.values().zip(in_order.values()) {
            let deviation = f64::from(one + other).sqrt();
            assert!(f64::from(one.abs_diff(*other)) < 3.5 * deviation, "{by_place:?} {in_order:?}");
        }
    }

    #[test]
    fn transients_are_as_many_as_when_they_are_drawn_in_order() {
        assert_alike(|chip, lookup, _| (chip, lookup / 600));
        assert_alike(|chip, _, transient| (chip, transient.line));
        assert_alike(|chip, _, transient| (chip, (transient.length / 1_000).min(12)));
    }

    /// Lookups that are passed over cause nothing, and phases without candidates are known.
    #[test]
    fn candidates_are_known_in_advance() {
        let chips = [chip(0, 8, 5_000)];
        for seed in 0..20 {
            let noise = || TransientNoise::new(seed, &chips, &[LineTiming::default()]).unwrap();
            let (mut one_by_one, mut passing, mut ahead) = (noise(), noise(), noise());
            let mut expected = ahead.candidate((0, 0), 2_000);
            for phase in 0..4 * 1_000 {
                let now = (phase / 4, phase as u32 % 4);
                one_by_one.begin(now);
                passing.begin(now);
                let mut hits = 0;
                for lookups in (0..9).cycle().take(220) {
                    let caused = (0..lookups).filter(|_| one_by_one.look_up(0).is_some()).count();
                    hits += caused;
                    if !passing.pass(lookups) {
                        assert_eq!((0..lookups).filter(|_| passing.look_up(0).is_some()).count(), caused);
                    } else {
                        assert_eq!(caused, 0);
                    }
                }
                assert!(hits == 0 || expected == Some(now));
                if expected == Some(now) {
                    expected = ahead.candidate(((phase + 1) / 4, (phase + 1) as u32 % 4), 2_000);
                    assert!(expected > Some(now));
                }
            }
            assert_eq!(ahead.candidate((10, 3), 9), None);
        }
    }
}
