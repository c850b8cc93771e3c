//! The second claim: order does not matter.
//!
//! In each phase, chips whose moving lines form no ring reach one final state in any order: one after the other, their
//! addresses become final, and so do their outputs. That leaves the rings: chips that feed each other, or themselves. A
//! ring is either *cut* (with the lines from outside at their final levels, its tables no longer depend on the ring),
//! or every order is explored, from every state of rest in which the phase can begin. A ring for which neither is
//! possible is open: a change may run around in it.

use crate::clock::Clock;
use crate::inputs;
use crate::limits::{Limits, Visits};
use crate::motion::{Effects, phases};
use crate::phase::Phase;
use crate::report::RingRow;
use crate::rest::{loops_across, restless};
use crate::ring::{Disorder, Exploration, Movers, Ring, State};
use crate::rom::{Level, chip_names, counts, driver, level_name, level_names, listed, names};
use crate::surroundings::{Surroundings, surroundings};
use gray1_machine::logic::components;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::tables::Tables;
use std::sync::atomic::{AtomicBool, Ordering};

/// A ring with no more pins than this is explored even if it is cut.
const MAX_SMALL_PINS: usize = 12;

/// A ring whose final state depends on the order of events, or may do so.
#[derive(Clone, Debug)]
pub(crate) struct OpenRing {
    /// The index of the phase.
    pub phase: usize,
    pub chips: Vec<ChipId>,
    /// Nets around the ring, each driven by a chip that reads the one before.
    pub around: Vec<NetId>,
    pub why: Openness,
}

/// The reason why a ring is open.
#[derive(Clone, Debug)]
pub(crate) enum Openness {
    /// Nothing cuts the ring while these lines are at these levels, and it cannot be explored: it is too large, or
    /// goes through RAM or the program.
    Uncut { levels: Vec<Level> },
    /// Two orders lead to two final states: the levels at the beginning, the lines that moved, and the nets that differ
    /// at the end.
    TwoEnds { start: Vec<Level>, orders: [Vec<NetId>; 2], differ: Vec<NetId> },
    /// The lines of the ring keep moving.
    Endless { start: Vec<Level>, order: Vec<NetId> },
}

impl Openness {
    /// Returns the reason in words, the orders of nets that show it, and the nets that differ then.
    pub fn in_words(&self, netlist: &Netlist) -> (String, Vec<Vec<String>>, Vec<String>) {
        let nets = |nets: &[NetId]| names(netlist, nets.iter().copied());
        match self {
            Openness::Uncut { levels } => {
                let levels = level_names(netlist, levels);
                let why = format!("nothing cuts the ring while {levels}: a change can run around in it");
                (why, vec![], vec![])
            }
            Openness::TwoEnds { start, orders, differ } => {
                let start = level_names(netlist, start);
                let why = format!("from {start} two orders of events lead to different final states");
                (why, orders.iter().map(|order| nets(order)).collect(), nets(differ))
            }
            Openness::Endless { start, order } => {
                let start = level_names(netlist, start);
                (format!("from {start} the lines can keep moving forever"), vec![nets(order)], vec![])
            }
        }
    }
}

/// A ring whose final state does not depend on the order of events.
pub(crate) struct ClosedRing {
    /// The index of the phase.
    pub phase: usize,
    pub chips: Vec<ChipId>,
    pub ways: Vec<RingCase>,
    pub row: RingRow,
}

/// One movement of the lines around a ring, and all that can follow, unless these lines cut it.
pub(crate) type RingCase = (Surroundings, Option<Vec<Exploration>>);

