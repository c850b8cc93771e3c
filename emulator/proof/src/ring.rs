//! Chips that feed each other, and every order in which they can react.
//!
//! Each address line of each chip is a *pin* with a level of its own: what the chip sees there now. A pin that is
//! driven from within the ring may take, at any time, the level that its driver's table gives at the address that
//! the driver sees now; a pin from outside may take its new level at any time. So a line may reach one chip before
//! it reaches another, and a chip may be slower than any number of others. All states that can be reached are
//! visited.

use crate::wiring::{Net, Wiring, values};
use std::collections::HashMap;

/// More states than this from one beginning are not visited.
const MOST_STATES: usize = 1 << 18;
/// More ways to be at rest than this are not counted.
const MOST_RESTS: usize = 1 << 22;

/// Chips of a board that are tables, seen together.
pub(crate) struct Ring<'a> {
    wiring: &'a Wiring,
    pub chips: Vec<usize>,
    tables: Vec<&'a [u8]>,
    offsets: Vec<u32>,
    pub pins: Vec<Pin>,
}

/// An address line of a chip of the ring.
pub(crate) struct Pin {
    /// The chip's place in the ring.
    pub chip: usize,
    pub net: Net,
    /// The chip of the ring that drives it, and its data line.
    driver: Option<(usize, u32)>,
}

/// The levels of all pins, a bit a pin.
pub(crate) type State = u64;

/// Lines of a ring that move by themselves.
#[derive(Clone, Copy, Default)]
pub(crate) struct Movers {
    /// Pins that take the other level once, at any time.
    pub once: State,
    /// Pins that change at any time, as often as they like.
    pub wild: State,
}

/// What came of exploring a ring from one state.
#[derive(Debug, Default)]
pub(crate) struct Explored {
    pub states: u64,
    /// Lines that changed, over all states: the edges of the graph.
    pub changes: u64,
    /// Whether a line was about to change and then no longer was: a pulse is possible there.
    pub withdrawn: u64,
    /// The pins that changed on some way.
    pub moved: State,
}

/// Why a ring has no single final state.
#[derive(Debug)]
pub(crate) enum Disorder {
    /// Two orders lead to two ends. The pins that changed, one after the other.
    TwoEnds { ends: [State; 2], ways: [Vec<usize>; 2] },
    /// It can go round in circles: after these pins have changed.
    Endless { way: Vec<usize> },
    /// There is too much to look at.
    TooLarge,
}

