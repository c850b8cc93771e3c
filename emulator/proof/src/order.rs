//! The second claim: order does not matter.
//!
//! In each phase, chips whose moving lines make no ring come to one end whatever their order: one after the other they
//! see their last address and give what their table says. What is left are rings: chips that feed each other, or
//! themselves. A ring is either *cut* (at the levels that the lines from outside come to, its tables no longer depend
//! on the ring), or every order is explored, from every state of rest in which the phase can begin. A ring that is
//! neither is open: values can run around in it.

use crate::motion::Effects;
use crate::phase::{Motion, Phase};
use crate::report::{RingRow, Verdict};
use crate::ring::{Disorder, Movers, Ring, State};
use crate::rom::{chip_names, counts, driver, level_name, listed, values};
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use std::sync::atomic::{AtomicBool, Ordering};

/// A ring with no more pins than this is explored even if it is cut.
const SMALL: usize = 12;

/// A net and its level.
pub(crate) type Level = (NetId, bool);

/// A ring whose end depends on the order of events, or may.
#[derive(Clone, Debug)]
pub(crate) struct OpenRing {
    /// The index of the phase.
    pub phase: usize,
    pub chips: Vec<ChipId>,
    /// Nets around the ring, each driven by a chip that reads the one before.
    pub around: Vec<NetId>,
    pub why: Openness,
}

/// How order matters.
#[derive(Clone, Debug)]
pub(crate) enum Openness {
    /// Nothing cuts the ring while these lines are at these levels.
    Uncut { levels: Vec<Level> },
    /// Two orders lead to two ends: where it began, the lines that moved, and the nets that differ in the end.
    TwoEnds { start: Vec<Level>, orders: [Vec<NetId>; 2], differ: Vec<NetId> },
    /// The lines of the ring go on moving.
    Endless { start: Vec<Level>, order: Vec<NetId> },
    /// There is too much to explore.
    TooLarge,
}

/// Examines every ring of every phase, until it is stopped.
pub(crate) fn order(
    netlist: &Netlist,
    phases: &[Phase],
    clock: &[ChipId],
    stop: &AtomicBool,
) -> (Vec<RingRow>, Vec<OpenRing>) {
    let effects = Effects::default();
    let (mut rows, mut open) = (Vec::new(), Vec::new());
    for (index, phase) in phases.iter().enumerate() {
        let graph = Graph::of(netlist, phase, &effects);
        for chips in graph.rings(clock) {
            match examine(netlist, phase, &chips, stop) {
                Ok(row) if row.starts > 0 || row.cells > 0 => rows.push(row),
                Ok(_) => {}
                Err(why) => {
                    let around = graph.around(&chips);
                    open.push(OpenRing { phase: index, chips, around, why });
                }
            }
        }
    }
    (rows, open)
}

/// Which chip can move which in a phase.
struct Graph<'a> {
    netlist: &'a Netlist,
    /// For each chip, the lines that it reads whose movement can move what it gives.
    cares: Vec<u32>,
}

