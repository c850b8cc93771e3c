//! Races inside a chip: what has to hold if each path from an address line to a data line has its own delay.
//!
//! The claims allow any delay of every wire, chip and data line, but assume that all data lines of a chip see a change
//! of an address line at the same moment. Without that, a data line may see the consequence of a change before the
//! change: `S1` may see `S0` rise before the `OSC` that made it rise (Unger's essential hazard). No table can exclude
//! this, so this module derives which paths have to be faster than which others.
//!
//! If lines move but form no ring, or if the ring is cut, only the final address matters, and each data line sees it
//! eventually. Whether a net is stable or moves once is determined for each data line separately anyway (`motion`). So
//! races occur only in the rings that `order` explores, and in the clock. There, from each state of rest:
//!
//! - Every order of the ring is explored as in `order`. Each of its nets has to move once at most, which gives the
//!   *expected* addresses of each chip, and for each of its data lines the level there.
//! - A data line is then looked up at every other address that the moved lines can form. If its level there is one that
//!   it already has or still has at expected addresses, seeing that address does no harm. Otherwise the address must
//!   never be seen: one of the lines that has not moved there has to arrive before one that has, and which cannot move
//!   without it.
//! - The way round to the later one is found backwards, from each net to the lines that make it move.
//!
//! If all these races are won, there is no first data line that behaves unexpectedly, so none does.

mod lines;
#[cfg(test)]
mod tests;

use crate::clock::{Clock, Motion};
use crate::limits::{Limits, Visits};
use crate::motion::{Effects, reset_phases, steady_phases};
use crate::order::{Graph, cut};
use crate::phase::Phase;
use crate::prover::{Prover, Stopped};
use crate::ring::{Movers, Ring, State};
use crate::rom::chip_names;
use crate::surroundings::surroundings;
use crate::undecided::Undecided;
use gray1_machine::PHASES;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::tables::Tables;
use lines::{Causes, Line, RingMoves, Unclear};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// Two changes that a data line has to see in this order: the path of the first through the chip has to be shorter than
/// the way round to the second plus the path of the second.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Race {
    /// The chip.
    pub chip: ChipId,
    /// The net on its data line.
    pub line: NetId,
    /// The way round: the net that has to be seen first, then the nets that are moved in turn, each by the one before
    /// it. The chip reads the first and the last of them.
    pub round: Vec<NetId>,
}

/// All races of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Races {
    /// The races, each with the phases in which it occurs.
    pub races: Vec<(Race, Vec<String>)>,
    /// Rings in which there may be others.
    pub undecided: Vec<Undecided>,
}

impl Prover<'_> {
    /// Which paths have to be faster than which others, if each path through a chip has its own delay. The end of a
    /// reset is not examined.
    pub fn races(&self) -> Result<Races, Stopped> {
        let netlist = &**self.board.netlist();
        let Ok(clock) = Clock::find(netlist, &self.limits) else {
            return Ok(Races { races: vec![], undecided: vec![Undecided::NoClock] });
        };
        let (limits, stop) = (&self.limits, self.stop);
        let mut search = RaceSearch { netlist, limits, stop, found: BTreeMap::new(), undecided: vec![] };
        let running = steady_phases(netlist, &clock, &self.limits);
        let held = reset_phases(netlist, &clock, &self.limits);
        let cycles = [(&running, &clock.phases), (&held, &clock.held)];
        for (phases, edges) in cycles {
            for (phase, edge) in phases.iter().zip(edges) {
                search.clock(&clock, phase, &edge.levels, &edge.moves);
            }
            for phase in phases.iter().take(PHASES) {
                for chips in Graph::of(netlist, phase, &Effects::default()).rings(&clock.chips) {
                    search.ring(phase, &chips);
                    self.unless_stopped()?;
                }
            }
        }
        Ok(Races { races: search.found.into_iter().collect(), undecided: search.undecided })
    }
}

