//! The first claim: every loop holds over T(A,B).
//!
//! For each chip with a storage loop, each phase, and each way in which its lines can move in that phase:
//!
//! - **Holding.** While a register is to hold, every address between A and B must give what it holds. Whether it is to
//!   hold is read off its table: with the other lines as they are at B, either each of its bits gives itself
//!   whatever it is (it holds), or it does not depend on itself (it takes a new value). A cell that does neither
//!   is a fault of its own.
//! - **Going.** Where a chip gives another value than the one on its own lines, it is on its way there: every address
//!   that its own lines can make on the way must lead to that value and to no other.
//! - **Writing.** While a RAM may be written, its address stands still; when writing ends, its data inputs do.

use crate::duty::{Duty, odd_cell};
use crate::motion::{Motion, Motions, Phase};
use crate::scenario::Scenario;
use crate::wiring::{Chip, Holds, Wiring, values};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// What was looked at for one chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looked {
    /// Changes A to B through which the chip holds, and addresses between, each with its A and B.
    pub holds: u64,
    pub holds_between: u64,
    /// Changes that the chip makes itself, and addresses between.
    pub goes: u64,
    pub goes_between: u64,
    /// Cells of its table that are among these addresses.
    pub cells: u64,
}

/// What is wrong with a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub chip: usize,
    /// The place of the phase.
    pub phase: usize,
    pub kind: Loss,
}

/// How a value is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loss {
    /// Going from one address to another, the chip may see the one between, which loses the bit of a line.
    Holding(Change),
    /// Going from one address to another by itself, the chip may see the one between, which leads elsewhere.
    Going(Change),
    /// The cell at this address lets the bit of a line neither hold nor take a value.
    Neither { address: u32, line: u32 },
    /// This line of a RAM moves while the RAM is being written.
    Writing { line: u32 },
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

/// What came of one chip.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    Holds(Looked),
    Loses(Lost),
    /// Why nothing can be said.
    Unknown(&'static str),
}

/// Looks at every chip that has a loop, and at every RAM, until it is stopped.
pub(crate) fn loops(wiring: &Wiring, motions: &Motions, stop: &AtomicBool) -> Vec<(usize, Outcome)> {
    let mut seen = HashMap::new();
    let mut outcomes = Vec::new();
    for (number, chip) in wiring.chips.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        match (&chip.holds, chip.own.is_empty()) {
            (Holds::Ram { .. }, true) => outcomes.push((number, ram(number, chip, motions))),
            (_, true) => {}
            (Holds::Table(_), false) => outcomes.push((number, table(number, chip, motions, &mut seen))),
            (Holds::Ram { .. }, false) => {
                outcomes.push((number, Outcome::Unknown("it is a RAM that reads its own output")));
            }
            (Holds::Program, false) => {
                outcomes.push((number, Outcome::Unknown("it is the program, and reads its own output")));
            }
        }
    }
    outcomes
}

/// Chips with the same table, own lines and motions are looked at once.
type Seen =
    HashMap<(usize, Vec<(u32, u32)>, Vec<Vec<(u32, u32, u32, u32, u32)>>), Result<Looked, (usize, Loss)>>;

fn table(number: usize, chip: &Chip, motions: &Motions, seen: &mut Seen) -> Outcome {
    let Some(cells) = chip.table() else { return Outcome::Unknown("it is no table") };
    let ways = |phase: &Phase| {
        let all = phase.scenarios(chip).into_iter();
        all.map(|s| (s.fixed, s.levels, s.once, s.from, s.wild)).collect()
    };
    let key = (cells.as_ptr() as usize, chip.own.clone(), motions.phases.iter().map(ways).collect());
    let result = seen.entry(key).or_insert_with(|| look(chip, cells, motions));
    match *result {
        Ok(looked) => Outcome::Holds(looked),
        Err((phase, kind)) => Outcome::Loses(Lost { chip: number, phase, kind }),
    }
}

/// One chip while it is looked at.
struct Look<'a> {
    chip: &'a Chip,
    cells: &'a [u8],
    duty: Duty,
    looked: Looked,
    /// Cells that were among the addresses between.
    seen: Vec<bool>,
    /// Addresses from which it goes that were looked at.
    going: Vec<bool>,
}

fn look(chip: &Chip, cells: &[u8], motions: &Motions) -> Result<Looked, (usize, Loss)> {
    let none = vec![false; cells.len()];
    let (looked, duty) = (Looked::default(), Duty::of(chip, cells));
    let mut look = Look { chip, cells, duty, looked, seen: none.clone(), going: none };
    for (number, phase) in motions.phases.iter().enumerate() {
        let at = |loss| (number, loss);
        for scenario in phase.scenarios(chip) {
            let quiet = quiet_own_lines(chip, phase);
            look.holding(scenario, quiet).map_err(at)?;
            look.going(scenario).map_err(at)?;
        }
    }
    look.looked.cells = look.seen.iter().filter(|seen| **seen).count() as u64;
    Ok(look.looked)
}