impl<'a> Ring<'a> {
    /// The ring of these chips, or nothing where they are not tables or have too many lines.
    pub fn new(wiring: &'a Wiring, chips: &[usize]) -> Option<Ring<'a>> {
        let mut ring = Ring { wiring, chips: chips.to_vec(), tables: vec![], offsets: vec![], pins: vec![] };
        for (place, &number) in chips.iter().enumerate() {
            let chip = &wiring.chips[number];
            ring.tables.push(chip.table()?);
            ring.offsets.push(ring.pins.len() as u32);
            ring.pins.extend(chip.lines.iter().map(|&net| {
                let driver = wiring.drivers[net]
                    .and_then(|(driver, bit)| Some((chips.iter().position(|&chip| chip == driver)?, bit)));
                Pin { chip: place, net, driver }
            }));
        }
        (ring.pins.len() <= State::BITS as usize).then_some(ring)
    }

    /// The address that a chip of the ring sees.
    pub fn address(&self, chip: usize, state: State) -> u32 {
        let lines = self.wiring.chips[self.chips[chip]].lines.len();
        (state >> self.offsets[chip]) as u32 & ((1 << lines) - 1)
    }

    /// What a chip of the ring would give if it had time.
    pub fn data(&self, chip: usize, state: State) -> u8 {
        self.tables[chip][self.address(chip, state) as usize]
    }

    /// The pins of nets for which this holds.
    pub fn pins_where(&self, mut holds: impl FnMut(Net) -> bool) -> State {
        let pins = self.pins.iter().enumerate();
        pins.fold(0, |mask, (pin, is)| mask | State::from(holds(is.net)) << pin)
    }

    /// What the driver of a net, if it is a chip of the ring, would give if it had time.
    pub fn driven(&self, net: Net, state: State) -> bool {
        let driver = self.wiring.drivers[net];
        driver.is_some_and(|(driver, bit)| {
            let chip = self.chips.iter().position(|&chip| chip == driver);
            chip.is_some_and(|chip| self.data(chip, state) >> bit & 1 == 1)
        })
    }

    /// The state of the sequencer.
    pub fn sequence(&self, state: State) -> u32 {
        self.wiring.sequence.iter().enumerate().fold(0, |sum, (bit, &net)| {
            let pin = self.pins.iter().position(|pin| pin.net == net);
            sum | pin.map_or(0, |pin| (state >> pin & 1) as u32) << bit
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

    /// All states in which every chip is at rest and these nets have these levels. Lines that make no difference
    /// to the ring while the levels are these are left at 0; `keep` are pins that may make one later.
    pub fn rests(&self, level: impl Fn(Net) -> Option<bool>, keep: State) -> Option<Vec<State>> {
        let mut partial: Vec<(State, State)> = vec![(0, 0)]; // the nets that are decided, and their levels
        let mut decided: State = 0;
        // A net is known by its first pin; nets that the ring drives but does not read have none.
        let place = |net: Net| self.pins.iter().position(|pin| pin.net == net);
        for (seat, &number) in self.chips.iter().enumerate() {
            let chip = &self.wiring.chips[number];
            let mut fixed = 0;
            let mut free = 0;
            for (line, &net) in chip.lines.iter().enumerate() {
                match level(net) {
                    Some(high) => fixed |= u32::from(high) << line,
                    None => free |= 1u32 << line,
                }
            }
            let kept = (keep >> self.offsets[seat]) as u32 | chip.own_lines();
            for (line, net) in chip.lines.iter().enumerate() {
                let inside = self.pins.iter().any(|pin| pin.net == *net && pin.driver.is_some());
                let table = self.tables[seat];
                let differs = |address: u32| table[address as usize] != table[(address ^ 1 << line) as usize];
                if free >> line & 1 == 1
                    && kept >> line & 1 == 0
                    && !inside
                    && !values(free).any(|value| differs(value | fixed))
                {
                    free &= !(1 << line);
                }
            }
            let mut own: HashMap<State, Vec<(State, State)>> = HashMap::new();
            let mut mine = 0;
            for value in values(free) {
                let address = value | fixed;
                let data = self.tables[seat][address as usize];
                if !chip.rests(address, data) {
                    continue;
                }
                let (mut mask, mut levels, mut one_level_each) = (0, 0, true);
                let lines = (0..).zip(&chip.lines).map(|(line, &net)| (net, address >> line & 1));
                let outputs = (0..).zip(&chip.data).map(|(bit, &net)| (net, u32::from(data >> bit & 1)));
                for (net, level) in lines.chain(outputs) {
                    if let Some(pin) = place(net) {
                        // A net on two lines of a chip has one level.
                        one_level_each &= mask >> pin & 1 == 0 || levels >> pin & 1 == State::from(level);
                        mask |= 1 << pin;
                        levels = levels & !(1 << pin) | State::from(level) << pin;
                    }
                }
                if !one_level_each {
                    continue;
                }
                mine = mask;
                own.entry(levels & decided).or_default().push((mask, levels));
            }
            let shared = decided & mine;
            let mut joined = Vec::new();
            for (mask, levels) in partial {
                // All of `mine` is the same for each row of this chip, so the key is the shared part.
                for &(other_mask, other) in own.get(&(levels & shared)).into_iter().flatten() {
                    joined.push((mask | other_mask, levels | other));
                    if joined.len() > MOST_RESTS {
                        return None;
                    }
                }
            }
            partial = joined;
            decided |= mine;
        }
        let state = |levels: State| {
            self.pins.iter().enumerate().fold(0, |state, (pin, is)| {
                state | place(is.net).map_or(0, |first| levels >> first & 1) << pin
            })
        };
        Some(partial.into_iter().map(|(_, levels)| state(levels)).collect())
    }

    /// Visits every state that can be reached from one where all is at rest; tells of each change of a pin, with the
    /// state before it. There must be one end, for each setting of the wild pins.
    pub fn explore(
        &self,
        start: State,
        movers: Movers,
        mut seen: impl FnMut(State, State),
    ) -> Result<Explored, Disorder> {
        let mut places: HashMap<State, usize> = HashMap::from([(start, 0)]);
        let mut states = vec![start];
        let mut came_from: Vec<(usize, usize)> = vec![(0, usize::MAX)];
        let mut inside: Vec<(usize, usize)> = Vec::new(); // changes of the ring itself
        let mut explored = Explored::default();
        let mut ends: HashMap<State, usize> = HashMap::new();
        let mut next = 0;
        while next < states.len() {
            let state = states[next];
            let excited = self.excited(state);
            let arriving = movers.once & !(state ^ start);
            if excited | arriving == 0
                && let Some(other) = ends.insert(state & movers.wild, next)
            {
                let two = [other, next];
                let ways = two.map(|end| way(&came_from, end));
                return Err(Disorder::TwoEnds { ends: two.map(|end| states[end]), ways });
            }
            let mut moving = excited | arriving | movers.wild;
            while moving != 0 {
                let pin = moving.trailing_zeros() as usize;
                moving &= moving - 1;
                let after = state ^ 1 << pin;
                seen(state, after);
                explored.changes += 1;
                explored.moved |= 1 << pin;
                let place = *places.entry(after).or_insert_with(|| {
                    states.push(after);
                    came_from.push((next, pin));
                    states.len() - 1
                });
                if excited >> pin & 1 == 1 {
                    inside.push((next, place));
                }
                let others = excited & !(1 << pin);
                explored.withdrawn += u64::from((others & !self.excited(after)).count_ones());
            }
            if states.len() > MOST_STATES {
                return Err(Disorder::TooLarge);
            }
            next += 1;
        }
        if let Some(place) = circle(states.len(), &inside) {
            return Err(Disorder::Endless { way: way(&came_from, place) });
        }
        explored.states = states.len() as u64;
        Ok(explored)
    }
}

/// The pins that changed on the way to a state.
fn way(came_from: &[(usize, usize)], mut state: usize) -> Vec<usize> {
    let mut pins = Vec::new();
    while state != 0 {
        let (before, pin) = came_from[state];
        pins.push(pin);
        state = before;
    }
    pins.reverse();
    pins
}

/// A node on a circle of a graph, if there is one: what is left when nodes without a way on are taken off.
fn circle(nodes: usize, edges: &[(usize, usize)]) -> Option<usize> {
    let mut onward = vec![0u32; nodes];
    let mut into: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    for &(from, to) in edges {
        onward[from] += 1;
        into[to].push(from);
    }
    let mut ends: Vec<usize> = (0..nodes).filter(|&node| onward[node] == 0).collect();
    let mut left = nodes;
    while let Some(node) = ends.pop() {
        left -= 1;
        for &before in &into[node] {
            onward[before] -= 1;
            if onward[before] == 0 {
                ends.push(before);
            }
        }
    }
    (left > 0).then(|| (0..nodes).find(|&node| onward[node] > 0)).flatten()
}