/// The races found so far.
struct RaceSearch<'a> {
    netlist: &'a Netlist,
    limits: &'a Limits,
    stop: &'a AtomicBool,
    found: BTreeMap<Race, Vec<String>>,
    undecided: Vec<Undecided>,
}

impl RaceSearch<'_> {
    /// The clock after an edge of the oscillator.
    fn clock(&mut self, clock: &Clock, phase: &Phase, levels: &[bool], moves: &[Motion]) {
        let Some(ring) = Ring::new(self.netlist, &clock.chips) else { return };
        let place = |net: NetId| clock.nets.iter().position(|other| *other == net);
        let start = clock.state(&ring, levels);
        let oscillator = self.netlist.panel.oscillator[0];
        let movers = Movers { once: ring.pins_where(|net| net == oscillator), ..Movers::default() };
        let is_calm = |net: NetId| place(net).is_some_and(|place| moves[place] != Motion::Glitches);
        let mut visits = Visits::new(self.limits);
        let result = self.study(&ring, start, movers, &mut visits, is_calm, phase);
        self.note(result, phase, &clock.chips);
    }

    /// A ring of a phase, in each way in which the lines around it can move.
    fn ring(&mut self, phase: &Phase, chips: &[ChipId]) {
        let mut tables = Tables::new(self.netlist);
        let ring = Ring::new(self.netlist, chips);
        let mut visits = Visits::new(self.limits);
        for outside in surroundings(self.netlist, phase, chips, &mut tables) {
            let movers = ring.as_ref().map(|ring| outside.movers(ring, phase));
            let is_still = movers.is_some_and(|movers| movers.are_still());
            if is_still || cut(self.netlist, phase, chips, &outside, &mut tables).is_some() {
                continue;
            }
            let result = match (&ring, movers) {
                (Some(ring), Some(movers)) if movers.perhaps | movers.glitching == 0 => {
                    let known = |net| outside.level(net, false);
                    let starts = ring.rests(known, outside.cares(ring), self.limits.rests);
                    starts.ok_or(Unclear).and_then(|starts| {
                        // A net that the ring does not read may move in the way that `motion` has found.
                        starts.into_iter().try_for_each(|start| {
                            self.study(ring, start, movers, &mut visits, |_| false, phase)
                        })
                    })
                }
                _ => Err(Unclear),
            };
            self.note(result, phase, chips);
        }
    }

    fn note(&mut self, result: Result<(), Unclear>, phase: &Phase, chips: &[ChipId]) {
        let (chips, phase) = (chip_names(self.netlist, chips), phase.name.clone());
        let why = Undecided::RingOfPaths { chips, phase };
        if result.is_err() && !self.undecided.contains(&why) {
            self.undecided.push(why);
        }
    }

    /// Finds the races of a ring from one state of rest.
    fn study(
        &mut self,
        ring: &Ring,
        start: State,
        movers: Movers,
        visits: &mut Visits,
        is_calm: impl Fn(NetId) -> bool,
        phase: &Phase,
    ) -> Result<(), Unclear> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Unclear); // stopped: the result is not used
        }
        let explored = RingMoves::of(ring, start, movers, visits)?;
        let is_read = |net: NetId| ring.pins.iter().any(|pin| pin.net == net);
        let mut lines = BTreeMap::new();
        for (index, rom) in ring.roms.iter().enumerate() {
            for (bit, &net) in
                rom.chip.data.iter().enumerate().filter(|(_, net)| is_read(**net) || is_calm(**net))
            {
                lines.insert(net, Line::of(&explored, index, bit)?);
            }
        }
        let causes = Causes { ring, lines: &lines };
        for (&net, line) in &lines {
            for &unwanted in &line.unwanted {
                for round in causes.rounds(net, unwanted)? {
                    let race = Race { chip: ring.chips[line.chip], line: net, round };
                    let phases = self.found.entry(race).or_default();
                    if !phases.contains(&phase.name) {
                        phases.push(phase.name.clone());
                    }
                }
            }
        }
        Ok(())
    }
}