fn quiet_own_lines(chip: &Chip, phase: &Phase) -> u32 {
    let own = chip.own.iter().filter(|(line, _)| phase.motion[chip.lines[*line as usize]] == Motion::Quiet);
    own.fold(0, |mask, (line, _)| mask | 1 << line)
}

impl Look<'_> {
    /// Looks at every change through which the chip holds.
    fn holding(&mut self, scenario: Scenario, quiet: u32) -> Result<(), Loss> {
        let (chip, cells) = (self.chip, self.cells);
        let lines = chip.lines.len();
        let own = chip.own_lines();
        let others = scenario.moving() & !own;
        if others == 0 {
            return Ok(());
        }
        // Own lines that are not quiet may have any level while one of the others holds. A chip that counts goes only
        // when it has come to where that is due; going is looked at below.
        let scenario =
            Scenario { wild: if chip.counts { scenario.wild & !own } else { scenario.wild }, ..scenario };
        let each = chip.own.iter().map(|(line, _)| 1 << line & !quiet);
        for mine in [quiet & own].into_iter().chain(each).filter(|mine| *mine != 0) {
            let moving = scenario.moving() & !mine;
            // A group is the addresses that differ in moving lines only.
            let mut begins = vec![0u32; cells.len()];
            let mut to_hold = vec![0u32; cells.len()];
            let mut ends = vec![0u32; cells.len()];
            for address in scenario.addresses(lines) {
                let group = (address & !moving) as usize;
                if scenario.begins(address) && chip.rests(address, cells[address as usize]) {
                    begins[group] += 1;
                }
                if scenario.ends(address) {
                    let holds = self.duty.must_hold(chip, address, quiet) & mine;
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
                    let neither = self.duty.neither(chip, address) & mine;
                    if neither != 0 {
                        let line = neither.trailing_zeros();
                        let address = odd_cell(chip, cells, address & !own, line);
                        return Err(Loss::Neither { address, line });
                    }
                }
                if to_hold[group] == 0 {
                    continue;
                }
                self.seen[address as usize] = true;
                let lost = (chip.turned(cells[address as usize]) ^ address) & to_hold[group];
                if lost != 0 {
                    let line = lost.trailing_zeros();
                    return Err(Loss::Holding(self.nearest(scenario, quiet, address, line)));
                }
            }
            for (group, &begins) in begins.iter().enumerate().filter(|(_, begins)| **begins > 0) {
                let wild = (scenario.wild & !own).count_ones();
                let still = u64::from(scenario.once == 0); // A = B is no change
                let own_moving = 1 << (scenario.wild & own & !mine).count_ones();
                let from = u64::from(begins);
                let all = u64::from(ends[group] / own_moving) == 1 << wild;
                if all {
                    self.looked.holds += from * ((1 << wild) - still);
                    self.looked.holds_between +=
                        from * ((3u64.pow(wild) << scenario.once.count_ones()) - still);
                } else if ends[group] > 0 {
                    self.pairs(scenario, quiet, mine, group as u32);
                }
            }
        }
        Ok(())
    }

    /// Counts the changes of a group of which only some hold, one by one.
    fn pairs(&mut self, scenario: Scenario, quiet: u32, mine: u32, group: u32) {
        let (chip, cells) = (self.chip, self.cells);
        let own = chip.own_lines();
        let moving = scenario.moving() & !mine;
        let addresses = || values(moving).map(|value| value | group);
        for from in
            addresses().filter(|&from| scenario.begins(from) && chip.rests(from, cells[from as usize]))
        {
            for to in addresses().filter(|&to| scenario.ends(to) && (to ^ from) & own == 0 && to != from) {
                if self.duty.must_hold(chip, to, quiet) & mine != 0 {
                    self.looked.holds += 1;
                    self.looked.holds_between += 1 << (to ^ from).count_ones();
                }
            }
        }
    }

    /// The plainest change that shows how a bit is lost at an address: from a nearby address at rest to one where it is
    /// to hold.
    fn nearest(&self, scenario: Scenario, quiet: u32, between: u32, line: u32) -> Change {
        let (chip, cells) = (self.chip, self.cells);
        let moving = scenario.moving() & !(1 << line);
        let all = || values(moving).map(|value| value | between & !moving);
        let from = all()
            .filter(|&from| scenario.begins(from) && chip.rests(from, cells[from as usize]))
            .min_by_key(|from| (from ^ between).count_ones())
            .unwrap_or(between);
        let given = |address: u32| chip.turned(cells[address as usize]) ^ address;
        let to = all()
            .filter(|&to| {
                scenario.ends(to)
                    && (to ^ from) & chip.own_lines() == 0
                    && self.duty.must_hold(chip, to, quiet) >> line & 1 == 1
                    && (from ^ between) & !(from ^ to) == 0
            })
            .min_by_key(|&to| (given(to) >> line & 1, (from ^ to).count_ones()))
            .unwrap_or(between);
        Change { from, to, between, line }
    }

    /// Looks at every change that the chip makes by itself.
    fn going(&mut self, scenario: Scenario) -> Result<(), Loss> {
        let (chip, cells) = (self.chip, self.cells);
        let own = chip.own_lines();
        for from in scenario.addresses(chip.lines.len()) {
            let goal = chip.turned(cells[from as usize]);
            let way = (from & own) ^ goal;
            if way == 0 || std::mem::replace(&mut self.going[from as usize], true) {
                continue;
            }
            self.looked.goes += 1;
            for moved in values(way) {
                let between = from ^ moved;
                self.seen[between as usize] = true;
                self.looked.goes_between += 1;
                let lost = chip.turned(cells[between as usize]) ^ goal;
                if lost != 0 {
                    let to = from & !own | goal;
                    return Err(Loss::Going(Change { from, to, between, line: lost.trailing_zeros() }));
                }
            }
        }
        Ok(())
    }
}

