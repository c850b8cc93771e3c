//! The motion of each net in each phase.
//!
//! At the beginning of a phase the board is at rest. Then the oscillator moves, and with it the clock, in the way that
//! [`crate::clock`] has found. Everything else follows from the tables: a net is *stable* in a phase if the output of
//! its chip is the same at every address that the moving lines can form, and moves otherwise. This is repeated until no
//! more nets are found to move. What is stable then stays stable in every order of events and with any delays: the
//! first stable line to move would have to be moved by a line that moves, and all those have been examined. Each data
//! line is examined on its own, so two data lines of a chip may also see different addresses.

use crate::clock::{Clock, Motion, Turn};
use crate::limits::Limits;

use crate::phase::{Phase, write_line};
use crate::rom::{Rom, level_names, pads_and_keys};
use crate::scenario::Scenario;
use gray1_machine::logic::values;
use gray1_machine::netlist::{Chip, ChipId, Holds, NetId, Netlist};
use gray1_machine::tables::{Known, Tables};
use std::cell::RefCell;
use std::collections::HashMap;

/// The effect of moving lines on the data of a chip.
#[derive(Clone, Copy, Default)]
pub(crate) struct Effect {
    /// Data lines that can move.
    pub moves: u8,
    /// The data lines that can move more than once.
    pub glitches: u8,
    /// Lines that the chip reads whose movement can move a data line.
    pub cares: u32,
}

impl Effect {
    /// Returns the motion of a data line.
    pub fn motion(&self, bit: usize) -> Motion {
        match (self.moves >> bit & 1, self.glitches >> bit & 1) {
            (0, _) => Motion::Stable,
            (_, 0) => Motion::Once,
            _ => Motion::Glitches,
        }
    }
}

/// Returns the phases of a board while RST is 0. The reset line moves at any time if anything but the clock reads it.
pub(crate) fn phases(netlist: &Netlist, clock: &Clock, limits: &Limits) -> Vec<Phase> {
    let reset = netlist.panel.reset[0];
    match clock.readers_outside(netlist, reset).next() {
        Some(_) => moved_phases(netlist, clock, limits, false, &[reset]),
        None => steady_phases(netlist, clock, limits),
    }
}

/// Returns the phases of a board while the reset line is 0: the four of a cycle and, if it is connected directly to the
/// chips, a fifth, in which it falls while the clock is at the end of phase 0.
pub(crate) fn steady_phases(netlist: &Netlist, clock: &Clock, limits: &Limits) -> Vec<Phase> {
    let mut levels = Levels::new(netlist, clock, &[]);
    let mut phases = levels.cycle(false, limits);
    let reset = netlist.panel.reset[0];
    if !clock.nets.contains(&reset) {
        let mut release = Phase::still("reset ends", levels.at(1, true), levels.at(1, false), limits);
        release.motion[reset] = Motion::Once;
        phases.push(release);
    }
    spread_all(phases, netlist, &clock.chips)
}

/// Returns the four phases of a cycle while these inputs move at any time in all of them, and RST is 0, or 1.
pub(crate) fn moved_phases(
    netlist: &Netlist,
    clock: &Clock,
    limits: &Limits,
    held: bool,
    inputs: &[NetId],
) -> Vec<Phase> {
    let mut phases = Levels::new(netlist, clock, inputs).cycle(held, limits);
    for phase in &mut phases {
        inputs.iter().for_each(|&net| phase.motion[net] = Motion::Glitches);
    }
    spread_all(phases, netlist, &clock.chips)
}

/// Returns the phases while the reset line is held, then those in which a reset can end.
pub(crate) fn reset_phases(netlist: &Netlist, clock: &Clock, limits: &Limits) -> Vec<Phase> {
    let mut phases = moved_phases(netlist, clock, limits, true, &[]);
    phases.extend(turning_phases(netlist, clock, limits, false, &clock.releases));
    phases
}

/// Returns the phases in which a reset begins, or ends.
pub(crate) fn turning_phases(
    netlist: &Netlist,
    clock: &Clock,
    limits: &Limits,
    begins: bool,
    turns: &[Turn],
) -> Vec<Phase> {
    let mut levels = Levels::new(netlist, clock, &[]);
    let phases = turns.iter().map(|turn| {
        let number = turn.phase;
        let (start, end) = (levels.at(number, !begins), levels.at(number + 1, begins));
        let name = format!("{number}, in which a reset {}", if begins { "begins" } else { "ends" });
        let mut phase = Phase::still(&name, start, end, limits);
        phase.set_clock(clock, &turn.moves);
        phase.motion[netlist.panel.reset[0]] = Motion::Once;
        press(&mut phase, netlist, number);
        phase
    });
    spread_all(phases.collect(), netlist, &clock.chips)
}

/// A move of an input of a board without a CPU: the input, and the inputs that have certain levels meanwhile. The input
/// itself is among these if its level after the move is certain.
pub type Move = (NetId, Vec<(NetId, bool)>);

