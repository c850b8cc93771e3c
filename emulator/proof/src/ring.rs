//! Chips that feed each other, and every order in which they can react.
//!
//! Each address line of each chip is a *pin* with its own level: the one that the chip sees there now. A pin that is
//! driven from within the ring may take, at any time, the level in its driver's table at the address that the driver
//! sees now; a pin from outside may take its new level at any time. So a line may reach one chip before it reaches
//! another, and a chip may be slower than any number of others. All states that can be reached are visited.

use crate::limits::Visits;
use crate::rom::{Rom, driver};
use gray1_machine::logic::values;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use serde::Serialize;
use std::collections::HashMap;

/// A group of chips that are tables.
pub(crate) struct Ring<'a> {
    pub netlist: &'a Netlist,
    pub chips: Vec<ChipId>,
    pub roms: Vec<Rom<'a>>,
    /// The first pin of each chip.
    offsets: Vec<usize>,
    pub pins: Vec<Pin>,
}

/// An address line of a chip of the ring.
pub(crate) struct Pin {
    /// The chip's index in the ring.
    pub chip: usize,
    /// The index of the line among those that the chip reads.
    pub line: usize,
    pub net: NetId,
    /// The chip of the ring that drives it, by index, and its data line.
    driver: Option<(usize, usize)>,
}

/// The levels of all pins, one bit for each.
pub(crate) type State = u64;

/// Lines of a ring that move by themselves.
#[derive(Clone, Copy, Default)]
pub(crate) struct Movers {
    /// Pins that take the other level once, at any time.
    pub once: State,
    /// Pins that may take the other level once.
    pub perhaps: State,
    /// Pins that change at any time, any number of times.
    pub glitching: State,
    /// Pins that may change at any time, but end at the level of their drivers: pulses may still arrive there.
    pub late: State,
    /// Pins for which either final level is allowed.
    pub either: State,
}

impl Movers {
    /// Whether nothing moves.
    pub fn are_still(&self) -> bool {
        self.once | self.perhaps | self.glitching == 0
    }
}

/// The size of an exploration.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counted {
    pub states: u64,
    /// Lines that changed, over all states: the edges of the graph.
    pub changes: u64,
    /// The number of times that a change of a line was due and then no longer: a pulse is possible there.
    pub withdrawn: u64,
}

/// The result of exploring a ring from one state.
#[derive(Debug, Default)]
pub(crate) struct ReachableStates {
    pub counted: Counted,
    /// The pins of lines on which a pulse is possible.
    pub pulses: State,
    /// Every state visited. Changes of the ring by itself lead from a state to a later one.
    pub visited: Vec<State>,
}

/// Everything that can happen in a ring from one state, for an independent checker.
#[derive(Debug, Serialize)]
pub(crate) struct Exploration {
    pub start: State,
    /// Pins that take the other level once.
    pub once: State,
    /// Pins on which pulses may still arrive.
    pub late: State,
    /// The states. Changes of the ring by itself lead from a state to a later one.
    pub states: Vec<State>,
}

/// A state of some of the chips: the nets that it decides, each identified by its first pin, and their levels.
#[derive(Clone, Copy, Default)]
struct Partial {
    decided: State,
    levels: State,
}

/// The reason why a ring has no single final state.
#[derive(Debug)]
pub(crate) enum Disorder {
    /// Two orders lead to two final states: these, and the pins that changed, in their order.
    TwoEnds { ends: [State; 2], orders: [Vec<usize>; 2] },
    /// It can move forever, after these pins have changed.
    Endless { order: Vec<usize> },
    /// There are too many states.
    TooLarge,
}

