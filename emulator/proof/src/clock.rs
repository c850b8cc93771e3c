//! The clock: the chips that depend on nothing but the oscillator, the reset line and themselves.
//!
//! Nothing else on the board can affect them, so they can be explored alone, whatever the rest does: from every state
//! in which they can power up, over each edge of the oscillator, in every order of their lines. The result is the cycle
//! of phases: the levels of the clock's nets when each phase begins, and how each net moves in it. It is determined for
//! the reset line at 0 and at 1, and then for a release of the line at any moment.

use crate::limits::{Limits, Visits};
use crate::report::ClockRow;
use crate::ring::{Disorder, Exploration, Movers, ReachableStates, Ring, State};
use crate::rom::{Rom, chip_names, names, used};
use crate::undecided::ClockError;
use gray1_machine::PHASES;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The cycle of the clock. The default is that of a board without a CPU, on which nothing moves by itself.
#[derive(Default)]
pub(crate) struct Clock {
    /// All its nets, the oscillator among them, and the reset line if it has an influence.
    pub nets: Vec<NetId>,
    pub chips: Vec<ChipId>,
    /// The phases of a cycle, while the reset line is 0 and while it is 1.
    pub phases: Vec<Edge>,
    pub held: Vec<Edge>,
    /// The phases in which a reset can end when the line is released at any moment.
    pub releases: Vec<Turn>,
    /// The size of the explorations.
    pub explored: ClockRow,
    /// Everything that can happen while it is not reset.
    pub explorations: Vec<Exploration>,
    /// The same while it is reset, and when that ends.
    pub reset_explorations: Vec<Exploration>,
}

/// The beginning or the end of a reset.
pub(crate) struct Turn {
    /// Its phase.
    pub phase: usize,
    /// The motion of each net of the clock in that phase.
    pub moves: Vec<Motion>,
}

/// The effect of an edge of the oscillator on the clock.
#[derive(Clone)]
pub(crate) struct Edge {
    /// The levels of the clock's nets when the phase begins, just before the edge.
    pub levels: Vec<bool>,
    /// The motion of each net in the phase.
    pub moves: Vec<Motion>,
}

/// The motion of a net in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Motion {
    /// Not at all, in any order of events.
    Stable,
    /// From one level to the other at most once.
    Once,
    /// In any way.
    Glitches,
}

impl Clock {
    /// Finds the clock of a board and its phases, of which there must be four.
    pub fn find(netlist: &Netlist, limits: &Limits) -> Result<Clock, ClockError> {
        if netlist.panel.oscillator.is_empty() {
            return Err(ClockError::NoChips);
        }
        let (nets, chips) = clock_cone(netlist);
        if chips.is_empty() {
            return Err(ClockError::NoChips);
        }
        let lines = chips.iter().map(|&chip| netlist.chips[chip].reads.len()).sum();
        let ring = Ring::new(netlist, &chips).filter(|_| lines <= limits.clock_lines);
        let ring = ring.ok_or(ClockError::TooManyLines(lines))?;
        if !netlist.panel.sequence.iter().all(|net| nets.contains(net)) {
            return Err(ClockError::Sequencer);
        }
        let visits = &mut Visits::new(limits);
        let explored = ClockRow { chips: chip_names(netlist, &chips), ..ClockRow::default() };
        let mut clock = Clock { nets, chips, explored, ..Clock::default() };
        clock.phases = clock.cycle(&ring, visits, false)?;
        let explorations = std::mem::take(&mut clock.explorations);
        clock.held = clock.cycle(&ring, visits, true)?;
        clock.releases = clock.turns(&ring, visits, false)?;
        let reset_explorations = std::mem::take(&mut clock.explorations);
        Ok(Clock { explorations, reset_explorations, ..clock })
    }

    /// Returns the state of its ring in which its nets have these levels.
    pub fn state(&self, ring: &Ring, levels: &[bool]) -> State {
        let index = |net: NetId| self.nets.iter().position(|other| *other == net);
        ring.pins_where(|net| index(net).is_some_and(|index| levels[index]))
    }