/// Examines every ring of every phase, until it is stopped.
pub(crate) fn order(
    netlist: &Netlist,
    phases: &[Phase],
    clock: &[ChipId],
    stop: &AtomicBool,
) -> (Vec<ClosedRing>, Vec<OpenRing>) {
    let effects = Effects::default();
    let mut tables = Tables::new(netlist);
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    for (index, phase) in phases.iter().enumerate() {
        let graph = Graph::of(netlist, phase, &effects);
        for chips in graph.rings(clock) {
            match examine(netlist, phase, &chips, &mut tables, stop) {
                Ok((_, ways)) if ways.is_empty() => {}
                Ok((row, ways)) => closed.push(ClosedRing { phase: index, chips, ways, row }),
                Err(why) => {
                    let around = graph.around(&chips);
                    open.push(OpenRing { phase: index, chips, around, why });
                }
            }
        }
    }
    (closed, open)
}

/// Loops through several chips that are not among these explored rings, so that their end is unknown.
pub(crate) fn loops_left<'a>(
    netlist: &Netlist,
    phases: &'a [Phase],
    rings: &[ClosedRing],
) -> Vec<(Vec<ChipId>, &'a Phase)> {
    let mut across = loops_across(netlist, phases);
    across.retain(|(chips, _)| !rings.iter().any(|ring| ring.row.starts > 0 && ring.chips == *chips));
    across
}

/// Whether the claim is proved for a board, within a tenth of a second or so: what is not proved within [`Limits::QUICK`]
/// counts as not proved, and nothing is explained. This is what an engine asks before it runs ahead of its lookups.
pub fn order_makes_no_difference(netlist: &Netlist) -> bool {
    let limits = &Limits::QUICK;
    let Ok(clock) = Clock::find(netlist, limits) else { return false };
    let phases = phases(netlist, &clock, limits);
    if inputs::of_pads_and_keys(netlist, &clock, &phases).is_some() || !restless(netlist, &phases).is_empty()
    {
        return false;
    }
    let (rings, open) = order(netlist, &phases, &clock.chips, &AtomicBool::new(false));
    open.is_empty() && loops_left(netlist, &phases, &rings).is_empty()
}

/// Which chip can move which in a phase.
pub(crate) struct Graph<'a> {
    netlist: &'a Netlist,
    /// For each chip, the lines that it reads whose movement can move its output.
    cares: Vec<u32>,
}

impl Graph<'_> {
    pub fn of<'a>(netlist: &'a Netlist, phase: &Phase, effects: &Effects) -> Graph<'a> {
        let cares = (0..netlist.chips.len()).map(|id| effects.of(netlist, phase, id).cares);
        Graph { netlist, cares: cares.collect() }
    }

    /// Returns the first net by which one chip can move another.
    fn moves(&self, from: ChipId, to: ChipId) -> Option<NetId> {
        let mut lines = self.netlist.chips[to].reads.iter().enumerate();
        let found = lines
            .find(|(line, net)| self.cares[to] >> line & 1 == 1 && driver(self.netlist, **net) == Some(from));
        found.map(|(_, net)| *net)
    }

    /// Groups of chips that can move each other in turn, and single chips that can move themselves.
    pub fn rings(&self, clock: &[ChipId]) -> Vec<Vec<ChipId>> {
        let chips = 0..self.netlist.chips.len();
        let moves = |from: ChipId| chips.clone().filter(|&to| self.moves(from, to).is_some()).collect();
        let mut rings = components(&chips.clone().map(moves).collect::<Vec<_>>());
        rings.retain(|ring| ring.len() > 1 || self.moves(ring[0], ring[0]).is_some());
        rings.retain(|ring| !clock.contains(&ring[0])); // the clock depends on nothing else
        rings.iter_mut().for_each(|ring| ring.sort_unstable());
        rings.sort_unstable();
        rings
    }

    /// Returns a shortest way around a ring; if the ring includes more than the counter, one that is not within the
    /// counter alone.
    fn around(&self, chips: &[ChipId]) -> Vec<NetId> {
        let counts = |chip: &ChipId| counts(self.netlist, *chip);
        let counter = chips.iter().all(counts);
        let mut best: Vec<NetId> = Vec::new();
        for &first in chips.iter().filter(|chip| counter || !counts(chip)) {
            let mut ways: Vec<(ChipId, Vec<NetId>)> = vec![(first, vec![])];
            let mut next = 0;
            let mut seen = vec![];
            while let Some((chip, way)) = ways.get(next).cloned() {
                next += 1;
                for &to in chips {
                    let Some(net) = self.moves(chip, to) else { continue };
                    let way: Vec<NetId> = way.iter().copied().chain([net]).collect();
                    if to == first
                        && (chips.len() == 1 || way.len() > 1)
                        && (best.is_empty() || way.len() < best.len())
                    {
                        best = way;
                    } else if to != first && !seen.contains(&to) {
                        seen.push(to);
                        ways.push((to, way));
                    }
                }
            }
        }
        best
    }
}