/// Returns the phases of a board without a CPU, one for each move.
pub(crate) fn bench_phases(netlist: &Netlist, moves: &[Move], limits: &Limits) -> Vec<Phase> {
    let mut tables = Tables::new(netlist);
    let phases = moves.iter().map(|(moved, levels)| {
        let mut known = |is_after: bool| {
            let mut known = vec![None; netlist.nets.len()];
            levels.iter().for_each(|&(net, level)| known[net] = Some(level ^ (net == *moved && !is_after)));
            tables.follow(&mut known);
            known
        };
        let others = level_names(netlist, levels);
        let others = if others.is_empty() { others } else { format!(", {others}") };
        let name = format!("{} moves{others}", netlist.nets[*moved].name);
        let mut phase = Phase::still(&name, known(false), known(true), limits);
        phase.motion[*moved] = Motion::Once;
        phase
    });
    spread_all(phases.collect(), netlist, &[])
}

/// Pads and keys move in phase 0.
fn press(phase: &mut Phase, netlist: &Netlist, number: usize) {
    for net in pads_and_keys(netlist).filter(|_| number == 0) {
        phase.motion[net] = Motion::Glitches;
    }
}

/// The known levels of a board when a phase begins.
struct Levels<'a> {
    netlist: &'a Netlist,
    clock: &'a Clock,
    tables: Tables<'a>,
    /// Inputs that have no certain level.
    unknown: &'a [NetId],
}

impl<'a> Levels<'a> {
    fn new(netlist: &'a Netlist, clock: &'a Clock, unknown: &'a [NetId]) -> Levels<'a> {
        Levels { netlist, clock, tables: Tables::new(netlist), unknown }
    }

    fn at(&mut self, phase: usize, reset: bool) -> Known {
        let edges = if reset { &self.clock.held } else { &self.clock.phases };
        let mut known = vec![None; self.netlist.nets.len()];
        for (&net, &level) in self.clock.nets.iter().zip(&edges[phase % edges.len()].levels) {
            known[net] = Some(level);
        }
        known[self.netlist.panel.reset[0]] = Some(reset);
        self.unknown.iter().for_each(|&net| known[net] = None);
        self.tables.follow(&mut known);
        known
    }

    /// Returns the four phases of a cycle, before motion has spread.
    fn cycle(&mut self, held: bool, limits: &Limits) -> Vec<Phase> {
        let clock = self.clock;
        let edges = if held { &clock.held } else { &clock.phases };
        let phases = edges.iter().enumerate().map(|(number, edge)| {
            let (start, end) = (self.at(number, held), self.at(number + 1, held));
            let name = if held { format!("{number} of a reset") } else { number.to_string() };
            let mut phase = Phase::still(&name, start, end, limits);
            phase.set_clock(clock, &edge.moves);
            press(&mut phase, self.netlist, number);
            phase
        });
        phases.collect()
    }
}

fn spread_all(mut phases: Vec<Phase>, netlist: &Netlist, clock: &[ChipId]) -> Vec<Phase> {
    let effects = Effects::default();
    phases.iter_mut().for_each(|phase| spread(phase, netlist, clock, &effects));
    phases
}

/// Propagates motion through the tables until no more nets are found to move.
fn spread(phase: &mut Phase, netlist: &Netlist, clock: &[ChipId], effects: &Effects) {
    let mut found = 0;
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for (id, chip) in netlist.chips.iter().enumerate() {
            if clock.contains(&id) {
                continue;
            }
            let effect = effects.of(netlist, phase, id);
            for (bit, &net) in chip.data.iter().enumerate() {
                let motion = effect.motion(bit);
                if motion > phase.motion[net] {
                    if !phase.moves(net) {
                        found += 1;
                        phase.found[net] = found;
                    }
                    phase.motion[net] = motion;
                    is_new = true;
                }
            }
        }
    }
}

/// The effects of moving lines on the ROMs of one board, cached, since many chips have the same contents.
#[derive(Default)]
pub(crate) struct Effects(RefCell<HashMap<EffectKey, Effect>>);

/// The contents of a chip, which of its lines are its own, and how they move.
#[derive(PartialEq, Eq, Hash)]
struct EffectKey {
    holds: Holds,
    own: Vec<(usize, usize)>,
    scenarios: Vec<Scenario>,
}

impl Effects {
    /// Returns the effect of the lines that move in a phase on the data of a chip.
    pub fn of(&self, netlist: &Netlist, phase: &Phase, id: ChipId) -> Effect {
        let chip = &netlist.chips[id];
        let all = ((1u32 << chip.data.len()) - 1) as u8;
        let moving = phase.moving(chip);
        match chip.holds {
            _ if moving == 0 => Effect::default(),
            Holds::Table(_) => self.of_rom(netlist, phase, id),
            Holds::Program { .. } => Effect { moves: all, glitches: all, cares: moving },
            Holds::Ram { address } => {
                let write = write_line(chip);
                let cares = if phase.writes(chip) { moving } else { moving & ((1 << address) - 1) };
                let falls = moving == 1 << (chip.reads.len() - 1)
                    && phase.motion[write] == Motion::Once
                    && phase.end[write] == Some(false);
                // While a RAM is written, its output is the data that it stores.
                let still = cares == 0 || falls;
                let moves = if still { 0 } else { all };
                Effect { moves, glitches: moves, cares }
            }
        }
    }