    /// Returns the chips outside the clock that read a net.
    pub fn readers_outside<'a>(
        &'a self,
        netlist: &'a Netlist,
        net: NetId,
    ) -> impl Iterator<Item = ChipId> + 'a {
        netlist.nets[net].readers.iter().map(|pin| pin.chip).filter(|chip| !self.chips.contains(chip))
    }

    /// Returns the phases, while the reset line is at a level.
    fn cycle(&mut self, ring: &Ring, visits: &mut Visits, reset: bool) -> Result<Vec<Edge>, ClockError> {
        let edge = ring.pins_where(|net| net == ring.netlist.panel.oscillator[0]);
        let mut states = BTreeSet::new();
        for start in power_ups(ring, &self.nets, reset) {
            self.explored.starts += 1;
            states.extend(self.settle(ring, visits, start, movers(ring, 0))?.0);
        }
        // Runs edge after edge, until only recurring states are left. Before that, the reset may take effect early or
        // late.
        for _ in 0..=states.len() {
            let mut next = BTreeSet::new();
            for &state in &states {
                next.extend(self.settle(ring, visits, state, movers(ring, edge))?.0);
            }
            if std::mem::replace(&mut states, next) == states {
                break;
            }
        }
        let mut after: BTreeMap<State, (State, Vec<Motion>)> = BTreeMap::new();
        for &state in &states {
            let one_end = Movers { once: edge, ..Movers::default() };
            let (ends, moves) = self.settle(ring, visits, state, one_end)?;
            after.insert(state, (ends[0], moves));
        }
        phases(ring, &self.nets, &after)
    }

    /// Finds the phases in which the reset line begins a reset, and records the explorations.
    pub fn presses(&mut self, netlist: &Netlist, limits: &Limits) -> Result<Vec<Turn>, ClockError> {
        let ring = Ring::new(netlist, &self.chips).ok_or(ClockError::TooManyLines(limits.clock_lines + 1))?;
        std::mem::swap(&mut self.explorations, &mut self.reset_explorations);
        let presses = self.turns(&ring, &mut Visits::new(limits), true);
        std::mem::swap(&mut self.explorations, &mut self.reset_explorations);
        presses
    }

    /// Presses or releases the reset line, before an edge or at any moment of the phase that follows it. The resulting
    /// levels may depend on which line was first.
    fn turns(&mut self, ring: &Ring, visits: &mut Visits, begins: bool) -> Result<Vec<Turn>, ClockError> {
        let [oscillator, reset] = [ring.netlist.panel.oscillator[0], ring.netlist.panel.reset[0]];
        let mut turns = Vec::new();
        for phase in 0..PHASES {
            let edge = if begins { &self.phases[phase] } else { &self.held[phase] }.clone();
            // Besides the usual movements of the clock, nets may move that keep their levels otherwise.
            let (levels, moves_anyway) = (edge.levels, edge.moves);
            let mut moves = moves_anyway.clone();
            for already in [false, true] {
                let start = self.state(ring, &levels) ^ ring.pins_where(|net| already && net == reset);
                let once = ring.pins_where(|net| net == oscillator || net == reset && !already);
                let (_, seen) = self.settle(ring, visits, start, movers(ring, once))?;
                moves = moves.into_iter().zip(seen).map(|(one, other)| one.max(other)).collect();
            }
            let changes = self.nets.iter().zip(moves.iter().zip(moves_anyway));
            let ends = changes.filter(|(net, _)| **net != reset).any(|(_, (moves, anyway))| *moves != anyway);
            if ends || !self.nets.contains(&reset) {
                turns.push(Turn { phase, moves });
            }
        }
        Ok(turns)
    }

    /// Settles the ring in every order of its lines. Returns its final states, and how its nets move on the way.
    fn settle(
        &mut self,
        ring: &Ring,
        visits: &mut Visits,
        start: State,
        movers: Movers,
    ) -> Result<(Vec<State>, Vec<Motion>), ClockError> {
        let Settling { ends, moves, explored, .. } = settle(ring, &self.nets, visits, start, movers)?;
        self.explored.states += explored.counted.states;
        self.explored.changes += explored.counted.changes;
        let once = movers.once;
        if !self.explorations.iter().any(|known| (known.start, known.once) == (start, once)) {
            self.explorations.push(Exploration { start, once, late: 0, states: explored.visited });
        }
        Ok((ends, moves))
    }
}