/// Examines one ring in all ways in which the lines from outside can move.
fn examine(
    netlist: &Netlist,
    phase: &Phase,
    chips: &[ChipId],
    tables: &mut Tables,
    stop: &AtomicBool,
) -> Result<(RingRow, Vec<RingCase>), Openness> {
    let mut ways = Vec::new();
    let mut row = RingRow::new(phase.name.clone(), chip_names(netlist, chips));
    let ring = Ring::new(netlist, chips);
    let mut visits = Visits::new(&phase.limits);
    let mut cut_by: Vec<Level> = Vec::new();
    for outside in surroundings(netlist, phase, chips, tables) {
        let movers = ring.as_ref().map(|ring| outside.movers(ring, phase));
        if movers.is_some_and(|movers| movers.are_still()) {
            continue; // no line from outside moves: the ring stays at rest
        }
        let small = ring.as_ref().is_some_and(|ring| ring.pins.len() <= MAX_SMALL_PINS);
        if !small && cut(netlist, phase, chips, &outside, tables).is_some() {
            let (least, cells) = least_cut(netlist, phase, chips, &outside, tables);
            if !least.iter().all(|level| cut_by.contains(level)) || cut_by.is_empty() {
                row.cells += cells;
                cut_by.extend(least);
            }
            ways.push((outside, None));
            continue;
        }
        let Some(ring) = &ring else {
            return Err(Openness::Uncut { levels: outside.ends() });
        };
        let explorations = explore(ring, &outside, phase, &mut visits, &mut row, stop)?;
        ways.push((outside, Some(explorations)));
    }
    cut_by.sort_by_key(|(net, level)| (netlist.listing.iter().position(|listed| listed == net), *level));
    cut_by.dedup();
    row.cut_by = cut_by.into_iter().map(|level| level_name(netlist, level)).collect();
    Ok((row, ways))
}

/// Explores every order in one ring, from every state of rest.
fn explore(
    ring: &Ring,
    outside: &Surroundings,
    phase: &Phase,
    visits: &mut Visits,
    row: &mut RingRow,
    stop: &AtomicBool,
) -> Result<Vec<Exploration>, Openness> {
    let uncut = || Openness::Uncut { levels: outside.ends() };
    let open = |start: State| {
        move |disorder: Disorder| match disorder {
            Disorder::TooLarge => uncut(),
            disorder => openness(ring, start, disorder),
        }
    };
    let (movers, cares) = (outside.movers(ring, phase), outside.cares(ring));
    let starts = ring.rests(|net| outside.level(net, false), cares, phase.limits.rests).ok_or_else(uncut)?;
    let mut explorations = Vec::new();
    for start in starts {
        if stop.load(Ordering::Relaxed) {
            return Err(uncut()); // stopped: the result is not used
        }
        let explored = ring.explore(start, movers, visits, |_, _| ()).map_err(open(start))?;
        row.add(explored.counted);
        // A pulse may be passed on, and arrive at any time later.
        let (mut late, mut pulses, mut states) = (0, explored.pulses, explored.visited);
        while pulses & !late != 0 {
            late |= pulses;
            let movers = Movers { late, ..movers };
            let explored = ring.explore(start, movers, visits, |_, _| ()).map_err(|disorder| {
                // A line that may or may not move brings pulses of one case into the other.
                if movers.perhaps == 0 { open(start)(disorder) } else { uncut() }
            });
            let explored = explored?;
            (pulses, states) = (explored.pulses, explored.visited);
        }
        explorations.push(Exploration { start, once: movers.once, late, states });
    }
    Ok(explorations)
}

