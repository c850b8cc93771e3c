//! The second claim: order does not matter.
//!
//! In each phase, chips whose moving lines make no ring come to one end whatever their order: one after the other they
//! see their last address and give what their table says. What is left are rings: chips that feed each other, or
//! themselves. A ring is either *cut* (at the levels that the lines from outside come to, its tables no longer listen
//! to the ring), or every order is explored, from every state of rest in which the phase can begin. A ring that is
//! neither is open: values can run around in it.

use crate::motion::{Motion, Motions, Phase, Tables};
use crate::ring::{Disorder, Movers, Ring, State};
use crate::wiring::{Net, Wiring, values};
use std::sync::atomic::{AtomicBool, Ordering};

/// A ring with no more pins than this is explored even if it is cut.
const SMALL: usize = 12;

/// A ring of chips in one phase.
#[derive(Clone, Debug, Default)]
pub(crate) struct Circle {
    pub phase: usize,
    pub chips: Vec<usize>,
    /// Explored: states of rest to begin with, states visited, changes of a line, withdrawn changes.
    pub starts: u64,
    pub states: u64,
    pub changes: u64,
    pub withdrawn: u64,
    /// Cut: ways in which the lines from outside can move, and cells that were looked at.
    pub cuts: u64,
    pub cells: u64,
    /// The nets that cut it, with their levels.
    pub cut_by: Vec<(Net, bool)>,
}

/// A ring whose end depends on the order of events, or may.
#[derive(Clone, Debug)]
pub(crate) struct Open {
    pub phase: usize,
    pub chips: Vec<usize>,
    /// Nets around the ring, each driven by a chip that reads the one before.
    pub around: Vec<Net>,
    pub kind: Opening,
}

/// How order matters.
#[derive(Clone, Debug)]
pub(crate) enum Opening {
    /// Nothing cuts the ring while these lines are at these levels.
    Uncut { levels: Vec<(Net, bool)> },
    /// Two orders lead to two ends: where it began, the lines that moved, and the nets that differ in the end.
    TwoEnds { start: Vec<(Net, bool)>, ways: [Vec<Net>; 2], differ: Vec<Net> },
    /// The lines of the ring go on moving.
    Endless { start: Vec<(Net, bool)>, way: Vec<Net> },
    /// There is too much to explore.
    TooLarge,
}

/// Looks at every ring of every phase, until it is stopped.
pub(crate) fn order(
    wiring: &Wiring,
    motions: &Motions,
    clock: &[usize],
    stop: &AtomicBool,
) -> (Vec<Circle>, Vec<Open>) {
    let tables = Tables::default();
    let (mut circles, mut open) = (Vec::new(), Vec::new());
    for (number, phase) in motions.phases.iter().enumerate() {
        for chips in rings(wiring, phase, clock, &tables) {
            match look(wiring, number, phase, &chips, stop) {
                Ok(circle) if circle.starts + circle.cuts > 0 => circles.push(circle),
                Ok(_) => {}
                Err(kind) => {
                    let around = around(wiring, phase, &chips, &tables);
                    open.push(Open { phase: number, chips, around, kind });
                }
            }
        }
    }
    (circles, open)
}

/// The nets by which one chip can move another in a phase.
fn moves(wiring: &Wiring, phase: &Phase, tables: &Tables, from: usize, to: usize) -> Option<Net> {
    let reader = &wiring.chips[to];
    let cares = phase.effect(reader, tables).cares;
    let mut lines = (0..).zip(&reader.lines).filter(|(line, _)| cares >> line & 1 == 1);
    lines
        .find(|(_, net)| wiring.drivers[**net].is_some_and(|(driver, _)| driver == from))
        .map(|(_, net)| *net)
}

/// Groups of chips that can move each other in turn, and single chips that can move themselves.
fn rings(wiring: &Wiring, phase: &Phase, clock: &[usize], tables: &Tables) -> Vec<Vec<usize>> {
    let chips = wiring.chips.len();
    let mut reach: Vec<u64> = (0..chips)
        .map(|from| {
            let reads = (0..chips).filter(|&to| moves(wiring, phase, tables, from, to).is_some());
            reads.fold(0, |set, to| set | 1 << to)
        })
        .collect();
    for between in 0..chips {
        for from in 0..chips {
            if reach[from] >> between & 1 == 1 {
                reach[from] |= reach[between];
            }
        }
    }
    let mut rings: Vec<Vec<usize>> = Vec::new();
    for chip in (0..chips).filter(|chip| reach[*chip] >> chip & 1 == 1 && !clock.contains(chip)) {
        match rings.iter_mut().find(|ring| reach[ring[0]] >> chip & 1 == 1 && reach[chip] >> ring[0] & 1 == 1)
        {
            Some(ring) => ring.push(chip),
            None => rings.push(vec![chip]),
        }
    }
    rings
}