impl Graph<'_> {
    fn of<'a>(netlist: &'a Netlist, phase: &Phase, effects: &Effects) -> Graph<'a> {
        let cares = (0..netlist.chips.len()).map(|id| effects.of(netlist, phase, id).cares);
        Graph { netlist, cares: cares.collect() }
    }

    /// The first net by which one chip can move another.
    fn moves(&self, from: ChipId, to: ChipId) -> Option<NetId> {
        let mut lines = self.netlist.chips[to].reads.iter().enumerate();
        let found = lines
            .find(|(line, net)| self.cares[to] >> line & 1 == 1 && driver(self.netlist, **net) == Some(from));
        found.map(|(_, net)| *net)
    }

    /// Groups of chips that can move each other in turn, and single chips that can move themselves.
    fn rings(&self, clock: &[ChipId]) -> Vec<Vec<ChipId>> {
        let chips = self.netlist.chips.len();
        let moved = |from| (0..chips).filter(move |&to| self.moves(from, to).is_some());
        let mut reach: Vec<u64> =
            (0..chips).map(|from| moved(from).fold(0, |set, to| set | 1 << to)).collect();
        for between in 0..chips {
            for from in 0..chips {
                if reach[from] >> between & 1 == 1 {
                    reach[from] |= reach[between];
                }
            }
        }
        let mut rings: Vec<Vec<ChipId>> = Vec::new();
        for chip in (0..chips).filter(|chip| reach[*chip] >> chip & 1 == 1 && !clock.contains(chip)) {
            let same =
                |ring: &&mut Vec<ChipId>| reach[ring[0]] >> chip & 1 == 1 && reach[chip] >> ring[0] & 1 == 1;
            match rings.iter_mut().find(same) {
                Some(ring) => ring.push(chip),
                None => rings.push(vec![chip]),
            }
        }
        rings
    }

    /// A shortest way around a ring; if it is more than the counter, one that is not within the counter alone.
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
    stop: &AtomicBool,
) -> Result<RingRow, Openness> {
    let mut row = RingRow {
        phase: phase.name.clone(),
        chips: chip_names(netlist, chips),
        verdict: Verdict::Proved,
        starts: 0,
        states: 0,
        changes: 0,
        withdrawn: 0,
        cut_by: vec![],
        cells: 0,
    };
    let Some(ring) = Ring::new(netlist, chips) else {
        let nets = chips.iter().flat_map(|&chip| &netlist.chips[chip].reads).copied().collect();
        let known = listed(netlist, nets).into_iter().filter_map(|net| Some((net, phase.end[net]?)));
        return Err(Openness::Uncut { levels: known.collect() });
    };
    let mut cut_by: Vec<Level> = Vec::new();
    for outside in surroundings(netlist, phase, &ring) {
        let cares = outside.cares(&ring);
        let glitching =
            ring.pins_where(|net| !ring.drives(net) && phase.motion[net] == Motion::Glitches) & cares;
        let once = ring.pins_where(|net| outside.level(net, false) != outside.level(net, true)) & cares;
        if glitching | once == 0 {
            continue; // nothing comes in: the ring stays at rest
        }
        if ring.pins.len() > SMALL && cut(phase, &ring, &outside).is_some() {
            let (least, cells) = least_cut(phase, &ring, &outside);
            if !least.iter().all(|level| cut_by.contains(level)) || cut_by.is_empty() {
                row.cells += cells;
                cut_by.extend(least);
            }
            continue;
        }
        let movers = Movers { once, glitching };
        let starts = ring.rests(|net| outside.level(net, false), cares).ok_or(Openness::TooLarge)?;
        for start in starts {
            if stop.load(Ordering::Relaxed) {
                return Err(Openness::TooLarge); // nobody will see it
            }
            let explored = ring.explore(start, movers, |_, _| ()).map_err(|disorder| match disorder {
                Disorder::TooLarge if ring.pins.len() > SMALL => Openness::Uncut { levels: outside.ends() },
                disorder => openness(&ring, start, disorder),
            })?;
            row.starts += 1;
            row.states += explored.states;
            row.changes += explored.changes;
            row.withdrawn += explored.withdrawn;
        }
    }
    cut_by.sort_by_key(|(net, level)| (netlist.listing.iter().position(|listed| listed == net), *level));
    cut_by.dedup();
    row.cut_by = cut_by.into_iter().map(|level| level_name(netlist, level)).collect();
    Ok(row)
}

/// The levels of a ring's lines from outside in one way in which these can move.
#[derive(Clone)]
struct Surroundings {
    /// Nets with known levels: before and after.
    levels: Vec<(NetId, bool, bool)>,
}

impl Surroundings {
    /// The level of a net before or after.
    fn level(&self, net: NetId, after: bool) -> Option<bool> {
        let known = self.levels.iter().find(|(known, _, _)| *known == net);
        known.map(|&(_, from, to)| if after { to } else { from })
    }

    /// The same with nothing known of one net.
    fn without(&self, net: NetId) -> Surroundings {
        let others = self.levels.iter().copied().filter(|(other, _, _)| *other != net);
        Surroundings { levels: others.collect() }
    }

    fn ends(&self) -> Vec<Level> {
        self.levels.iter().map(|&(net, _, to)| (net, to)).collect()
    }

    /// The pins that make a difference to their chip while the known lines have these levels, before or after.
    fn cares(&self, ring: &Ring) -> State {
        ring.pins.iter().enumerate().fold(0, |cares, (pin, is)| {
            let rom = ring.roms[is.chip];
            let (free, fixed) = self.lines(&rom.chip.reads, &[false, true]);
            let differs = |rest: u32| rom.cell(rest | fixed) != rom.cell((rest | fixed) ^ 1 << is.line);
            cares | State::from(free >> is.line & 1 == 1 && values(free).any(differs)) << pin
        })
    }

