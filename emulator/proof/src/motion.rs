//! Which nets can move in which phase.
//!
//! At the beginning of a phase the board is at rest. Then the oscillator moves, and with it the clock, as
//! [`crate::clock`] has found out. Everything else follows from the tables: a net is *quiet* in a phase as long as
//! its chip gives the same at every address that can be made of the lines that move, and moves otherwise. This is
//! repeated until no more nets are found to move. What is quiet then stays quiet in every order of events and with
//! any delays: the first quiet line to move would need a moving line before it, and all these have been tried.

use crate::clock::{Clock, ClockMove};
use crate::scenario::Scenario;
use crate::wiring::{Chip, Holds, Wiring};
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// How a net moves in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Motion {
    /// Not at all, whatever moves around its chip.
    Quiet,
    /// From one level to the other at most once.
    Once,
    /// In any way.
    Wild,
}

/// A phase of the clock, and how each net moves in it.
pub(crate) struct Phase {
    pub name: String,
    /// Levels that are certain when it begins, and when it is over.
    pub start: Vec<Option<bool>>,
    pub end: Vec<Option<bool>>,
    pub motion: Vec<Motion>,
    /// The order in which nets were found to move: what moves a net was found before it.
    pub found: Vec<u32>,
}

/// What a table makes of the lines that move.
#[derive(Clone, Copy, Default)]
pub(crate) struct Effect {
    /// Data lines that can move.
    pub moves: u8,
    /// Of these, such as move more than once.
    pub wild: u8,
    /// Address lines that, moving, can move a data line.
    pub cares: u32,
}

/// The name of the phase that follows a reset.
pub(crate) const RESET_ENDS: &str = "reset ends";

/// The motions of all phases.
pub(crate) struct Motions {
    pub phases: Vec<Phase>,
}

impl Motions {
    /// Finds out how each net moves in each phase: the four of a cycle, and the end of a reset.
    pub fn find(wiring: &Wiring, clock: &Clock) -> Motions {
        let tables = Tables::default();
        let levels = |edge: usize, reset: bool| {
            let edge = &clock.phases[edge % clock.phases.len()];
            let mut known = vec![None; wiring.nets.len()];
            for (&net, &level) in clock.nets.iter().zip(&edge.levels) {
                known[net] = Some(level);
            }
            known[wiring.reset] = Some(reset);
            follow(wiring, known)
        };
        let mut phases: Vec<Phase> = clock
            .phases
            .iter()
            .enumerate()
            .map(|(number, edge)| {
                let mut phase = Phase::still(
                    wiring,
                    &format!("{number}"),
                    levels(number, false),
                    levels(number + 1, false),
                );
                for (&net, moves) in clock.nets.iter().zip(&edge.moves) {
                    phase.motion[net] = match moves {
                        ClockMove::Stays => Motion::Quiet,
                        ClockMove::Once => Motion::Once,
                        ClockMove::Pulses => Motion::Wild,
                    };
                }
                if number == 0 {
                    for &net in &wiring.fingers {
                        phase.motion[net] = Motion::Wild;
                    }
                }
                phase
            })
            .collect();
        // The reset line falls while the clock stands at the end of phase 0.
        let mut release = Phase::still(wiring, RESET_ENDS, levels(1, true), levels(1, false));
        release.motion[wiring.reset] = Motion::Once;
        phases.push(release);
        for phase in &mut phases {
            phase.spread(wiring, &clock.chips, &tables);
        }
        Motions { phases }
    }
}

impl Phase {
    fn still(wiring: &Wiring, name: &str, start: Vec<Option<bool>>, end: Vec<Option<bool>>) -> Phase {
        let nets = wiring.nets.len();
        Phase { name: name.to_owned(), start, end, motion: vec![Motion::Quiet; nets], found: vec![0; nets] }
    }

    /// Follows motion through the tables until nothing more is found to move.
    fn spread(&mut self, wiring: &Wiring, clock: &[usize], tables: &Tables) {
        let mut found = 0;
        loop {
            let mut more = false;
            for (number, chip) in wiring.chips.iter().enumerate() {
                if clock.contains(&number) {
                    continue;
                }
                let effect = self.effect(chip, tables);
                for (bit, &net) in chip.data.iter().enumerate() {
                    let motion = match (effect.moves >> bit & 1, effect.wild >> bit & 1) {
                        (0, _) => Motion::Quiet,
                        (_, 0) => Motion::Once,
                        _ => Motion::Wild,
                    };
                    if motion > self.motion[net] {
                        if self.motion[net] == Motion::Quiet {
                            found += 1;
                            self.found[net] = found;
                        }
                        self.motion[net] = motion;
                        more = true;
                    }
                }
            }
            if !more {
                return;
            }
        }
    }

