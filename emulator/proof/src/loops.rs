//! The first claim: every loop holds over T(A,B).
//!
//! For each chip with a storage loop, each phase, and each way in which its lines can move in that phase:
//!
//! - **Holding.** While a register must hold, every address between A and B must give the held value. Whether it must
//!   hold is derived from its table: with the other lines at their levels at B, each of its bits either keeps its value
//!   (it holds), or does not depend on itself (it takes a new value). A cell that does neither is a fault by itself.
//! - **Stepping.** If the output of a chip is another value than the one on its own lines, it steps to that value:
//!   every address that its own lines can form on the way must lead there.
//! - **Writing.** While a RAM may be written, its address is stable; when writing ends, so are its data inputs.

use crate::clock::Motion;
use crate::phase::Phase;
use crate::register::{Register, odd_cell};
use crate::report::{Intent, LoopRow, Verdict};
use crate::rom::Rom;
use crate::scenario::Scenario;
use crate::undecided::Undecided;
use gray1_machine::logic::values;
use gray1_machine::netlist::{Chip, ChipId, Holds, Netlist};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// A fault of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub chip: ChipId,
    /// The index of the phase.
    pub phase: usize,
    pub kind: FaultKind,
}

/// The way in which a value is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// Going from one address to another, the chip may see the one between, which loses the bit of a line or leads
    /// elsewhere. If a cell lets a bit neither hold nor take a value, all three are its address.
    Between(Intent, Change),
    /// This line of a RAM moves while the RAM is being written.
    Writing { line: usize },
}

/// A change of address, and an address between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub from: u32,
    pub to: u32,
    pub between: u32,
    /// The address line whose bit is lost.
    pub line: u32,
}

/// The result for one chip.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Holds(LoopRow),
    Loses(Fault),
    Undecided(Undecided),
}

/// Examines every chip that has a loop, and every RAM, until it is stopped.
pub(crate) fn loops(netlist: &Netlist, phases: &[Phase], stop: &AtomicBool) -> Vec<(ChipId, Outcome)> {
    let mut known = HashMap::new();
    let mut outcomes = Vec::new();
    for (id, chip) in netlist.chips.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let fault = |(phase, kind)| Outcome::Loses(Fault { chip: id, phase, kind });
        let outcome = match (chip.holds, Rom::of(netlist, id)) {
            (Holds::Ram { .. }, _) if chip.holds_itself() => {
                Outcome::Undecided(Undecided::RamReadsItself(chip.name.clone()))
            }
            (Holds::Ram { address }, _) => {
                let holds = Outcome::Holds(LoopRow::new(&chip.name, Verdict::Proved));
                ram(chip, address, phases).map_or(holds, fault)
            }
            _ if !chip.holds_itself() => continue,
            (_, None) => Outcome::Undecided(Undecided::ProgramReadsItself(chip.name.clone())),
            (_, Some(rom)) => {
                // Chips with the same table, own lines and motions are examined once.
                let scenarios = phases.iter().map(|phase| phase.scenarios(chip)).collect::<Vec<_>>();
                let key = (chip.holds, chip.own.clone(), rom.counting, scenarios);
                let result: &Result<LoopRow, _> = known.entry(key).or_insert_with(|| examine(rom, phases));
                let named = |row| Outcome::Holds(LoopRow { chip: chip.name.clone(), ..row });
                result.clone().map_or_else(fault, named)
            }
        };
        outcomes.push((id, outcome));
    }
    outcomes
}

/// One chip while it is examined.
struct Examination<'a> {
    rom: Rom<'a>,
    register: Register<'a>,
    examined: LoopRow,
    /// Cells that were among the addresses between.
    seen: Vec<bool>,
    /// Addresses from which it steps that were examined.
    stepped: Vec<bool>,
}

fn examine(rom: Rom, phases: &[Phase]) -> Result<LoopRow, (usize, FaultKind)> {
    let none = vec![false; rom.cells.len()];
    let (examined, register) = (LoopRow::new(&rom.chip.name, Verdict::Proved), Register::of(rom));
    let mut examination = Examination { rom, register, examined, seen: none.clone(), stepped: none };
    for (index, phase) in phases.iter().enumerate() {
        let at = |fault| (index, fault);
        for scenario in phase.scenarios(rom.chip) {
            examination.holding(scenario, phase.stable_own_lines(rom.chip)).map_err(at)?;
            examination.stepping(scenario).map_err(at)?;
        }
    }
    examination.examined.cells = examination.seen.iter().filter(|seen| **seen).count() as u64;
    Ok(examination.examined)
}

