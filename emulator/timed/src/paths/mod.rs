//! The highest safe frequency of a board, computed from the data of its parts alone: every path that a change can take
//! through the chips, and the deadlines that it has to meet.
//!
//! ```text
//!   cases     which nets can change in each phase
//!   arrivals  when they change, and on which path
//!   rules     the deadlines
//!   levels    what filters and loads add at the levels of real inputs
//! ```

mod arrivals;
mod cases;
mod levels;
mod rules;

pub use arrivals::Path;
pub use levels::Levels;
pub use rules::{Requirement, Rule};

use crate::conditions::{ConditionsError, NANOSECOND, filter_delay, timings};
use arrivals::Spans;
use cases::Phase;
use gray1_machine::board::{Board, Part, Timing};
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::{PHASES, Stuck};
use rules::Analysis;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// The maximum number of replacements, each in addition to those before.
const MAX_REPLACEMENTS: usize = 8;

/// The timing analysis of a board.
pub struct Paths {
    netlist: Arc<Netlist>,
    timings: Vec<Timing>,
    phases: Vec<Phase>,
    /// The parts whose timing is known.
    parts: BTreeMap<String, (Part, Timing)>,
}

/// A chip to replace by a faster one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// The chip.
    pub chip: String,
    /// The faster part.
    pub part: String,
    /// The half period that is safe then, in picoseconds.
    pub half_period: u64,
}

impl Paths {
    /// Analyses a board. With `jumps_right`, programs are assumed to have no jump with a wrong parity; the assembler
    /// never writes one.
    pub fn find(board: &Board, jumps_right: bool) -> Result<Paths, ConditionsError> {
        let paths = Paths::new(board, timings(board)?, jumps_right);
        let moves = |phase: &Phase| paths.netlist.panel.sequence.iter().any(|&net| phase.any.moves[net]);
        if paths.phases.iter().any(moves) { Ok(paths) } else { Err(Stuck::NoClock.into()) }
    }

    pub(crate) fn new(board: &Board, timings: Vec<Timing>, jumps_right: bool) -> Paths {
        let parts = board.timing.iter();
        let parts = parts
            .filter_map(|(name, &timing)| Some((name.clone(), (board.parts.get(name)?.clone(), timing))));
        Paths {
            netlist: Arc::clone(board.netlist()),
            timings,
            phases: Phase::all(board.netlist(), jumps_right),
            parts: parts.collect(),
        }
    }

    /// The nets and chips to which paths and requirements refer.
    pub fn netlist(&self) -> &Netlist {
        &self.netlist
    }

    /// For each phase, 0 to 3, the requirement that needs the longest half period, among those that begin with its
    /// edge. Each data line of each chip with a storage loop has this capacitor.
    pub fn hardest(&self, capacitor: u64) -> Vec<Requirement> {
        let requirements = self.requirements(&self.timings, capacitor);
        let hardest = |phase| {
            // The first of several that are equally hard.
            let begun = requirements.iter().rev().filter(|found| found.from == phase);
            begun.max_by_key(|found| found.half_period()).cloned()
        };
        (0..PHASES).filter_map(hardest).collect()
    }

    /// For each phase, the path on which the last change arrives; after that, the board has settled.
    pub fn settling(&self, capacitor: u64) -> Vec<Path> {
        let spans = self.spans(&self.timings, capacitor);
        Analysis::new(&self.netlist, &self.timings, &self.phases, &spans).settling()
    }

    /// The shortest half period that is safe, in picoseconds.
    pub fn half_period(&self, capacitor: u64) -> u64 {
        self.half_period_with(&self.timings, capacitor)
    }

    /// The shortest half period that is safe at these levels, in picoseconds, if tracks are so many micrometres long.
    pub fn half_period_at(&self, levels: Levels, capacitor: u64, length: impl Fn(NetId) -> u64) -> u64 {
        let loads = levels::loads(&self.netlist, length);
        let spans = self.spans_with(&self.timings, |net, timing| {
            levels.span(&self.netlist.nets[net], timing, capacitor, loads[net])
        });
        levels.half_period(self.half_period_of(&self.timings, &spans))
    }

    /// The shortest half period with which a board meets all deadlines and is at rest at the end of each gap, if its
    /// lines have these delays.
    pub(crate) fn half_period_to_rest(&self, spans: &[(u64, u64)]) -> u64 {
        let analysis = Analysis::new(&self.netlist, &self.timings, &self.phases, spans);
        let requirements = analysis.requirements().into_iter().chain(analysis.rest());
        requirements.map(|found| found.half_period()).max().unwrap_or(0).max(NANOSECOND)
    }