    /// What the lines that move can do to what a chip gives.
    pub fn effect(&self, chip: &Chip, tables: &Tables) -> Effect {
        let all = ((1u32 << chip.data.len()) - 1) as u8;
        let moving = self.moving(chip);
        match &chip.holds {
            Holds::Table(cells) if moving != 0 => {
                let scenarios = self.scenarios(chip);
                tables.effect(chip, cells, scenarios)
            }
            Holds::Program if moving != 0 => Effect { moves: all, wild: all, cares: moving },
            Holds::Ram { address } => {
                let write = chip.lines.len() as u32 - 1;
                let cares = match self.written(chip) {
                    false => moving & ((1 << address) - 1),
                    true => moving,
                };
                let falls = moving == 1 << write
                    && self.motion[chip.lines[write as usize]] == Motion::Once
                    && self.end[chip.lines[write as usize]] == Some(false);
                // What a RAM gives while it is written is what it then holds.
                if cares == 0 || falls {
                    Effect { cares, ..Effect::default() }
                } else {
                    Effect { moves: all, wild: all, cares }
                }
            }
            _ => Effect::default(),
        }
    }

    /// Whether a RAM may be written in this phase.
    pub fn written(&self, ram: &Chip) -> bool {
        let write = ram.lines[ram.lines.len() - 1];
        self.motion[write] != Motion::Quiet || self.start[write] != Some(false)
    }

    /// The address lines of a chip that move.
    pub fn moving(&self, chip: &Chip) -> u32 {
        (0..)
            .zip(&chip.lines)
            .fold(0, |mask, (line, &net)| mask | u32::from(self.motion[net] != Motion::Quiet) << line)
    }
}

/// Follows known levels through the tables: what a chip gives at all addresses that are left and hold themselves.
fn follow(wiring: &Wiring, mut known: Vec<Option<bool>>) -> Vec<Option<bool>> {
    loop {
        let mut more = false;
        for chip in &wiring.chips {
            let Some(cells) = chip.table() else { continue };
            let mut scenario = Scenario::default();
            for (line, &net) in chip.lines.iter().enumerate() {
                if let Some(level) = known[net] {
                    scenario.fix(1 << line, level);
                }
            }
            let resting = scenario
                .addresses(chip.lines.len())
                .map(|address| (address, cells[address as usize]))
                .filter(|&(address, data)| chip.rests(address, data));
            let (ones, any, some) = resting
                .fold((u8::MAX, 0, false), |(ones, any, _), (_, data)| (ones & data, any | data, true));
            for (bit, &net) in chip.data.iter().enumerate() {
                if some && known[net].is_none() && (ones | !any) >> bit & 1 == 1 {
                    known[net] = Some(ones >> bit & 1 == 1);
                    more = true;
                }
            }
        }
        if !more {
            return known;
        }
    }
}

/// What tables make of moving lines, remembered: many chips hold the same.
#[derive(Default)]
pub(crate) struct Tables(RefCell<HashMap<Key, Effect>>);

/// A table, its own lines, and how the others move.
type Key = (usize, Vec<(u32, u32)>, Vec<(u32, u32, u32, u32, u32)>);

impl Tables {
    fn effect(&self, chip: &Chip, cells: &Rc<[u8]>, scenarios: Vec<Scenario>) -> Effect {
        let ways = scenarios.iter().map(|s| (s.fixed, s.levels, s.once, s.from, s.wild)).collect();
        let key = (cells.as_ptr() as usize, chip.own.clone(), ways);
        if let Some(effect) = self.0.borrow().get(&key) {
            return *effect;
        }
        let mut sum = Effect::default();
        for scenario in scenarios {
            let effect = effect(chip, cells, scenario);
            sum.moves |= effect.moves;
            sum.wild |= effect.wild;
            sum.cares |= effect.cares;
        }
        self.0.borrow_mut().insert(key, sum);
        sum
    }
}

