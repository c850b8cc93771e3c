//! Counterexamples for reports: what is lost, why the lines move, and a run in which it happens.

use crate::loops::{Change, Fault, FaultKind};
use crate::order::{OpenRing, Openness};
use crate::phase::{Phase, write_line};
use crate::reach::{PhaseObservation, Reached, reach};
use crate::register::Register;
use crate::report::{Between, Counterexample, Intent, LineLevels, LoopFault, RingFault, WritingFault};
use crate::rom::{Rom, chip_names, level_names, names};
use crate::undecided::Undecided;
use gray1_machine::board::Board;
use gray1_machine::logic::values;
use gray1_machine::netlist::{Chip, ChipId, NetId, Netlist, Pin};
use std::sync::atomic::AtomicBool;

/// If two addresses differ in more lines than this, the addresses between them are not searched for an example.
const MAX_LINES: u32 = 12;
/// If a line is not moved by a single line, or by two or three together, the explanation omits its cause.
const MAX_CAUSES: u32 = 3;

/// The board, and the facts that are needed to explain faults.
pub(crate) struct Explain<'a> {
    pub board: &'a Board,
    pub netlist: &'a Netlist,
    pub phases: &'a [Phase],
    pub stop: &'a AtomicBool,
}

impl Explain<'_> {
    /// Explains a loop that loses a bit; `also` are other chips with the same fault.
    pub fn fault(&self, fault: Fault, also: Vec<String>) -> Counterexample {
        match fault.kind {
            FaultKind::Between(intent, change) => self.lost(fault, also, intent, change),
            FaultKind::Writing { line } => {
                let (chip, phase) = (&self.netlist.chips[fault.chip], &self.phases[fault.phase]);
                let (driver, reached) = self.written(chip, phase, line);
                Counterexample::Writing(Box::new(WritingFault {
                    chip: chip.name.clone(),
                    also,
                    phase: phase.name.clone(),
                    line: self.name(chip.reads[line]).to_owned(),
                    because: self.because(phase, chip.reads[line]),
                    write: self.name(write_line(chip)).to_owned(),
                    write_because: self.because(phase, write_line(chip)),
                    driver,
                    reached,
                }))
            }
        }
    }

    fn lost(&self, fault: Fault, also: Vec<String>, intent: Intent, found: Change) -> Counterexample {
        let chip = &self.netlist.chips[fault.chip];
        let phase = &self.phases[fault.phase];
        let (change, reached) = match self.in_a_machine(fault.chip, phase, intent, found) {
            Some((reached, change)) => (change, Some(reached)),
            None => (found, None),
        };
        let level = |address: u32, line: usize| (address >> line & 1) as u8;
        let moves = (change.from ^ change.to) | (change.from ^ change.between);
        let lines = chip.reads.iter().enumerate().filter(|(line, _)| moves >> line & 1 == 1);
        let lines = lines.map(|(line, &net)| LineLevels {
            net: self.name(net).to_owned(),
            from: level(change.from, line),
            between: level(change.between, line),
            to: level(change.to, line),
        });
        let moved = chip.reads.iter().enumerate().filter(|(line, net)| {
            (change.from ^ change.between) >> line & 1 == 1 && !chip.data.contains(net)
        });
        let first = moved.map(|(_, net)| *net).min_by_key(|&net| !phase.moves(net));
        Counterexample::Loop(Box::new(LoopFault {
            chip: chip.name.clone(),
            also,
            phase: phase.name.clone(),
            intent,
            lost: self.name(chip.reads[change.line as usize]).to_owned(),
            from: change.from,
            to: change.to,
            between: change.between,
            data: Rom::of(self.netlist, fault.chip).map_or(0, |rom| rom.cell(change.between)),
            lines: lines.collect(),
            because: first.map_or(vec![], |net| self.because(phase, net)),
            reached,
        }))
    }

    /// Explains a ring that is open. If it could not be explored, the claim is refuted only if a run is found that does
    /// not settle there.
    pub fn open(&self, open: &OpenRing, also: Vec<String>) -> Result<Counterexample, Undecided> {
        let phase = &self.phases[open.phase];
        let (why, orders, differ) = open.why.in_words(self.netlist);
        let around = names(self.netlist, open.around.iter().copied());
        let chips = chip_names(self.netlist, &open.chips);
        let in_ring = |seen: PhaseObservation| {
            let unsettled = seen.unsettled;
            let restless =
                unsettled.is_some_and(|unsettled| unsettled.chips.iter().any(|chip| chips.contains(chip)));
            (seen.phase.to_string() == phase.name && (restless || seen.all_moved)).then_some(restless)
        };
        let reached = reach(self.board, self.stop, &[], &around, in_ring);
        if let Openness::Uncut { levels: at } = &open.why
            && !reached.as_ref().is_some_and(|(_, restless)| *restless)
        {
            let (phase, levels) = (phase.name.clone(), level_names(self.netlist, at));
            return Err(Undecided::RingNotExplored { chips, phase, levels });
        }
        Ok(Counterexample::Ring(Box::new(RingFault {
            phase: phase.name.clone(),
            also,
            because: open.around.first().map_or(vec![], |&net| self.because(phase, net)),
            around,
            why,
            orders,
            differ,
            reached: reached.map(|(reached, _)| reached),
            chips,
        })))
    }

    fn name(&self, net: NetId) -> &str {
        &self.netlist.nets[net].name
    }

    /// Why a net moves: each line of the answer is a net and what moves it, back to an input of the board.
    pub fn because(&self, phase: &Phase, mut net: NetId) -> Vec<String> {
        let mut steps = Vec::new();
        while phase.moves(net) {
            let name = self.name(net);
            let Some(pin) = self.netlist.nets[net].driver else {
                steps.push(format!("{name} comes from outside"));
                break;
            };
            let chip = &self.netlist.chips[pin.chip];
            if phase.found[net] == 0 {
                steps.push(format!("{name} is moved by the clock, {}", chip.name));
                break;
            }
            let Some((cause, why)) = self.cause(phase, pin, phase.found[net]) else { break };
            steps.push(format!("{name} is moved by {} {why}", chip.name));
            net = cause;
        }
        steps
    }

    /// Returns a line, found to move earlier, that makes a chip move a data line, and how.
    fn cause(&self, phase: &Phase, pin: Pin, found: u32) -> Option<(NetId, String)> {
        let earlier = |net: NetId| phase.moves(net) && phase.found[net] < found;
        let chip = &self.netlist.chips[pin.chip];
        let Some(rom) = Rom::of(self.netlist, pin.chip) else {
            let net = chip.reads.iter().copied().find(|&net| earlier(net))?;
            return Some((net, format!("when {} moves", self.name(net))));
        };
        let lines = (0..).zip(&chip.reads);
        let moving = lines.filter(|(_, net)| earlier(**net)).fold(0u32, |mask, (line, _)| mask | 1 << line);
        let level = |address: u32| rom.cell(address) >> pin.line & 1;
        let (from, way) = (1..=MAX_CAUSES).find_map(|count| {
            phase.scenarios(chip).into_iter().find_map(|scenario| {
                let ways: Vec<u32> =
                    values(moving & scenario.moving()).filter(|way| way.count_ones() == count).collect();
                let mut begins = scenario
                    .addresses(chip.reads.len())
                    .filter(|&from| scenario.begins(from) && rom.rests(from));
                begins.find_map(|from| {
                    ways.iter().find(|way| level(from ^ **way) != level(from)).map(|&way| (from, way))
                })
            })
        })?;
        let net = chip.reads[way.trailing_zeros() as usize];
        let (name, digits, to) = (self.name(net), chip.reads.len().div_ceil(4), from ^ way);
        let level = level(to);
        Some((net, format!("when {name} moves: at {to:0digits$X} it gives {level}, at {from:0digits$X} not")))
    }

    /// Looks for an instruction at which the chip has a fault of this kind.
    fn in_a_machine(
        &self,
        id: ChipId,
        phase: &Phase,
        intent: Intent,
        found: Change,
    ) -> Option<(Reached, Change)> {
        let rom = Rom::of(self.netlist, id)?;
        let own = rom.chip.own_lines();
        let register = Register::of(rom);
        let stable = phase.stable_own_lines(rom.chip);
        let trouble = |seen: PhaseObservation| -> Option<Change> {
            let (Some(&from), Some(&after)) = (seen.before.first(), seen.after.first()) else { return None };
            if seen.phase.to_string() != phase.name && intent != Intent::Neither {
                return None;
            }
            let to = after & !own | from & own;
            if (from ^ to).count_ones() > MAX_LINES {
                return None;
            }
            match intent {
                Intent::Neither => {
                    let is_between = (from ^ found.between) & !(from ^ to) == 0;
                    is_between.then_some(Change { from, to, ..found })
                }
                Intent::Hold => {
                    let must = register.must_hold(to, stable);
                    values(from ^ to).find_map(|way| {
                        let between = from ^ way;
                        let lost = (rom.next(between) ^ between) & must;
                        (lost != 0).then(|| Change { from, to, between, line: lost.trailing_zeros() })
                    })
                }
                Intent::Step => {
                    let goal = rom.next(to);
                    values((to & own) ^ goal).find_map(|way| {
                        let between = to ^ way;
                        let lost = rom.next(between) ^ goal;
                        let (from, to) = (to, to & !own | goal);
                        (lost != 0).then(|| Change { from, to, between, line: lost.trailing_zeros() })
                    })
                }
            }
        };
        reach(self.board, self.stop, &[&rom.chip.name], &[], trouble)
    }

    /// Looks for an instruction that writes to a RAM while this line moves.
    fn written(&self, ram: &Chip, phase: &Phase, line: usize) -> (Option<Between>, Option<Reached>) {
        let Some(pin) = self.netlist.nets[write_line(ram)].driver else { return (None, None) };
        let Some(driver) = Rom::of(self.netlist, pin.chip) else { return (None, None) };
        let name = &driver.chip.name;
        let nets = [self.name(ram.reads[line]).to_owned()];
        let found = reach(self.board, self.stop, &[name], &nets, |seen| {
            let (Some(&from), Some(&to)) = (seen.before.first(), seen.after.first()) else { return None };
            let fits = seen.phase.to_string() == phase.name
                && seen.all_moved
                && (from ^ to).count_ones() <= MAX_LINES;
            let writes = |way: u32| driver.cell(from ^ way) >> pin.line & 1 == 1;
            let way = if fits { values(from ^ to).find(|&way| writes(way)) } else { None };
            way.map(|way| Between { chip: name.clone(), from, to, between: from ^ way })
        });
        found.map_or((None, None), |(reached, between)| (Some(between), Some(reached)))
    }
}
