//! The clock: the chips that depend on nothing but the oscillator and themselves.
//!
//! Nothing else of the board can reach them, so they can be explored alone, whatever the rest does: from every
//! state in which they can wake up, over each edge of the oscillator, in every order of their lines. What comes out
//! is the cycle of phases: the levels of the clock's nets when each phase begins, and how each net moves in it.

use crate::ring::{Disorder, Movers, Ring, State};
use crate::wiring::{Net, Wiring};
use std::collections::{HashMap, HashSet};

/// Phases of a machine cycle.
pub(crate) const PHASES: usize = 4;
/// The clock may wake up in so many states, as a power of two.
const MOST_PINS: u32 = 20;

/// The cycle of the clock.
pub(crate) struct Clock {
    /// All its nets, the oscillator among them.
    pub nets: Vec<Net>,
    pub chips: Vec<usize>,
    pub phases: Vec<Edge>,
    /// States that it can wake up in, states visited, changes of a line.
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

/// Why there is no clock.
pub(crate) enum NoClock {
    Disorder { chips: Vec<usize>, disorder: Disorder, pins: Vec<Net> },
    Other(String),
}

impl Clock {
    /// Finds the clock of a board and its phases, of which there must be four.
    pub fn find(wiring: &Wiring) -> Result<Clock, NoClock> {
        let (nets, chips) = cone(wiring);
        let Some(ring) = Ring::new(wiring, &chips) else {
            return Err(NoClock::Other("the chips of the clock are not tables".into()));
        };
        if chips.is_empty() {
            return Err(NoClock::Other(
                "no chip depends on the oscillator and itself alone: there is no clock".into(),
            ));
        }
        if ring.pins.len() as u32 > MOST_PINS {
            return Err(NoClock::Other(format!(
                "the clock has {} address lines, too many to try",
                ring.pins.len()
            )));
        }
        if !wiring.sequence.iter().all(|net| nets.contains(net)) {
            return Err(NoClock::Other(
                "the sequencer depends on more than the oscillator and itself".into(),
            ));
        }
        let mut clock = Clock { nets, chips, phases: vec![], starts: 0, states: 0, changes: 0 };
        let oscillator = ring.pins_where(|net| net == wiring.oscillator);
        let mut after: HashMap<State, (State, Vec<ClockMove>)> = HashMap::new();
        let mut cycles = HashSet::new();
        // Power-up: any level on each net; the pins of one net agree.
        let own: Vec<Net> =
            clock.nets.iter().copied().filter(|net| ring.pins.iter().any(|pin| pin.net == *net)).collect();
        for noise in 0..1u64 << own.len() {
            let level =
                |net| own.iter().position(|own| *own == net).is_some_and(|place| noise >> place & 1 == 1);
            clock.starts += 1;
            let mut state = clock.settle(&ring, ring.pins_where(level), 0)?.0;
            let mut way = vec![];
            while !way.contains(&state) {
                way.push(state);
                let next = match after.get(&state) {
                    Some((next, _)) => *next,
                    None => {
                        let (next, moves) = clock.settle(&ring, state, oscillator)?;
                        after.insert(state, (next, moves));
                        next
                    }
                };
                state = next;
            }
            let mut cycle: Vec<State> = way.into_iter().skip_while(|&other| other != state).collect();
            cycle.sort_unstable();
            cycles.insert(cycle);
        }
        clock.phases = phases(&ring, &clock.nets, &after, cycles)?;
        Ok(clock)
    }

    /// Lets the ring come to rest in every order of its lines.
    fn settle(&mut self, ring: &Ring, start: State, once: State) -> Result<(State, Vec<ClockMove>), NoClock> {
        let mut end = start;
        let mut edges = Vec::new();
        let explored =
            ring.explore(start, Movers { once, wild: 0 }, |before, after| edges.push((before, after)));
        let explored = explored.map_err(|disorder| NoClock::Disorder {
            chips: ring.chips.clone(),
            disorder,
            pins: ring.pins.iter().map(|pin| pin.net).collect(),
        })?;
        self.states += explored.states;
        self.changes += explored.changes;
        let leaves: HashSet<State> = edges.iter().map(|(before, _)| *before).collect();
        if let Some((_, last)) = edges.iter().find(|(_, after)| !leaves.contains(after)) {
            end = *last;
        }
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

/// The nets that depend on the oscillator and on each other alone, and their chips.
fn cone(wiring: &Wiring) -> (Vec<Net>, Vec<usize>) {
    let mut nets = vec![wiring.oscillator];
    let mut chips = Vec::new();
    while let Some(more) = (0..wiring.chips.len()).find(|number| {
        let chip = &wiring.chips[*number];
        chip.table().is_some()
            && !chips.contains(number)
            && chip.lines.iter().all(|net| nets.contains(net) || chip.data.contains(net))
    }) {
        chips.push(more);
        nets.extend(&wiring.chips[more].data);
    }
    (nets, chips)
}

/// The level of a net: on a pin that sees it, or what its driver gives.
fn level(ring: &Ring, net: Net, state: State) -> bool {
    if let Some(pin) = ring.pins.iter().position(|pin| pin.net == net) {
        return state >> pin & 1 == 1;
    }
    ring.driven(net, state)
}

/// The phases in their order, from the state of the sequencer that is all 0.
fn phases(
    ring: &Ring,
    nets: &[Net],
    after: &HashMap<State, (State, Vec<ClockMove>)>,
    cycles: HashSet<Vec<State>>,
) -> Result<Vec<Edge>, NoClock> {
    let mut cycles = cycles.into_iter();
    let (Some(cycle), None) = (cycles.next(), cycles.next()) else {
        return Err(NoClock::Other(
            "the clock has more than one cycle: which it takes depends on power-up".into(),
        ));
    };
    if cycle.len() != PHASES {
        return Err(NoClock::Other(format!("the clock has {} phases, it must have {PHASES}", cycle.len())));
    }
    let begins = |state: &&State| ring.sequence(**state) == 0;
    let Some(&last) = cycle.iter().find(begins) else {
        return Err(NoClock::Other("the sequencer never comes to the state in which a cycle begins".into()));
    };
    // The edges of phases 1, 2, 3 follow the state that phase 0 has come to; the edge of phase 0 closes the cycle.
    let mut state = last;
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