impl Examination<'_> {
    /// Examines every change through which the chip holds.
    fn holding(&mut self, scenario: Scenario, stable: u32) -> Result<(), FaultKind> {
        let Rom { chip, counting, .. } = self.rom;
        let registers = self.rom.registers();
        // Counting lines step only after they have reached a state in which a step is due; that is examined below.
        let resting = Scenario { glitching: scenario.glitching & !counting, ..scenario };
        self.held(resting, stable, stable & counting, chip.own_lines())?;
        // Lines of registers that are not stable may have any level while one of the others holds.
        self.held(scenario, stable, stable & registers, registers)?;
        for (line, _) in &chip.own {
            self.held(scenario, stable, 1 << line & registers & !stable, registers)?;
        }
        Ok(())
    }

    /// Examines every change through which some of the own lines hold, while the lines that are not own move.
    fn held(&mut self, scenario: Scenario, stable: u32, mine: u32, own: u32) -> Result<(), FaultKind> {
        let rom = self.rom;
        let lines = rom.chip.reads.len();
        if mine == 0 || scenario.moving() & !own == 0 {
            return Ok(());
        }
        let moving = scenario.moving() & !mine;
        // A group is the addresses that differ in moving lines only.
        let mut begins = vec![0u32; rom.cells.len()];
        let mut to_hold = vec![0u32; rom.cells.len()];
        let mut ends = vec![0u32; rom.cells.len()];
        for address in scenario.addresses(lines) {
            let group = (address & !moving) as usize;
            if scenario.begins(address) && rom.rests(address) {
                begins[group] += 1;
            }
            if scenario.ends(address) {
                let holds = self.register.must_hold(address, stable) & mine;
                to_hold[group] |= holds;
                ends[group] += u32::from(holds != 0);
            }
        }
        for address in scenario.addresses(lines) {
            let group = (address & !moving) as usize;
            if begins[group] == 0 {
                continue;
            }
            if scenario.ends(address) {
                let neither = self.register.neither(address) & mine;
                if neither != 0 {
                    let line = neither.trailing_zeros();
                    let address = odd_cell(rom, address & !own, line);
                    let change = Change { from: address, to: address, between: address, line };
                    return Err(FaultKind::Between(Intent::Neither, change));
                }
            }
            if to_hold[group] == 0 {
                continue;
            }
            self.seen[address as usize] = true;
            let lost = (rom.next(address) ^ address) & to_hold[group];
            if lost != 0 {
                let line = lost.trailing_zeros();
                let change = self.nearest(scenario, stable, address, line);
                return Err(FaultKind::Between(Intent::Hold, change));
            }
        }
        self.count(scenario, stable, (mine, own), &begins, &ends);
        Ok(())
    }

    /// Counts the changes of each group through which it holds, by the addresses at which they begin and end.
    fn count(
        &mut self,
        scenario: Scenario,
        stable: u32,
        (mine, own): (u32, u32),
        begins: &[u32],
        ends: &[u32],
    ) {
        for (group, &begins) in begins.iter().enumerate().filter(|(_, begins)| **begins > 0) {
            let free = (scenario.glitching & !own).count_ones();
            let still = u64::from(scenario.once == 0); // A = B is not a change
            let own_moving = 1 << (scenario.glitching & own & !mine).count_ones();
            let from = u64::from(begins);
            let all = u64::from(ends[group] / own_moving) == 1 << free;
            if all {
                self.examined.holds += from * ((1 << free) - still);
                self.examined.holds_between +=
                    from * ((3u64.pow(free) << scenario.once.count_ones()) - still);
            } else if ends[group] > 0 {
                self.pairs(scenario, stable, (mine, own), group as u32);
            }
        }
    }

    /// Counts, one by one, the changes of a group in which only some hold.
    fn pairs(&mut self, scenario: Scenario, stable: u32, (mine, own): (u32, u32), group: u32) {
        let rom = self.rom;
        let moving = scenario.moving() & !mine;
        let addresses = || values(moving).map(|value| value | group);
        for from in addresses().filter(|&from| scenario.begins(from) && rom.rests(from)) {
            for to in addresses().filter(|&to| scenario.ends(to) && (to ^ from) & own == 0 && to != from) {
                if self.register.must_hold(to, stable) & mine != 0 {
                    self.examined.holds += 1;
                    self.examined.holds_between += 1 << (to ^ from).count_ones();
                }
            }
        }
    }

    /// Returns the simplest change that loses a bit at an address: from a nearby address at rest to one where the bit
    /// must hold.
    fn nearest(&self, scenario: Scenario, stable: u32, between: u32, line: u32) -> Change {
        let rom = self.rom;
        let moving = scenario.moving() & !(1 << line);
        let all = || values(moving).map(|value| value | between & !moving);
        let from = all()
            .filter(|&from| scenario.begins(from) && rom.rests(from))
            .min_by_key(|from| (from ^ between).count_ones())
            .unwrap_or(between);
        let lost = |address: u32| rom.next(address) ^ address;
        let to = all()
            .filter(|&to| {
                scenario.ends(to)
                    && (to ^ from) & rom.chip.own_lines() == 0
                    && self.register.must_hold(to, stable) >> line & 1 == 1
                    && (from ^ between) & !(from ^ to) == 0
            })
            .min_by_key(|&to| (lost(to) >> line & 1, (from ^ to).count_ones()))
            .unwrap_or(between);
        Change { from, to, between, line }
    }

    /// Examines every change that the chip makes by itself: first those of lines that count, then those of registers.
    fn stepping(&mut self, scenario: Scenario) -> Result<(), FaultKind> {
        let rom = self.rom;
        let own = rom.chip.own_lines();
        for from in scenario.addresses(rom.chip.reads.len()) {
            let goal = rom.next(from);
            let change = (from & own) ^ goal;
            if change == 0 || std::mem::replace(&mut self.stepped[from as usize], true) {
                continue;
            }
            self.examined.goes += 1;
            let registers = rom.registers();
            for (mine, way) in [(rom.counting, change), (registers, change & registers)] {
                if change & mine == 0 {
                    continue;
                }
                for between in values(way).map(|moved| from ^ moved) {
                    self.seen[between as usize] = true;
                    self.examined.goes_between += 1;
                    let lost = (rom.next(between) ^ goal) & mine;
                    if lost != 0 {
                        let (to, line) = (from & !own | goal, lost.trailing_zeros());
                        return Err(FaultKind::Between(Intent::Step, Change { from, to, between, line }));
                    }
                }
            }
        }
        Ok(())
    }
}