/// Returns the movements of a clock's ring in which these pins take the other level. Lines may end at either level,
/// except for those of the sequencer.
pub(crate) fn movers(ring: &Ring, once: State) -> Movers {
    let either = ring.pins_where(|net| !ring.netlist.panel.sequence.contains(&net));
    Movers { once, either, ..Movers::default() }
}

/// Returns the states of a clock's ring at power-up: each net but the reset line has any level, and all pins of a net
/// have the same.
pub(crate) fn power_ups(ring: &Ring, nets: &[NetId], reset: bool) -> Vec<State> {
    let pins = nets.iter().filter(|&&net| net != ring.netlist.panel.reset[0]);
    let pins: Vec<State> =
        pins.map(|&net| ring.pins_where(|pin| pin == net)).filter(|pins| *pins != 0).collect();
    let held = ring.pins_where(|net| reset && net == ring.netlist.panel.reset[0]);
    let noise = 0..1u64 << pins.len();
    let levels = |noise: u64| (0..).zip(&pins).filter(move |(index, _)| noise >> index & 1 == 1);
    noise.map(|noise| levels(noise).fold(held, |state, (_, pins)| state | pins)).collect()
}

/// The result of settling the ring of a clock.
pub(crate) struct Settling {
    /// Its final states.
    pub ends: Vec<State>,
    /// The motion of its nets on the way, in any order.
    pub moves: Vec<Motion>,
    pub explored: ReachableStates,
}

/// Settles the ring of a clock with these nets in every order of its lines.
pub(crate) fn settle(
    ring: &Ring,
    nets: &[NetId],
    visits: &mut Visits,
    start: State,
    movers: Movers,
) -> Result<Settling, ClockError> {
    settle_any(ring, nets, visits, start, movers).map_err(|disorder| disordered(ring, disorder))
}

/// Settles any ring in every order of its lines.
pub(crate) fn settle_any(
    ring: &Ring,
    nets: &[NetId],
    visits: &mut Visits,
    start: State,
    movers: Movers,
) -> Result<Settling, Disorder> {
    let mut edges = Vec::new();
    let explored = ring.explore(start, movers, visits, |before, after| edges.push((before, after)));
    let explored = explored?;
    let left: HashSet<State> = edges.iter().map(|(before, _)| *before).collect();
    let mut ends: Vec<State> =
        edges.iter().map(|(_, after)| *after).filter(|after| !left.contains(after)).collect();
    if ends.is_empty() {
        ends.push(start);
    }
    let moves = nets.iter().map(|&net| {
        let first = level(ring, net, start);
        let is_sequence = ring.netlist.panel.sequence.contains(&net);
        if is_sequence && ends.iter().any(|&end| level(ring, net, end) != level(ring, net, ends[0])) {
            return Motion::Glitches;
        }
        let away = |&(_, after): &(State, State)| level(ring, net, after) != first;
        let back = |&(before, after): &(State, State)| {
            level(ring, net, before) != first && level(ring, net, after) == first
        };
        match (edges.iter().any(away), edges.iter().any(back)) {
            (false, _) => Motion::Stable,
            (_, false) => Motion::Once,
            _ => Motion::Glitches,
        }
    });
    let moves = moves.collect();
    Ok(Settling { ends, moves, explored })
}

fn disordered(ring: &Ring, disorder: Disorder) -> ClockError {
    let chips = chip_names(ring.netlist, &ring.chips).join(" ");
    let nets = |order: Vec<usize>| names(ring.netlist, ring.nets(&order)).join(", ");
    match disorder {
        Disorder::TwoEnds { orders: [one, other], .. } => {
            ClockError::TwoEnds { chips, one: nets(one), other: nets(other) }
        }
        Disorder::Endless { order } => ClockError::Endless { chips, order: nets(order) },
        Disorder::TooLarge => ClockError::TooLarge { chips },
    }
}