/// A shortest way around a ring; if it is more than the counter, one that is not within the counter alone.
fn around(wiring: &Wiring, phase: &Phase, chips: &[usize], tables: &Tables) -> Vec<Net> {
    let mut best: Vec<Net> = Vec::new();
    let counter = chips.iter().all(|&chip| wiring.chips[chip].counts);
    for &first in chips.iter().filter(|&&chip| counter || !wiring.chips[chip].counts) {
        let mut ways: Vec<(usize, Vec<Net>)> = vec![(first, vec![])];
        let mut next = 0;
        let mut seen = vec![];
        while let Some((chip, way)) = ways.get(next).cloned() {
            next += 1;
            for &to in chips {
                let Some(net) = moves(wiring, phase, tables, chip, to) else { continue };
                let way: Vec<Net> = way.iter().copied().chain([net]).collect();
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

/// Looks at one ring in all ways in which the lines from outside can move.
fn look(
    wiring: &Wiring,
    number: usize,
    phase: &Phase,
    chips: &[usize],
    stop: &AtomicBool,
) -> Result<Circle, Opening> {
    let mut circle = Circle { phase: number, chips: chips.to_vec(), ..Circle::default() };
    let Some(ring) = Ring::new(wiring, chips) else {
        return Err(Opening::Uncut { levels: known(phase, wiring, chips) });
    };
    for way in ways(wiring, phase, &ring) {
        let cares = way.cares(&ring, wiring);
        let wild = ring
            .pins_where(|net| way.outside(&ring, wiring, net) && phase.motion[net] == Motion::Wild)
            & cares;
        let once = ring.pins_where(|net| way.level(net, false) != way.level(net, true)) & cares;
        if wild | once == 0 {
            continue; // nothing comes in: the ring stays at rest
        }
        if ring.pins.len() > SMALL && cut(wiring, phase, &ring, &way).is_some() {
            let (least, cells) = least_cut(wiring, phase, &ring, &way);
            circle.cuts += 1;
            if !least.iter().all(|line| circle.cut_by.contains(line)) || circle.cut_by.is_empty() {
                circle.cells += cells;
                circle.cut_by.extend(least);
            }
            continue;
        }
        let movers = Movers { once, wild };
        let starts = ring.rests(|net| way.level(net, false), cares).ok_or(Opening::TooLarge)?;
        for start in starts {
            if stop.load(Ordering::Relaxed) {
                return Err(Opening::TooLarge); // nobody will see it
            }
            let explored = ring.explore(start, movers, |_, _| ()).map_err(|disorder| match disorder {
                Disorder::TooLarge if ring.pins.len() > SMALL => Opening::Uncut { levels: way.ends() },
                disorder => opening(&ring, start, disorder),
            })?;
            circle.starts += 1;
            circle.states += explored.states;
            circle.changes += explored.changes;
            circle.withdrawn += explored.withdrawn;
        }
    }
    circle.cut_by.sort_unstable();
    circle.cut_by.dedup();
    Ok(circle)
}

/// The levels of a ring's outside lines in one way in which these can move.
struct Way {
    /// Nets with known levels: before and after.
    levels: Vec<(Net, bool, bool)>,
}

impl Way {
    /// The level of a net before or after.
    fn level(&self, net: Net, after: bool) -> Option<bool> {
        let known = self.levels.iter().find(|(known, _, _)| *known == net);
        known.map(|&(_, from, to)| if after { to } else { from })
    }

    fn outside(&self, ring: &Ring, wiring: &Wiring, net: Net) -> bool {
        wiring.drivers[net].is_none_or(|(chip, _)| !ring.chips.contains(&chip))
    }

    /// The lines that moved, with the levels they came to.
    fn moved(&self) -> Vec<(Net, bool)> {
        let moved = self.levels.iter().filter(|(_, from, to)| from != to);
        moved.map(|&(net, _, to)| (net, to)).collect()
    }

    /// The same with nothing known of one net.
    fn without(&self, net: Net) -> Way {
        Way { levels: self.levels.iter().copied().filter(|(other, _, _)| *other != net).collect() }
    }

    fn ends(&self) -> Vec<(Net, bool)> {
        self.levels.iter().map(|&(net, _, to)| (net, to)).collect()
    }

    /// The pins that make a difference to their chip while the known lines have these levels, before or after.
    fn cares(&self, ring: &Ring, wiring: &Wiring) -> State {
        let mut cares = 0;
        for (pin, is) in ring.pins.iter().enumerate() {
            let chip = &wiring.chips[ring.chips[is.chip]];
            let (free, fixed) = self.lines(&chip.lines, &[false, true]);
            let line = pin - ring.pins.iter().position(|other| other.chip == is.chip).unwrap_or(0);
            let table = chip.table().unwrap_or(&[]);
            let differs =
                |rest: u32| table[(rest | fixed) as usize] != table[((rest | fixed) ^ 1 << line) as usize];
            if free >> line & 1 == 1 && values(free).any(differs) {
                cares |= 1 << pin;
            }
        }
        cares
    }

    /// Of a chip's lines: those that can have either level at these times, and the levels of the others.
    fn lines(&self, lines: &[Net], times: &[bool]) -> (u32, u32) {
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
fn ways(wiring: &Wiring, phase: &Phase, ring: &Ring) -> Vec<Way> {
    let mut nets: Vec<Net> = ring.pins.iter().map(|pin| pin.net).collect();
    nets.sort_unstable();
    nets.dedup();
    let mut ways = vec![Way { levels: vec![] }];
    for net in nets {
        let inside = wiring.drivers[net].is_some_and(|(chip, _)| ring.chips.contains(&chip));
        let choices: Vec<(bool, bool)> = match (phase.motion[net], phase.start[net]) {
            (Motion::Quiet, Some(level)) => vec![(level, level)],
            (Motion::Once, start) if !inside && ways.len() < 256 => [false, true]
                .into_iter()
                .flat_map(|from| [(from, false), (from, true)])
                .filter(|(from, _)| start.is_none_or(|start| start == *from))
                .filter(|(_, to)| phase.end[net].is_none_or(|end| end == *to))
                .collect(),
            _ => continue,
        };
        ways = ways
            .into_iter()
            .flat_map(|way| {
                let more = |&(from, to): &(bool, bool)| Way {
                    levels: way.levels.iter().copied().chain([(net, from, to)]).collect(),
                };
                choices.iter().map(more).collect::<Vec<_>>()
            })
            .collect();
    }
    ways
}

/// The lines that cut a ring, without those that are not needed for it, and the cells at which they have their levels.
fn least_cut(wiring: &Wiring, phase: &Phase, ring: &Ring, way: &Way) -> (Vec<(Net, bool)>, u64) {
    let mut least = Way { levels: way.levels.clone() };
    for &(net, _, _) in &way.levels {
        let without = least.without(net);
        if cut(wiring, phase, ring, &without).is_some() {
            least = without;
        }
    }
    (least.moved(), cut(wiring, phase, ring, &least).unwrap_or(0))
}

/// Whether the tables no longer listen to the ring when the lines from outside have arrived; then how many cells say
/// so.
fn cut(wiring: &Wiring, phase: &Phase, ring: &Ring, way: &Way) -> Option<u64> {
    let moving = |net: Net| {
        phase.motion[net] != Motion::Quiet
            && wiring.drivers[net].is_some_and(|(chip, _)| ring.chips.contains(&chip))
    };
    let mut cells = 0;
    let mut listens: Vec<(Net, Net)> = Vec::new(); // an output, and a line of the ring that it depends on
    for &number in &ring.chips {
        let chip = &wiring.chips[number];
        let table = chip.table()?;
        let (free, fixed) = way.lines(&chip.lines, &[true]);
        cells += 1u64 << free.count_ones();
        for (line, &net) in chip.lines.iter().enumerate().filter(|(_, net)| moving(**net)) {
            let differs = values(free & !(1 << line))
                .map(|rest| table[(rest | fixed) as usize] ^ table[(rest | fixed | 1 << line) as usize])
                .fold(0, |differs, cells| differs | cells);
            let outputs =
                chip.data.iter().enumerate().filter(|(bit, net)| differs >> bit & 1 == 1 && moving(**net));
            listens.extend(outputs.map(|(_, &output)| (output, net)));
        }
    }
    // Take off outputs that depend on nothing that is left, until there is no more: a ring remains, or nothing.
    loop {
        let before = listens.len();
        let outputs: Vec<Net> = listens.iter().map(|(output, _)| *output).collect();
        listens.retain(|(_, net)| outputs.contains(net));
        if listens.is_empty() {
            return Some(cells);
        }
        if listens.len() == before {
            return None;
        }
    }
}

fn opening(ring: &Ring, start: State, disorder: Disorder) -> Opening {
    let nets = |way: Vec<usize>| way.into_iter().map(|pin| ring.pins[pin].net).collect();
    let mut levels: Vec<(Net, bool)> =
        ring.pins.iter().enumerate().map(|(pin, is)| (is.net, start >> pin & 1 == 1)).collect();
    levels.sort_unstable();
    levels.dedup();
    match disorder {
        Disorder::TwoEnds { ends, ways } => {
            let differ = (0..ring.pins.len()).filter(|pin| (ends[0] ^ ends[1]) >> pin & 1 == 1);
            let mut differ: Vec<Net> = differ.map(|pin| ring.pins[pin].net).collect();
            differ.dedup();
            Opening::TwoEnds { start: levels, ways: ways.map(nets), differ }
        }
        Disorder::Endless { way } => Opening::Endless { start: levels, way: nets(way) },
        Disorder::TooLarge => Opening::TooLarge,
    }
}

/// The lines of some chips whose levels are known at the end of a phase.
fn known(phase: &Phase, wiring: &Wiring, chips: &[usize]) -> Vec<(Net, bool)> {
    let mut nets: Vec<Net> =
        chips.iter().flat_map(|&chip| wiring.chips[chip].lines.iter().copied()).collect();
    nets.sort_unstable();
    nets.dedup();
    nets.into_iter().filter_map(|net| Some((net, phase.end[net]?))).collect()
}