/// Examines which lines of a RAM move while it may be written.
fn ram(chip: &Chip, address: usize, phases: &[Phase]) -> Option<(usize, FaultKind)> {
    let write = chip.reads.len() - 1;
    phases.iter().enumerate().filter(|(_, phase)| phase.writes(chip)).find_map(|(index, phase)| {
        let moves = |line: usize| phase.moves(chip.reads[line]);
        let falls = moves(write) && phase.end[chip.reads[write]] != Some(true);
        let wrong = (0..write).find(|&line| moves(line) && (line < address || falls));
        let glitch = phase.motion[chip.reads[write]] == Motion::Glitches;
        let line = wrong.or(glitch.then_some(write))?;
        Some((index, FaultKind::Writing { line }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::limits::Limits;
    use crate::motion::phases;
    use gray1_machine::board::Board;

    /// Counts by the rule itself: each A, each B, each address between.
    fn one_by_one(rom: Rom, phases: &[Phase]) -> (u64, u64) {
        let (own, register) = (rom.chip.own_lines(), Register::of(rom));
        let (mut changes, mut between) = (0, 0);
        for phase in phases {
            let stable = phase.stable_own_lines(rom.chip);
            for scenario in phase.scenarios(rom.chip) {
                let moving = scenario.moving() & !own;
                for from in scenario.addresses(rom.chip.reads.len()) {
                    if !scenario.begins(from) || !rom.rests(from) {
                        continue;
                    }
                    for to in values(moving).map(|levels| from & !moving | levels) {
                        let must = register.must_hold(to, stable);
                        if to == from || !scenario.ends(to) || must == 0 {
                            continue;
                        }
                        changes += 1;
                        for way in values(from ^ to) {
                            between += 1;
                            let lost = (rom.next(from ^ way) ^ from) & must;
                            assert_eq!(lost, 0, "{} from {from:X} to {to:X} by {way:X}", rom.chip.name);
                        }
                    }
                }
            }
        }
        (changes, between)
    }

    #[test]
    fn changes_are_counted_as_if_one_by_one() {
        let board = Board::gray1();
        let netlist = board.netlist();
        let limits = Limits::default();
        let phases = phases(netlist, &Clock::find(netlist, &limits).unwrap(), &limits);
        let mut counted = Vec::new();
        for (id, outcome) in loops(netlist, &phases, &AtomicBool::new(false)) {
            let (Some(rom), Outcome::Holds(examined)) = (Rom::of(netlist, id), outcome) else { continue };
            // The large latches would take minutes this way, and chips that both count and hold combine two rules.
            if rom.chip.reads.len() > 15 || rom.counting != 0 && rom.registers() != 0 {
                continue;
            }
            let name = &*rom.chip.name;
            assert_eq!((examined.holds, examined.holds_between), one_by_one(rom, &phases), "{name}");
            counted.push(name);
        }
        assert_eq!(counted, ["FLAGS", "PCL", "PCH", "TGL", "TGH"]);
    }
}