/// Returns a minimal set of lines that cut a ring, and the cells at which they have these levels.
fn least_cut(
    netlist: &Netlist,
    phase: &Phase,
    chips: &[ChipId],
    outside: &Surroundings,
    tables: &mut Tables,
) -> (Vec<Level>, u64) {
    let mut least = outside.clone();
    let mut cells = cut(netlist, phase, chips, &least, tables);
    for &(net, _, _) in &outside.levels {
        let without = least.without(net);
        if let Some(more) = cut(netlist, phase, chips, &without, tables) {
            (least, cells) = (without, Some(more));
        }
    }
    let moved = least.levels.iter().filter(|(_, from, to)| from != to);
    (moved.filter_map(|&(net, _, to)| Some((net, to?))).collect(), cells.unwrap_or(0))
}

/// Whether the tables no longer depend on the ring when the lines from outside have their final levels; if so, how many
/// cells show that.
pub(crate) fn cut(
    netlist: &Netlist,
    phase: &Phase,
    chips: &[ChipId],
    outside: &Surroundings,
    tables: &mut Tables,
) -> Option<u64> {
    let inside = |net: NetId| driver(netlist, net).is_some_and(|chip| chips.contains(&chip));
    let moving = |net: NetId| phase.moves(net) && inside(net);
    let mut known = vec![None; netlist.nets.len()];
    for (net, level) in outside.ends() {
        known[net] = Some(level);
    }
    let mut cells = 0;
    let mut depends: Vec<(NetId, NetId)> = Vec::new(); // an output, and a line of the ring that it depends on
    for &id in chips {
        let (chip, facts) = (&netlist.chips[id], tables.facts(id, &known));
        if netlist.table(id).is_some() {
            cells += 1u64 << chip.reads.iter().filter(|net| known[**net].is_none()).count();
        }
        for (&net, moves) in chip.reads.iter().zip(&facts.moves).filter(|(net, _)| moving(**net)) {
            let outputs = chip.data.iter().enumerate();
            let outputs = outputs.filter(|(bit, net)| moves >> bit & 1 == 1 && moving(**net));
            depends.extend(outputs.map(|(_, &output)| (output, net)));
        }
    }
    without_circle(depends).then_some(cells)
}

/// Whether no net depends on itself: removes the nets that depend on no remaining net, until there are none left.
fn without_circle(mut depends: Vec<(NetId, NetId)>) -> bool {
    loop {
        let before = depends.len();
        let outputs: Vec<NetId> = depends.iter().map(|(output, _)| *output).collect();
        depends.retain(|(_, net)| outputs.contains(net));
        if depends.is_empty() || depends.len() == before {
            return depends.is_empty();
        }
    }
}

fn openness(ring: &Ring, start: State, disorder: Disorder) -> Openness {
    let at = |state: State, net: NetId| state & ring.pins_where(|other| other == net) != 0;
    let nets = listed(ring.netlist, ring.pins.iter().map(|pin| pin.net).collect());
    let start = nets.into_iter().map(|net| (net, at(start, net))).collect();
    match disorder {
        Disorder::TwoEnds { ends, orders } => {
            let differ = ring.pins.iter().enumerate();
            let differ = differ.filter(|(pin, _)| (ends[0] ^ ends[1]) >> pin & 1 == 1);
            let mut differ: Vec<NetId> = differ.map(|(_, is)| is.net).collect();
            differ.dedup();
            Openness::TwoEnds { start, orders: orders.map(|order| ring.nets(&order)), differ }
        }
        Disorder::Endless { order } => Openness::Endless { start, order: ring.nets(&order) },
        Disorder::TooLarge => Openness::Uncut { levels: start },
    }
}