impl<'a> Ring<'a> {
    /// Creates the ring of these chips; `None` if they are not tables or have too many lines.
    pub fn new(netlist: &'a Netlist, chips: &[ChipId]) -> Option<Ring<'a>> {
        let mut ring = Ring { netlist, chips: chips.to_vec(), roms: vec![], offsets: vec![], pins: vec![] };
        for (index, &id) in chips.iter().enumerate() {
            let rom = Rom::of(netlist, id)?;
            ring.offsets.push(ring.pins.len());
            ring.pins.extend(rom.chip.reads.iter().enumerate().map(|(line, &net)| {
                let driver = netlist.nets[net].driver;
                let driver =
                    driver.and_then(|pin| Some((chips.iter().position(|&chip| chip == pin.chip)?, pin.line)));
                Pin { chip: index, line, net, driver }
            }));
            ring.roms.push(rom);
        }
        (ring.pins.len() <= State::BITS as usize).then_some(ring)
    }

    /// Whether a chip of the ring drives a net.
    pub fn drives(&self, net: NetId) -> bool {
        driver(self.netlist, net).is_some_and(|chip| self.chips.contains(&chip))
    }

    /// Returns the output of a chip of the ring after its delay.
    fn data(&self, chip: usize, state: State) -> u8 {
        self.roms[chip].cell(self.address(chip, state))
    }

    /// Returns the address that a chip of the ring sees.
    pub fn address(&self, chip: usize, state: State) -> u32 {
        (state >> self.offsets[chip]) as u32 & (self.roms[chip].cells.len() - 1) as u32
    }

    /// Returns the pins of nets for which this holds.
    pub fn pins_where(&self, mut holds: impl FnMut(NetId) -> bool) -> State {
        let pins = self.pins.iter().enumerate();
        pins.fold(0, |mask, (pin, is)| mask | State::from(holds(is.net)) << pin)
    }

    /// The level of a net after the delay of its driver, if that is a chip of the ring.
    pub fn driven(&self, net: NetId, state: State) -> bool {
        self.netlist.nets[net].driver.is_some_and(|pin| {
            let chip = self.chips.iter().position(|&chip| chip == pin.chip);
            chip.is_some_and(|chip| self.data(chip, state) >> pin.line & 1 == 1)
        })
    }

    /// Pins that are about to change.
    fn excited(&self, state: State) -> State {
        let mut data = [0; State::BITS as usize];
        for (chip, data) in data.iter_mut().enumerate().take(self.chips.len()) {
            *data = self.data(chip, state);
        }
        self.pins.iter().enumerate().fold(0, |mask, (pin, is)| match is.driver {
            Some((chip, bit)) => mask | (State::from(data[chip] >> bit & 1) ^ state >> pin & 1) << pin,
            None => mask,
        })
    }

    /// Returns all states in which every chip is at rest and these nets have these levels. Lines that make no
    /// difference to the ring at these levels are left at 0, except for the pins of `keep`, which may make a difference
    /// later. `None` if there are more than `most`.
    pub fn rests(
        &self,
        level: impl Fn(NetId) -> Option<bool>,
        keep: State,
        most: usize,
    ) -> Option<Vec<State>> {
        let mut partial: Vec<Partial> = vec![Partial::default()];
        let mut decided: State = 0;
        for index in 0..self.roms.len() {
            let own = self.rests_of(index, &level, keep);
            let mine = own.first().map_or(0, |rest| rest.decided);
            let shared = decided & mine;
            let mut by_shared: HashMap<State, Vec<Partial>> = HashMap::new();
            for rest in own {
                by_shared.entry(rest.levels & shared).or_default().push(rest);
            }
            let mut joined = Vec::new();
            for one in partial {
                for other in by_shared.get(&(one.levels & shared)).into_iter().flatten() {
                    joined.push(Partial {
                        decided: one.decided | other.decided,
                        levels: one.levels | other.levels,
                    });
                    if joined.len() > most {
                        return None;
                    }
                }
            }
            partial = joined;
            decided |= mine;
        }
        let state = |levels: State| {
            self.pins.iter().enumerate().fold(0, |state, (pin, is)| {
                state | self.first_pin(is.net).map_or(0, |first| levels >> first & 1) << pin
            })
        };
        Some(partial.into_iter().map(|partial| state(partial.levels)).collect())
    }

    /// Returns the states of one chip at rest, as levels of nets. All of them decide the same nets.
    fn rests_of(&self, index: usize, level: impl Fn(NetId) -> Option<bool>, keep: State) -> Vec<Partial> {
        let (rom, offset) = (self.roms[index], self.offsets[index]);
        let (mut free, fixed) = rom.free(level);
        let kept = (keep >> offset) as u32 | rom.chip.own_lines();
        let mut ignored = 0; // another chip may depend on the net
        for (line, net) in rom.chip.reads.iter().enumerate() {
            let may_go = free >> line & 1 == 1 && kept >> line & 1 == 0 && !self.drives(*net);
            if may_go && !rom.cares(line, (free, fixed)) {
                free &= !(1 << line);
                ignored |= 1 << line;
            }
        }
        let at_rest = values(free).map(|value| value | fixed).filter(|&address| rom.rests(address));
        let partial = |address: u32| {
            let (mut decided, mut levels) = (0, 0);
            let data = u32::from(rom.cell(address));
            let lines = (0..).zip(&rom.chip.reads).filter(|(line, _)| ignored >> line & 1 == 0);
            let lines = lines.map(|(line, &net)| (net, address >> line & 1));
            let outputs = (0..).zip(&rom.chip.data).map(|(bit, &net)| (net, data >> bit & 1));
            for (net, level) in lines.chain(outputs) {
                let Some(pin) = self.first_pin(net) else { continue };
                let level = State::from(level);
                // A net on two lines of a chip has one level.
                if decided >> pin & 1 == 1 && levels >> pin & 1 != level {
                    return None;
                }
                decided |= 1 << pin;
                levels |= level << pin;
            }
            Some(Partial { decided, levels })
        };
        at_rest.filter_map(partial).collect()
    }

    /// Returns the pin that stands for a net; nets that the ring drives but does not read have none.
    fn first_pin(&self, net: NetId) -> Option<usize> {
        self.pins.iter().position(|pin| pin.net == net)
    }

    /// Visits every state that can be reached from a state of rest, within the limit; reports each change of a pin, with
    /// the state before it. There must be one final state for each combination of final levels of the lines from
    /// outside; all pins of such a line then agree.
    pub fn explore(
        &self,
        start: State,
        movers: Movers,
        visits: &mut Visits,
        mut seen: impl FnMut(State, State),
    ) -> Result<ReachableStates, Disorder> {
        let mut search = Search::from(start, self.excited(start));
        let mut explored = ReachableStates::default();
        let mut ends: HashMap<State, usize> = HashMap::new();
        let unsure = movers.glitching | movers.perhaps;
        let mut lines: Vec<State> =
            self.pins.iter().map(|pin| self.pins_where(|net| net == pin.net) & unsure).collect();
        lines.dedup();
        let agree = |state: State| lines.iter().all(|&line| state & line == 0 || state & line == line);
        let most = visits.most();
        let mut next = 0;
        while next < search.states.len() {
            let (state, excited) = (search.states[next], search.excited[next]);
            let arriving = movers.once & !(state ^ start);
            if excited | arriving == 0
                && agree(state)
                && let Some(other) = ends.insert(state & (unsure | movers.either), next)
            {
                return Err(search.two_ends([other, next]));
            }
            let perhaps = movers.perhaps & !(state ^ start);
            let mut moving = excited | arriving | perhaps | movers.glitching | movers.late;
            while moving != 0 {
                let pin = moving.trailing_zeros() as usize;
                moving &= moving - 1;
                let after = state ^ 1 << pin;
                seen(state, after);
                explored.counted.changes += 1;
                let index = search.visit(after, (next, pin), |state| self.excited(state));
                if excited >> pin & 1 == 1 {
                    search.inside.push((next, index));
                }
                let withdrawn = excited & !(1 << pin) & !search.excited[index];
                explored.counted.withdrawn += u64::from(withdrawn.count_ones());
                explored.pulses |= withdrawn;
            }
            if search.states.len() > most {
                return Err(Disorder::TooLarge);
            }
            next += 1;
        }
        let states = search.states.len();
        visits.take(states);
        let in_order = in_order(states, &search.inside)
            .map_err(|index| Disorder::Endless { order: search.order(index) })?;
        explored.counted.states = states as u64;
        explored.visited = in_order.into_iter().map(|index| search.states[index]).collect();
        Ok(explored)
    }

    /// Returns the nets of these pins.
    pub fn nets(&self, pins: &[usize]) -> Vec<NetId> {
        pins.iter().map(|&pin| self.pins[pin].net).collect()
    }
}

/// The states found by an exploration.
struct Search {
    states: Vec<State>,
    indices: HashMap<State, usize>,
    /// For each state, the pins that are about to change. A state is reached by many changes; this is looked up once.
    excited: Vec<State>,
    /// For each state, the index of the state before it, and the pin that changed.
    came_from: Vec<(usize, usize)>,
    /// Changes of the ring by itself, from state to state.
    inside: Vec<(usize, usize)>,
}

impl Search {
    fn from(start: State, excited: State) -> Search {
        Search {
            states: vec![start],
            indices: HashMap::from([(start, 0)]),
            excited: vec![excited],
            came_from: vec![(0, usize::MAX)],
            inside: vec![],
        }
    }

