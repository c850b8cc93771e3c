//! The clock: the chips that depend on nothing but the oscillator and themselves.
//!
//! Nothing else of the board can reach them, so they can be explored alone, whatever the rest does: from every
//! state in which they can power up, over each edge of the oscillator, in every order of their lines. The result
//! is the cycle of phases: the levels of the clock's nets when each phase begins, and how each net moves in it.

use crate::limits::Limits;
use crate::ring::{Disorder, Movers, Ring, State};
use crate::rom::{chip_names, names};
use gray1_machine::PHASES;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use thiserror::Error;

/// The cycle of the clock.
pub(crate) struct Clock {
    /// All its nets, the oscillator among them.
    pub nets: Vec<NetId>,
    pub chips: Vec<ChipId>,
    pub phases: Vec<Edge>,
    /// States in which it can power up, states visited, changes of a line.
    pub starts: u64,
    pub states: u64,
    pub changes: u64,
}

/// What an edge of the oscillator does to the clock.
pub(crate) struct Edge {
    /// The levels of the clock's nets when the phase begins, just before the edge.
    pub levels: Vec<bool>,
    /// How each net moves in the phase.
    pub moves: Vec<ClockMove>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ClockMove {
    Stays,
    /// From its level to the other, in every order of events.
    Once,
    /// Back and forth, in some order of events.
    Pulses,
}

/// Why a board has no clock of four phases.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[allow(missing_docs)] // each says what it means
pub enum ClockError {
    #[error("no chip depends on the oscillator and itself alone: there is no clock")]
    NoChips,
    #[error("the clock has {0} address lines, too many to try")]
    TooManyLines(usize),
    #[error("the sequencer depends on more than the oscillator and itself")]
    Sequencer,
    #[error(
        "the clock, {chips}, depends on the order of its lines: when lines move in the order {one} it ends elsewhere \
         than after {other}"
    )]
    TwoEnds { chips: String, one: String, other: String },
    #[error(
        "the clock, {chips}, depends on the order of its lines: it goes on moving for ever, after {order}"
    )]
    Endless { chips: String, order: String },
    #[error("the clock, {chips}, has too many states to visit")]
    TooLarge { chips: String },
    #[error("the clock has more than one cycle: which it takes depends on power-up")]
    SeveralCycles,
    #[error("the clock has {0} phases, it must have {PHASES}")]
    Phases(usize),
    #[error("the sequencer never comes to the state in which a cycle begins")]
    NeverBegins,
}

impl ClockError {
    /// Whether there may be a clock all the same.
    pub fn is_undecided(&self) -> bool {
        matches!(self, ClockError::TooManyLines(_) | ClockError::TooLarge { .. })
    }
}

impl Clock {
    /// Finds the clock of a board and its phases, of which there must be four.
    pub fn find(netlist: &Netlist, limits: &Limits) -> Result<Clock, ClockError> {
        let (nets, chips) = cone(netlist);
        if chips.is_empty() {
            return Err(ClockError::NoChips);
        }
        let lines = chips.iter().map(|&chip| netlist.chips[chip].reads.len()).sum();
        let ring = Ring::new(netlist, &chips).filter(|_| lines <= limits.clock_lines);
        let ring = ring.ok_or(ClockError::TooManyLines(lines))?;
        if !netlist.panel.sequence.iter().all(|net| nets.contains(net)) {
            return Err(ClockError::Sequencer);
        }
        let mut clock = Clock { nets, chips, phases: vec![], starts: 0, states: 0, changes: 0 };
        let oscillator = ring.pins_where(|net| net == netlist.panel.oscillator[0]);
        let mut after: HashMap<State, (State, Vec<ClockMove>)> = HashMap::new();
        let mut cycles = HashSet::new();
        // Power-up: any level on each net; the pins of one net agree.
        let own: Vec<NetId> =
            clock.nets.iter().copied().filter(|net| ring.pins.iter().any(|pin| pin.net == *net)).collect();
        for noise in 0..1u64 << own.len() {
            let level =
                |net| own.iter().position(|own| *own == net).is_some_and(|index| noise >> index & 1 == 1);
            clock.starts += 1;
            let mut state = clock.settle(&ring, limits, ring.pins_where(level), 0)?.0;
            let mut way = vec![];
            while !way.contains(&state) {
                way.push(state);
                state = match after.entry(state) {
                    Entry::Occupied(known) => known.get().0,
                    Entry::Vacant(new) => new.insert(clock.settle(&ring, limits, state, oscillator)?).0,
                };
            }
            let mut cycle: Vec<State> = way.into_iter().skip_while(|&other| other != state).collect();
            cycle.sort_unstable();
            cycles.insert(cycle);
        }
        clock.phases = phases(&ring, &clock.nets, &after, cycles)?;
        Ok(clock)
    }

