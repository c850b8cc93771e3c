//! How fast the board may run, from the parts' data alone: every way that a change can take through the chips, and
//! what it has to be in time for.
//!
//! ```text
//!   tables    what the tables say while some lines are known
//!   cases     what can move in each phase
//!   arrivals  when it does, and on which way
//!   rules     what has to be in time for what
//! ```

mod arrivals;
mod cases;
mod rules;
mod tables;

pub use arrivals::Way;
pub use rules::{Need, Why};

use crate::circuit::{Circuit, Kind, Net};
use crate::conditions::{ConditionsError, NANOSECOND, filter};
use cases::Phase;
use gray1_isa::Image;
use gray1_machine::board::{Board, Part, Timing};
use rules::Ways;
use std::collections::{BTreeMap, HashSet};

/// How many replacements are looked for, one on top of the other.
const MOST_REPLACEMENTS: usize = 8;

/// What a board's parts allow.
pub struct Paths {
    circuit: Circuit,
    phases: Vec<Phase>,
    parts: BTreeMap<String, Stock>,
}

/// A part that one can put in.
struct Stock {
    timing: Timing,
    address: usize,
    data: usize,
    is_ram: bool,
}

/// A chip to take out for a faster one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The chip.
    pub chip: String,
    /// The part to put in.
    pub part: String,
    /// The half period then needed, in picoseconds.
    pub half_period: u64,
}

impl Paths {
    /// Looks at a board. With `jumps_right`, programs are taken to have no jump with a wrong parity, such as the
    /// assembler never writes.
    pub fn find(board: &Board, jumps_right: bool) -> Result<Paths, ConditionsError> {
        Ok(Paths::of(board, Circuit::build(board, &Image::blank())?, jumps_right))
    }

    /// The same of a circuit that has been built already.
    pub(crate) fn of(board: &Board, circuit: Circuit, jumps_right: bool) -> Paths {
        let phases = Phase::all(&circuit, jumps_right);
        let parts = board.timing.iter().filter_map(|(name, timing)| {
            let part = board.parts.get(name)?;
            let (_, address, data) = part.about();
            let is_ram = matches!(part, Part::Ram { .. });
            Some((name.clone(), Stock { timing: *timing, address, data, is_ram }))
        });
        Paths { parts: parts.collect(), circuit, phases }
    }

    /// For the edge of each phase, 0 to 3, what it begins that needs the longest half period, with this capacitor
    /// on each data line of each chip that holds itself.
    pub fn hardest(&self, capacitor: u64) -> Vec<Need> {
        let mut hardest: Vec<Option<Need>> = vec![None; cases::PHASES];
        for need in self.needs(&self.timings(), capacitor) {
            let place = &mut hardest[need.from];
            if place.as_ref().is_none_or(|known| need.half_period() > known.half_period()) {
                *place = Some(need);
            }
        }
        hardest.into_iter().flatten().collect()
    }

    /// The shortest half period that is safe, in picoseconds.
    pub fn half_period(&self, capacitor: u64) -> u64 {
        self.half_period_with(&self.timings(), capacitor)
    }

    /// The lines that have to be fast for the worst to happen: those of the short way that the hardest need races
    /// against.
    pub fn early(&self, capacitor: u64) -> HashSet<Net> {
        let needs = self.needs(&self.timings(), capacitor);
        let Some(hardest) = needs.into_iter().max_by_key(Need::half_period) else { return HashSet::new() };
        let Need { early, late, .. } = hardest;
        early.nets.into_iter().filter(|net| !late.nets.contains(net)).collect()
    }

    /// What to replace, the best first, each with those before it already replaced.
    pub fn replacements(&self, capacitor: u64) -> Vec<Replacement> {
        let mut timings = self.timings();
        let mut parts: Vec<&str> = self.circuit.chips.iter().map(|chip| &*chip.part).collect();
        let mut replacements: Vec<Replacement> = Vec::new();
        let mut best = self.half_period(capacitor);
        while replacements.len() < MOST_REPLACEMENTS {
            let mut choice: Option<(u64, usize, &str)> = None;
            for chip in 0..parts.len() {
                let Some((part, timing)) = self.faster(chip, parts[chip]) else { continue };
                let old = std::mem::replace(&mut timings[chip], timing);
                let half_period = self.half_period_with(&timings, capacitor);
                timings[chip] = old;
                if half_period < choice.map_or(best, |(known, ..)| known) {
                    choice = Some((half_period, chip, part));
                }
            }
            let Some((half_period, chip, part)) = choice else { break };
            best = half_period;
            parts[chip] = part;
            timings[chip] = self.parts[part].timing;
            let chip = self.circuit.chips[chip].name.clone();
            replacements.push(Replacement { chip, part: part.to_owned(), half_period });
        }
        replacements
    }

    /// The names of the nets.
    pub fn nets(&self) -> &[String] {
        &self.circuit.nets
    }

    /// The chip that drives a net.
    pub fn driver(&self, net: Net) -> Option<&str> {
        self.circuit.driver[net].map(|chip| &*self.circuit.chips[chip].name)
    }

    /// The name of a chip.
    pub fn chip(&self, number: usize) -> &str {
        &self.circuit.chips[number].name
    }

    /// The longest delay of a net, its filter included, in picoseconds.
    pub fn longest(&self, net: Net, capacitor: u64) -> u64 {
        self.spans(&self.timings(), capacitor)[net].1
    }

    fn timings(&self) -> Vec<Timing> {
        self.circuit.chips.iter().map(|chip| chip.timing).collect()
    }

    fn needs(&self, timings: &[Timing], capacitor: u64) -> Vec<Need> {
        Ways::find(&self.circuit, &self.phases, &self.spans(timings, capacitor)).needs()
    }

    fn half_period_with(&self, timings: &[Timing], capacitor: u64) -> u64 {
        self.needs(timings, capacitor).iter().map(Need::half_period).max().unwrap_or(0).max(NANOSECOND)
    }

    fn spans(&self, timings: &[Timing], capacitor: u64) -> Vec<(u64, u64)> {
        let mut spans = vec![(0, 0); self.circuit.nets.len()];
        for (chip, timing) in self.circuit.chips.iter().zip(timings) {
            for net in chip.gives() {
                let filter =
                    if self.circuit.has_capacitor(net) { filter(capacitor, timing.resistance) } else { 0 };
                let (shortest, longest) = timing.access;
                spans[net] =
                    (u64::from(shortest) * NANOSECOND + filter, u64::from(longest) * NANOSECOND + filter);
            }
        }
        spans
    }

    /// The fastest part that fits in the place of a chip and is faster than the one that is there.
    fn faster(&self, chip: usize, part: &str) -> Option<(&str, Timing)> {
        let chip = &self.circuit.chips[chip];
        let now = self.parts.get(part)?;
        let address = match chip.kind {
            Kind::Ram { address, .. } => address as usize,
            Kind::Rom { .. } => chip.reads.len(),
        };
        let fitting = self.parts.iter().filter(|(_, part)| {
            part.timing.access.1 < now.timing.access.1
                && part.is_ram == now.is_ram
                && part.address >= address
                && part.data >= chip.lines
        });
        fitting
            .min_by_key(|(_, part)| (part.timing.access.1, part.address))
            .map(|(name, part)| (&**name, part.timing))
    }
}