    fn of_rom(&self, netlist: &Netlist, phase: &Phase, id: ChipId) -> Effect {
        let Some(rom) = Rom::of(netlist, id) else { return Effect::default() };
        let Chip { holds, own, .. } = rom.chip;
        let key = EffectKey { holds: *holds, own: own.clone(), scenarios: phase.scenarios(rom.chip) };
        if let Some(effect) = self.0.borrow().get(&key) {
            return *effect;
        }
        let mut sum = Effect::default();
        for scenario in &key.scenarios {
            let own = |bit| own_line(rom.chip, bit);
            let effect = effect(rom, rom.cells, own, *scenario, phase.limits.causes);
            sum.moves |= effect.moves;
            sum.glitches |= effect.glitches;
            sum.cares |= effect.cares;
        }
        self.0.borrow_mut().insert(key, sum);
        sum
    }
}

/// Returns the effect of moving lines on the data lines of a ROM, or on any other function of its addresses, given by
/// `cells`. `own` is the line on which a data line, by its bit, is fed back.
pub(crate) fn effect(
    rom: Rom,
    cells: &[u8],
    own: impl Fn(usize) -> u32,
    scenario: Scenario,
    most_causes: u32,
) -> Effect {
    let lines = rom.chip.reads.len();
    let moving = scenario.moving();
    if moving == 0 {
        return Effect::default();
    }
    // A group is the addresses that differ in moving lines only; it counts if the board can be at rest in it.
    let mut groups = vec![false; rom.cells.len()];
    for address in scenario.addresses(lines) {
        if scenario.begins(address) && rom.rests(address) {
            groups[(address & !moving) as usize] = true;
        }
    }
    let mut cares = vec![0u8; lines]; // for each line, the outputs that depend on it
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
    for bit in 0..rom.chip.data.len() {
        let causes = (0..).zip(&cares).filter(|(_, cares)| **cares >> bit & 1 == 1);
        let causes = causes.fold(0u32, |mask, (line, _)| mask | 1 << line) & !own(bit);
        if causes == 0 {
            effect.moves &= !(1 << bit); // it depends only on itself, so it is at rest
        } else if causes.count_ones() > most_causes || !once(rom, cells, scenario, (causes, own(bit)), bit) {
            effect.glitches |= 1 << bit;
        }
    }
    effect
}

/// Returns the line on which a chip reads a data line of its own.
fn own_line(chip: &Chip, bit: usize) -> u32 {
    chip.own.iter().filter(|(_, data)| *data == bit).fold(0, |mask, (line, _)| mask | 1 << line)
}

/// Whether a data line moves at most once: all lines that move it move once themselves, and after the first of them has
/// flipped it, the others do not flip it back, and neither does its own feedback.
fn once(rom: Rom, cells: &[u8], scenario: Scenario, (causes, own): (u32, u32), bit: usize) -> bool {
    if causes & !scenario.once != 0 {
        return false;
    }
    let level = |address: u32| cells[address as usize] >> bit & 1;
    let begins = |address: &u32| scenario.begins(*address) && rom.rests(*address);
    scenario.addresses(rom.chip.reads.len()).filter(begins).all(|start| {
        let flipped = |moved: &u32| level(start ^ moved) != level(start);
        values(causes).filter(flipped).all(|moved| {
            let later = values(causes & !moved).map(|more| start ^ moved ^ more);
            later.into_iter().all(|now| [now, now ^ own].iter().all(|&now| level(now) != level(start)))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_machine::board::Board;

    #[test]
    fn what_moves_is_found_in_the_tables() {
        let board = Board::gray1();
        let netlist = board.netlist();
        let limits = Limits::default();
        let clock = Clock::find(netlist, &limits).unwrap();
        let phases = phases(netlist, &clock, &limits);
        let motion = |phase: usize, name: &str| phases[phase].motion[netlist.net(name).unwrap()];
        use Motion::{Glitches, Once, Stable};
        for (net, expected) in [
            ("PH1", [Stable, Once, Once, Stable]),
            ("PH2", [Once, Stable, Stable, Once]),
            ("PC0", [Glitches, Stable, Stable, Glitches]),
            ("W15", [Glitches, Stable, Stable, Glitches]),
            ("WE", [Stable, Once, Once, Stable]),
            ("M0", [Glitches, Glitches, Stable, Glitches]),
            ("R7", [Glitches, Glitches, Stable, Glitches]),
            ("T3", [Stable, Glitches, Stable, Stable]),
            ("A3", [Stable, Stable, Stable, Once]),
            ("TG5", [Stable, Once, Stable, Stable]),
            ("TICK", [Stable, Stable, Stable, Once]),
            ("LOAD", [Once, Stable, Stable, Once]),
            ("GREEN3_3", [Stable, Once, Stable, Stable]),
        ] {
            assert_eq!([0, 1, 2, 3].map(|phase| motion(phase, net)), expected, "{net}");
        }
    }
}