    /// Lets the ring come to rest in every order of its lines.
    fn settle(
        &mut self,
        ring: &Ring,
        limits: &Limits,
        start: State,
        once: State,
    ) -> Result<(State, Vec<ClockMove>), ClockError> {
        let mut edges = Vec::new();
        let movers = Movers { once, ..Movers::default() };
        let explored =
            ring.explore(start, movers, limits.states, |before, after| edges.push((before, after)));
        let explored = explored.map_err(|disorder| disordered(ring, disorder))?;
        self.states += explored.states;
        self.changes += explored.changes;
        let left: HashSet<State> = edges.iter().map(|(before, _)| *before).collect();
        let last = edges.iter().map(|(_, after)| *after).find(|after| !left.contains(after));
        let end = last.unwrap_or(start);
        let moves = self.nets.iter().map(|&net| {
            let [first, last] = [start, end].map(|state| level(ring, net, state));
            let back = |&(before, after): &(State, State)| {
                level(ring, net, before) == last && level(ring, net, after) != last
            };
            let away = |&(_, after): &(State, State)| level(ring, net, after) != last;
            match first == last {
                true if !edges.iter().any(away) => ClockMove::Stays,
                false if !edges.iter().any(back) => ClockMove::Once,
                _ => ClockMove::Pulses,
            }
        });
        Ok((end, moves.collect()))
    }
}

fn disordered(ring: &Ring, disorder: Disorder) -> ClockError {
    let chips = chip_names(ring.netlist, &ring.chips).join(" ");
    let nets = |order: Vec<NetId>| names(ring.netlist, order).join(", ");
    match disorder {
        Disorder::TwoEnds { orders: [one, other], .. } => {
            ClockError::TwoEnds { chips, one: nets(one), other: nets(other) }
        }
        Disorder::Endless { order } => ClockError::Endless { chips, order: nets(order) },
        Disorder::TooLarge => ClockError::TooLarge { chips },
    }
}

/// The nets that depend on the oscillator and on each other alone, and their chips.
fn cone(netlist: &Netlist) -> (Vec<NetId>, Vec<ChipId>) {
    let mut nets = netlist.panel.oscillator.clone();
    let mut chips = Vec::new();
    while let Some((id, chip)) = netlist.chips.iter().enumerate().find(|(id, chip)| {
        netlist.table(*id).is_some()
            && !chips.contains(id)
            && chip.reads.iter().all(|net| nets.contains(net) || chip.data.contains(net))
    }) {
        chips.push(id);
        nets.extend(&chip.data);
    }
    (nets, chips)
}

/// The level of a net: on a pin that sees it, or what its driver gives.
fn level(ring: &Ring, net: NetId, state: State) -> bool {
    match ring.pins.iter().position(|pin| pin.net == net) {
        Some(pin) => state >> pin & 1 == 1,
        None => ring.driven(net, state),
    }
}

/// The phases in their order, from the state of the sequencer that is all 0.
fn phases(
    ring: &Ring,
    nets: &[NetId],
    after: &HashMap<State, (State, Vec<ClockMove>)>,
    cycles: HashSet<Vec<State>>,
) -> Result<Vec<Edge>, ClockError> {
    let mut cycles = cycles.into_iter();
    let (Some(cycle), None) = (cycles.next(), cycles.next()) else { return Err(ClockError::SeveralCycles) };
    if cycle.len() != PHASES {
        return Err(ClockError::Phases(cycle.len()));
    }
    let sequence = &ring.netlist.panel.sequence;
    let begins = |state: &State| !sequence.iter().any(|&net| level(ring, net, *state));
    let mut state = cycle.into_iter().find(begins).ok_or(ClockError::NeverBegins)?;
    // The edges of phases 1, 2, 3 follow the state that phase 0 has come to; the edge of phase 0 closes the cycle.
    let mut edges = Vec::new();
    for _ in 0..PHASES {
        let (next, moves) = &after[&state];
        let levels = nets.iter().map(|&net| level(ring, net, state)).collect();
        edges.push(Edge { levels, moves: moves.clone() });
        state = *next;
    }
    edges.rotate_right(1);
    Ok(edges)
}