    /// Of a chip's lines: those that can have either level at these times, and the levels of the others.
    fn lines(&self, lines: &[NetId], times: &[bool]) -> (u32, u32) {
        let (mut free, mut fixed) = (0u32, 0u32);
        for (line, &net) in lines.iter().enumerate() {
            let levels: Vec<Option<bool>> = times.iter().map(|&after| self.level(net, after)).collect();
            match levels[0] {
                Some(level) if levels.iter().all(|other| *other == Some(level)) => {
                    fixed |= u32::from(level) << line;
                }
                _ => free |= 1 << line,
            }
        }
        (free, fixed)
    }
}

/// All ways in which the lines from outside can move: those that move once, from and to where they can.
fn surroundings(netlist: &Netlist, phase: &Phase, ring: &Ring) -> Vec<Surroundings> {
    let mut all = vec![Surroundings { levels: vec![] }];
    for net in listed(netlist, ring.pins.iter().map(|pin| pin.net).collect()) {
        let choices: Vec<(bool, bool)> = match (phase.motion[net], phase.start[net]) {
            (Motion::Stable, Some(level)) => vec![(level, level)],
            (Motion::Once, start) if !ring.drives(net) && all.len() < 256 => [false, true]
                .into_iter()
                .flat_map(|from| [(from, false), (from, true)])
                .filter(|(from, _)| start.is_none_or(|start| start == *from))
                .filter(|(_, to)| phase.end[net].is_none_or(|end| end == *to))
                .collect(),
            _ => continue,
        };
        let more = |known: &Surroundings, (from, to): (bool, bool)| {
            let mut known = known.clone();
            known.levels.push((net, from, to));
            known
        };
        all = all.iter().flat_map(|known| choices.iter().map(|&choice| more(known, choice))).collect();
    }
    all
}

/// The lines that cut a ring, without those that are not needed for it, and the cells at which they have their levels.
fn least_cut(phase: &Phase, ring: &Ring, outside: &Surroundings) -> (Vec<Level>, u64) {
    let mut least = outside.clone();
    for &(net, _, _) in &outside.levels {
        let without = least.without(net);
        if cut(phase, ring, &without).is_some() {
            least = without;
        }
    }
    let moved = least.levels.iter().filter(|(_, from, to)| from != to);
    (moved.map(|&(net, _, to)| (net, to)).collect(), cut(phase, ring, &least).unwrap_or(0))
}

/// Whether the tables no longer depend on the ring when the lines from outside have arrived; then how many cells say
/// so.
fn cut(phase: &Phase, ring: &Ring, outside: &Surroundings) -> Option<u64> {
    let moving = |net: NetId| phase.moves(net) && ring.drives(net);
    let mut cells = 0;
    let mut depends: Vec<(NetId, NetId)> = Vec::new(); // an output, and a line of the ring that it depends on
    for rom in &ring.roms {
        let (free, fixed) = outside.lines(&rom.chip.reads, &[true]);
        cells += 1u64 << free.count_ones();
        for (line, &net) in rom.chip.reads.iter().enumerate().filter(|(_, net)| moving(**net)) {
            let differs = values(free & !(1 << line))
                .map(|rest| rom.cell(rest | fixed) ^ rom.cell(rest | fixed | 1 << line))
                .fold(0, |differs, cells| differs | cells);
            let outputs = rom.chip.data.iter().enumerate();
            let outputs = outputs.filter(|(bit, net)| differs >> bit & 1 == 1 && moving(**net));
            depends.extend(outputs.map(|(_, &output)| (output, net)));
        }
    }
    // Take off outputs that depend on nothing that is left, until there is no more: a ring remains, or nothing.
    loop {
        let before = depends.len();
        let outputs: Vec<NetId> = depends.iter().map(|(output, _)| *output).collect();
        depends.retain(|(_, net)| outputs.contains(net));
        if depends.is_empty() {
            return Some(cells);
        }
        if depends.len() == before {
            return None;
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
            Openness::TwoEnds { start, orders, differ }
        }
        Disorder::Endless { order } => Openness::Endless { start, order },
        Disorder::TooLarge => Openness::TooLarge,
    }
}