/// Looks at what moves around a RAM while it may be written.
fn ram(number: usize, chip: &Chip, motions: &Motions) -> Outcome {
    let Holds::Ram { address } = chip.holds else { return Outcome::Unknown("it is no RAM") };
    let write = chip.lines.len() - 1;
    for (place, phase) in motions.phases.iter().enumerate().filter(|(_, phase)| phase.written(chip)) {
        let motion = |line: usize| phase.motion[chip.lines[line]];
        let falls = motion(write) != Motion::Quiet && phase.end[chip.lines[write]] != Some(true);
        let wrong = (0..write).find(|&line| motion(line) != Motion::Quiet && (line < address || falls));
        let wrong = wrong.or((motion(write) == Motion::Wild).then_some(write));
        if let Some(line) = wrong {
            let kind = Loss::Writing { line: line as u32 };
            return Outcome::Loses(Lost { chip: number, phase: place, kind });
        }
    }
    Outcome::Holds(Looked::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use gray1_machine::board::Board;

    /// The rule by its words: each A, each B, each address between.
    fn one_by_one(chip: &Chip, cells: &[u8], phases: &[Phase]) -> (u64, u64) {
        let (own, duty) = (chip.own_lines(), Duty::of(chip, cells));
        let (mut changes, mut between) = (0, 0);
        for phase in phases {
            let quiet = quiet_own_lines(chip, phase);
            for scenario in phase.scenarios(chip) {
                let moving = scenario.moving() & !own;
                for from in scenario.addresses(chip.lines.len()) {
                    if !scenario.begins(from) || !chip.rests(from, cells[from as usize]) {
                        continue;
                    }
                    for to in values(moving).map(|levels| from & !moving | levels) {
                        let must = duty.must_hold(chip, to, quiet);
                        if to == from || !scenario.ends(to) || must == 0 {
                            continue;
                        }
                        changes += 1;
                        for way in values(from ^ to) {
                            between += 1;
                            let lost = (chip.turned(cells[(from ^ way) as usize]) ^ from) & must;
                            assert_eq!(lost, 0, "{} from {from:X} to {to:X} by {way:X}", chip.name);
                        }
                    }
                }
            }
        }
        (changes, between)
    }

    #[test]
    fn changes_are_counted_as_if_one_by_one() {
        let wiring = Wiring::of(&Board::gray1());
        let clock = Clock::find(&wiring).ok().unwrap();
        let motions = Motions::find(&wiring, &clock);
        let mut looked_at = Vec::new();
        for (number, outcome) in loops(&wiring, &motions, &AtomicBool::new(false)) {
            let chip = &wiring.chips[number];
            let (Some(cells), Outcome::Holds(looked)) = (chip.table(), outcome) else { continue };
            if chip.lines.len() > 15 {
                continue; // the large latches would take minutes this way
            }
            let counted = one_by_one(chip, cells, &motions.phases);
            assert_eq!((looked.holds, looked.holds_between), counted, "{}", chip.name);
            looked_at.push(chip.name.as_str());
        }
        assert_eq!(looked_at, ["SEQ", "FLAGS", "PCL", "PCH", "TGL", "TGH"]);
    }
}