    /// The lines that are fast in the worst case: those of the shortest path of the hardest requirement.
    pub(crate) fn fast_lines(&self, capacitor: u64) -> HashSet<NetId> {
        let requirements = self.requirements(&self.timings, capacitor);
        let Some(hardest) = requirements.into_iter().max_by_key(Requirement::half_period) else {
            return HashSet::new();
        };
        hardest.shortest.nets.into_iter().filter(|net| !hardest.longest.nets.contains(net)).collect()
    }

    /// The chips to replace, the most useful first, each in addition to those before.
    pub fn replacements(&self, capacitor: u64) -> Vec<Replacement> {
        let mut timings = self.timings.clone();
        let mut parts: Vec<&str> = self.netlist.chips.iter().map(|chip| &*chip.part).collect();
        let mut replacements: Vec<Replacement> = Vec::new();
        let mut best = self.half_period(capacitor);
        while replacements.len() < MAX_REPLACEMENTS {
            let mut choice: Option<(u64, ChipId, &str)> = None;
            for chip in 0..parts.len() {
                let Some(part) = self.faster(chip, parts[chip]) else { continue };
                let old = std::mem::replace(&mut timings[chip], self.parts[part].1);
                let half_period = self.half_period_with(&timings, capacitor);
                timings[chip] = old;
                if half_period < choice.map_or(best, |(known, ..)| known) {
                    choice = Some((half_period, chip, part));
                }
            }
            let Some((half_period, chip, part)) = choice else { break };
            best = half_period;
            parts[chip] = part;
            timings[chip] = self.parts[part].1;
            let chip = self.netlist.chips[chip].name.clone();
            replacements.push(Replacement { chip, part: part.to_owned(), half_period });
        }
        replacements
    }

    /// The longest delay of a net, its filter included, in picoseconds.
    pub fn longest(&self, net: NetId, capacitor: u64) -> u64 {
        self.spans(&self.timings, capacitor)[net].1
    }

    /// The two sides of a race, in picoseconds: the longest delay of a path through this chip, and the shortest delay
    /// of a change that goes round these nets, each of which changes the next, and then through the chip. Both end at
    /// the data line; its filter would add the same to both.
    pub fn race(&self, chip: ChipId, round: &[NetId], capacitor: u64) -> (u64, u64) {
        let spans = self.spans(&self.timings, capacitor);
        let (shortest, longest) = self.timings[chip].access;
        let way = round.iter().skip(1).map(|&net| spans[net].0).sum::<u64>();
        (u64::from(longest) * NANOSECOND, way + u64::from(shortest) * NANOSECOND)
    }

    fn requirements(&self, timings: &[Timing], capacitor: u64) -> Vec<Requirement> {
        let spans = self.spans(timings, capacitor);
        Analysis::new(&self.netlist, timings, &self.phases, &spans).requirements()
    }

    fn half_period_with(&self, timings: &[Timing], capacitor: u64) -> u64 {
        self.half_period_of(timings, &self.spans(timings, capacitor))
    }

    fn half_period_of(&self, timings: &[Timing], spans: &Spans) -> u64 {
        let requirements = Analysis::new(&self.netlist, timings, &self.phases, spans).requirements();
        requirements.iter().map(Requirement::half_period).max().unwrap_or(0).max(NANOSECOND)
    }

    /// The shortest and the longest delay of each net of any board with these parts, in picoseconds.
    pub(crate) fn all_spans(&self, capacitor: u64) -> Vec<(u64, u64)> {
        self.spans(&self.timings, capacitor)
    }

    /// The shortest and the longest delay of each net, in picoseconds.
    fn spans(&self, timings: &[Timing], capacitor: u64) -> Vec<(u64, u64)> {
        self.spans_with(timings, |net, timing| {
            let filter = filter_delay(&self.netlist.nets[net], timing, capacitor);
            let span = |access: u32| u64::from(access) * NANOSECOND + filter;
            (span(timing.access.0), span(timing.access.1))
        })
    }

    fn spans_with(&self, timings: &[Timing], span: impl Fn(NetId, &Timing) -> (u64, u64)) -> Vec<(u64, u64)> {
        let mut spans = vec![(0, 0); self.netlist.nets.len()];
        for (chip, timing) in self.netlist.chips.iter().zip(timings) {
            for &net in &chip.data {
                spans[net] = span(net, timing);
            }
        }
        spans
    }

    /// The fastest part that can replace a chip, if it is faster than the current part.
    fn faster(&self, chip: ChipId, part: &str) -> Option<&str> {
        let chip = &self.netlist.chips[chip];
        let (now, now_timing) = self.parts.get(part)?;
        let fitting = self.parts.iter().filter_map(|(name, (part, timing))| {
            let (_, address, data) = part.about();
            let is_faster = timing.access.1 < now_timing.access.1;
            let fits = std::mem::discriminant(part) == std::mem::discriminant(now)
                && address >= chip.address().len()
                && data >= chip.data.len();
            (is_faster && fits).then_some((timing.access.1, address, &**name))
        });
        fitting.min().map(|(.., name)| name)
    }
}