fn effect(chip: &Chip, cells: &[u8], scenario: Scenario) -> Effect {
    let lines = chip.lines.len();
    let moving = scenario.moving();
    if moving == 0 {
        return Effect::default();
    }
    // A group is the addresses that differ in moving lines only; it counts if the board can be at rest in it.
    let mut groups = vec![false; cells.len()];
    for address in scenario.addresses(lines) {
        if scenario.begins(address) && chip.rests(address, cells[address as usize]) {
            groups[(address & !moving) as usize] = true;
        }
    }
    let mut cares = vec![0u8; lines]; // for each line, the outputs that care
    for address in scenario.addresses(lines).filter(|address| groups[(address & !moving) as usize]) {
        for (line, cares) in (0..).zip(&mut cares) {
            if moving >> line & 1 == 1 {
                *cares |= cells[address as usize] ^ cells[(address ^ 1 << line) as usize];
            }
        }
    }
    let mut effect = Effect::default();
    for (line, &cares) in (0..).zip(&cares) {
        effect.moves |= cares;
        effect.cares |= u32::from(cares != 0) << line;
    }
    for bit in 0..chip.data.len() as u32 {
        let causes = (0..).zip(&cares).filter(|(_, cares)| **cares >> bit & 1 == 1);
        let causes = causes.fold(0u32, |mask, (line, _)| mask | 1 << line) & !own_line(chip, bit);
        if causes == 0 {
            effect.moves &= !(1 << bit); // it depends on itself alone, and so it rests
        } else if !once(chip, cells, scenario, &groups, causes, bit) {
            effect.wild |= 1 << bit;
        }
    }
    effect
}

/// The address line on which a chip reads a data line of its own.
fn own_line(chip: &Chip, bit: u32) -> u32 {
    chip.own.iter().filter(|(_, data)| *data == bit).fold(0, |mask, (line, _)| mask | 1 << line)
}

/// Whether a data line moves at most once: it cares for one line that itself moves once, and then stays where that
/// has led it.
fn once(chip: &Chip, cells: &[u8], scenario: Scenario, groups: &[bool], cause: u32, bit: u32) -> bool {
    let own = own_line(chip, bit);
    if cause.count_ones() != 1 || cause & scenario.once == 0 {
        return false;
    }
    let level = |address: u32| cells[address as usize] >> bit & 1;
    scenario
        .addresses(chip.lines.len())
        .filter(|&address| {
            scenario.begins(address)
                && groups[(address & !scenario.moving()) as usize]
                && chip.rests(address, cells[address as usize])
        })
        .all(|address| level(address ^ cause) == level(address ^ cause ^ own))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_machine::board::Board;

    #[test]
    fn what_moves_is_found_in_the_tables() {
        let wiring = Wiring::of(&Board::gray1());
        let clock = Clock::find(&wiring).ok().unwrap();
        let motions = Motions::find(&wiring, &clock);
        let motion = |phase: usize, name: &str| {
            motions.phases[phase].motion[wiring.nets.iter().position(|net| net == name).unwrap()]
        };
        use Motion::{Once, Quiet, Wild};
        // In phases 0, 1, 2, 3 and at the end of a reset.
        for (net, expected) in [
            ("PH1", [Quiet, Once, Once, Quiet, Quiet]),
            ("PH2", [Once, Quiet, Quiet, Once, Quiet]),
            ("PC0", [Wild, Quiet, Quiet, Wild, Quiet]),
            ("W15", [Wild, Quiet, Quiet, Wild, Quiet]),
            ("WE", [Quiet, Once, Once, Quiet, Quiet]),
            ("M0", [Wild, Wild, Quiet, Wild, Quiet]),
            ("R7", [Wild, Wild, Quiet, Wild, Wild]),
            ("T3", [Quiet, Wild, Quiet, Quiet, Quiet]),
            ("A3", [Quiet, Quiet, Quiet, Once, Quiet]),
            ("TG5", [Quiet, Once, Quiet, Quiet, Quiet]),
            ("TICK", [Quiet, Quiet, Quiet, Once, Quiet]),
            ("LOAD", [Once, Quiet, Quiet, Once, Quiet]),
            ("GREEN3_3", [Quiet, Once, Quiet, Quiet, Quiet]),
        ] {
            assert_eq!([0, 1, 2, 3, 4].map(|phase| motion(phase, net)), expected, "{net}");
        }
    }
}