    /// Returns the index of a state, which is new or known.
    fn visit(
        &mut self,
        state: State,
        came_from: (usize, usize),
        excited: impl FnOnce(State) -> State,
    ) -> usize {
        *self.indices.entry(state).or_insert_with(|| {
            self.states.push(state);
            self.excited.push(excited(state));
            self.came_from.push(came_from);
            self.states.len() - 1
        })
    }

    fn two_ends(&self, ends: [usize; 2]) -> Disorder {
        Disorder::TwoEnds { ends: ends.map(|end| self.states[end]), orders: ends.map(|end| self.order(end)) }
    }

    /// Returns the pins that changed on the way to a state.
    fn order(&self, mut state: usize) -> Vec<usize> {
        let mut pins = Vec::new();
        while state != 0 {
            let (before, pin) = self.came_from[state];
            pins.push(pin);
            state = before;
        }
        pins.reverse();
        pins
    }
}

/// Returns the nodes of a graph, each before those that its edges lead to; or a node on a cycle.
fn in_order(nodes: usize, edges: &[(usize, usize)]) -> Result<Vec<usize>, usize> {
    let mut onward = vec![0u32; nodes];
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &(from, to) in edges {
        onward[from] += 1;
        into[to].push(from);
    }
    // The last are those without outgoing edges; then those whose edges lead only to these, and so on.
    let mut backwards: Vec<usize> = (0..nodes).filter(|&node| onward[node] == 0).collect();
    let mut next = 0;
    while let Some(&node) = backwards.get(next) {
        next += 1;
        for &before in &into[node] {
            onward[before] -= 1;
            if onward[before] == 0 {
                backwards.push(before);
            }
        }
    }
    match (0..nodes).find(|&node| onward[node] > 0) {
        Some(node) => Err(node),
        None => Ok(backwards.into_iter().rev().collect()),
    }
}