/// Returns the nets that depend only on the oscillator, the reset line and each other, and their chips. The reset line
/// is one of them if one of these chips reads it.
pub(crate) fn clock_cone(netlist: &Netlist) -> (Vec<NetId>, Vec<ChipId>) {
    let panel = &netlist.panel;
    let mut chips: Vec<ChipId> = (0..netlist.chips.len()).collect();
    // Nothing happens because of a chip that nothing reads, unless it moves by itself for ever.
    let used = used(netlist);
    let runs_alone = |rom: Rom| {
        let is_alone = rom.chip.reads.iter().all(|net| rom.chip.data.contains(net));
        is_alone && !(0..rom.cells.len() as u32).any(|address| rom.rests(address))
    };
    chips.retain(|&id| Rom::of(netlist, id).is_some_and(|rom| used[id] || runs_alone(rom)));
    // Chips may depend on each other in turn, so those that depend on anything else are removed, one after the other.
    let mut before = usize::MAX;
    while std::mem::replace(&mut before, chips.len()) != chips.len() {
        let clock = chips.clone();
        let inside = |net: &NetId| match netlist.nets[*net].driver {
            Some(pin) => clock.contains(&pin.chip),
            None => *net == panel.oscillator[0] || *net == panel.reset[0],
        };
        chips.retain(|&id| netlist.chips[id].reads.iter().all(inside));
    }
    // A buffer of one line for the rest of the board is not part of the clock: its line moves as that line does.
    let clock = chips.clone();
    let feeds = |net: &NetId| clock.iter().any(|&id| netlist.chips[id].reads.contains(net));
    let drives = |net: &NetId| feeds(net) || panel.sequence.contains(net);
    let is_buffer = |id: usize| netlist.chips[id].reads.iter().all(|net| *net == netlist.chips[id].reads[0]);
    chips.retain(|&id| !is_buffer(id) || netlist.chips[id].data.iter().any(drives));
    let is_read = chips.iter().any(|&chip| netlist.chips[chip].reads.contains(&panel.reset[0]));
    let mut nets = vec![panel.oscillator[0]];
    nets.extend(is_read.then_some(panel.reset[0]));
    nets.extend(chips.iter().flat_map(|&chip| &netlist.chips[chip].data));
    (nets, chips)
}

/// The level of a net: on a pin that reads it, or else the output of its driver.
pub(crate) fn level(ring: &Ring, net: NetId, state: State) -> bool {
    match ring.pins.iter().position(|pin| pin.net == net) {
        Some(pin) => state >> pin & 1 == 1,
        None => ring.driven(net, state),
    }
}

/// Returns the phases in their order, beginning with the state 0 of the sequencer.
fn phases(
    ring: &Ring,
    nets: &[NetId],
    after: &BTreeMap<State, (State, Vec<Motion>)>,
) -> Result<Vec<Edge>, ClockError> {
    let sequence = &ring.netlist.panel.sequence;
    let begins = |state: &&State| !sequence.iter().any(|&net| level(ring, net, **state));
    let mut state = *after.keys().find(begins).ok_or(ClockError::NeverBegins)?;
    // The edges of phases 1, 2, 3 follow the state that phase 0 has come to; the edge of phase 0 closes the cycle.
    let mut edges = Vec::new();
    let begin = state;
    while edges.is_empty() || state != begin {
        let (next, moves) = after.get(&state).ok_or(ClockError::SeveralCycles)?;
        let levels = nets.iter().map(|&net| level(ring, net, state)).collect();
        edges.push(Edge { levels, moves: moves.clone() });
        if edges.len() > after.len() {
            return Err(ClockError::SeveralCycles);
        }
        state = *next;
    }
    if edges.len() != after.len() {
        return Err(ClockError::SeveralCycles);
    }
    if edges.len() != PHASES {
        return Err(ClockError::Phases(edges.len()));
    }
    edges.rotate_right(1);
    Ok(edges)
}
