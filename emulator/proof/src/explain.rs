//! Counterexamples for people: what is lost, why the lines move, and where a machine gets there.

use crate::duty::Duty as Duties;
use crate::loops::{Change, Loss, Lost};
use crate::motion::{Motion, Motions, Phase};
use crate::order::{Open, Opening};
use crate::reach::{Reached, Seen, reach};
use crate::report::{Between, Counterexample, Duty, LineLevels, LoopFault, RingFault, WritingFault};
use crate::wiring::{Chip, Holds, Net, Wiring, values};
use gray1_machine::board::Board;
use std::sync::atomic::AtomicBool;

/// More lines than this between two addresses, and the addresses between are not tried for a case in point.
const MOST_LINES: u32 = 12;
/// Where not one line, nor two or three together, move another, its cause is left out of an explanation.
const MOST_CAUSES: u32 = 3;

/// The board, what is known of it, and how to explain it.
pub(crate) struct Explain<'a> {
    pub board: &'a Board,
    pub wiring: &'a Wiring,
    pub motions: &'a Motions,
    pub stop: &'a AtomicBool,
}

impl Explain<'_> {
    /// A loop that loses a bit.
    pub fn lost(&self, lost: Lost, also: Vec<String>) -> Counterexample {
        let chip = &self.wiring.chips[lost.chip];
        let phase = &self.motions.phases[lost.phase];
        match lost.kind {
            Loss::Holding(change) => self.fault(lost, also, Duty::Hold, change),
            Loss::Going(change) => self.fault(lost, also, Duty::Go, change),
            Loss::Neither { address, line } => self.fault(
                lost,
                also,
                Duty::Neither,
                Change { from: address, to: address, between: address, line },
            ),
            Loss::Writing { line } => {
                let write = chip.lines[chip.lines.len() - 1];
                let net = chip.lines[line as usize];
                let (driver, reached) = self.written(chip, lost.phase, line as usize);
                Counterexample::Writing(Box::new(WritingFault {
                    chip: chip.name.clone(),
                    also,
                    phase: phase.name.clone(),
                    line: self.wiring.nets[net].clone(),
                    because: self.because(phase, net),
                    write: self.wiring.nets[write].clone(),
                    write_because: self.because(phase, write),
                    driver,
                    reached,
                }))
            }
        }
    }

    fn fault(&self, lost: Lost, also: Vec<String>, duty: Duty, found: Change) -> Counterexample {
        let chip = &self.wiring.chips[lost.chip];
        let phase = &self.motions.phases[lost.phase];
        let (change, reached) = match self.in_a_machine(lost, duty, found) {
            Some((reached, change)) => (change, Some(reached)),
            None => (found, None),
        };
        let level = |address: u32, line: usize| (address >> line & 1) as u8;
        let moves = (change.from ^ change.to) | (change.from ^ change.between);
        let lines = chip.lines.iter().enumerate().filter(|(line, _)| moves >> line & 1 == 1);
        let lines: Vec<LineLevels> = lines
            .map(|(line, &net)| LineLevels {
                net: self.wiring.nets[net].clone(),
                from: level(change.from, line),
                between: level(change.between, line),
                to: level(change.to, line),
            })
            .collect();
        let moved = chip.lines.iter().enumerate().filter(|(line, net)| {
            (change.from ^ change.between) >> line & 1 == 1 && !chip.data.contains(net)
        });
        let first = moved.map(|(_, net)| *net).min_by_key(|&net| phase.motion[net] == Motion::Quiet);
        Counterexample::Loop(Box::new(LoopFault {
            chip: chip.name.clone(),
            also,
            phase: phase.name.clone(),
            duty,
            lost: self.wiring.nets[chip.lines[change.line as usize]].clone(),
            from: change.from,
            to: change.to,
            between: change.between,
            data: chip.table().map_or(0, |cells| cells[change.between as usize]),
            lines,
            because: first.map_or(vec![], |net| self.because(phase, net)),
            reached,
        }))
    }

    /// A ring that is open.
    pub fn open(&self, open: &Open, also: Vec<String>) -> Counterexample {
        let phase = &self.motions.phases[open.phase];
        let levels = |levels: &[(Net, bool)]| {
            let each =
                levels.iter().map(|&(net, level)| format!("{}={}", self.wiring.nets[net], u8::from(level)));
            each.collect::<Vec<_>>().join(" ")
        };
        let (mut orders, mut differing) = (vec![], vec![]);
        let why = match &open.kind {
            Opening::Uncut { levels: at } => {
                format!("nothing cuts the ring while {}: a change can run around in it", levels(at))
            }
            Opening::TwoEnds { start, ways, differ } => {
                orders = ways.iter().map(|way| self.wiring.names(way.iter().copied())).collect();
                differing = self.wiring.names(differ.iter().copied());
                format!("from {} two orders of events lead to two ends", levels(start))
            }
            Opening::Endless { start, way } => {
                orders = vec![self.wiring.names(way.iter().copied())];
                format!("from {} the lines can go on moving for ever", levels(start))
            }
            Opening::TooLarge => "it has more states than can be visited, and nothing cuts it".to_owned(),
        };
        let around = self.wiring.names(open.around.iter().copied());
        let chips: Vec<String> =
            open.chips.iter().map(|&chip| self.wiring.chips[chip].name.clone()).collect();
        let in_ring = |seen: &Seen| {
            let restless = seen
                .unsettled
                .is_some_and(|unsettled| unsettled.chips.iter().any(|chip| chips.contains(chip)));
            (seen.phase.to_string() == phase.name && (restless || seen.all_moved)).then_some(())
        };
        let reached =
            reach(self.board, self.stop, &[], &around, |seen| in_ring(&seen)).map(|(reached, ())| reached);
        Counterexample::Ring(Box::new(RingFault {
            phase: phase.name.clone(),
            chips: chips.clone(),
            also,
            because: open.around.first().map_or(vec![], |&net| self.because(phase, net)),
            around,
            why,
            orders,
            differ: differing,
            reached,
        }))
    }

    /// Why a net moves: each line of the answer is a net and what moves it, back to what comes from outside.
    fn because(&self, phase: &Phase, mut net: Net) -> Vec<String> {
        let mut steps = Vec::new();
        while phase.motion[net] != Motion::Quiet {
            let name = &self.wiring.nets[net];
            let Some((driver, bit)) = self.wiring.drivers[net] else {
                steps.push(format!("{name} comes from outside"));
                break;
            };
            let chip = &self.wiring.chips[driver];
            if phase.found[net] == 0 {
                steps.push(format!("{name} is moved by the clock, {}", chip.name));
                break;
            }
            let Some((cause, why)) = self.cause(phase, chip, bit, phase.found[net]) else { break };
            steps.push(format!("{name} is moved by {} {why}", chip.name));
            net = cause;
        }
        steps
    }

    /// A line found to move earlier that makes a chip move a data line, and how.
    fn cause(&self, phase: &Phase, chip: &Chip, bit: u32, found: u32) -> Option<(Net, String)> {
        let earlier = |net: Net| phase.motion[net] != Motion::Quiet && phase.found[net] < found;
        let name = |net: Net| &self.wiring.nets[net];
        let Holds::Table(cells) = &chip.holds else {
            let net = chip.lines.iter().copied().find(|&net| earlier(net))?;
            return Some((net, format!("when {} moves", name(net))));
        };
        let (from, way) = (1..=MOST_CAUSES).find_map(|count| {
            phase.scenarios(chip).into_iter().find_map(|scenario| {
                let lines = (0..).zip(&chip.lines);
                let moving =
                    lines.filter(|(_, net)| earlier(**net)).fold(0u32, |mask, (line, _)| mask | 1 << line);
                let level = |address: u32| cells[address as usize] >> bit & 1;
                let ways: Vec<u32> =
                    values(moving & scenario.moving()).filter(|way| way.count_ones() == count).collect();
                let mut begins = scenario
                    .addresses(chip.lines.len())
                    .filter(|&from| scenario.begins(from) && chip.rests(from, cells[from as usize]));
                begins.find_map(|from| {
                    ways.iter().find(|way| level(from ^ **way) != level(from)).map(|&way| (from, way))
                })
            })
        })?;
        let net = chip.lines[way.trailing_zeros() as usize];
        let digits = chip.lines.len().div_ceil(4);
        let level = cells[(from ^ way) as usize] >> bit & 1;
        let to = from ^ way;
        Some((
            net,
            format!("when {} moves: at {to:0digits$X} it gives {level}, at {from:0digits$X} not", name(net)),
        ))
    }

    /// Looks for an instruction that takes the chip into trouble of this kind.
    fn in_a_machine(&self, lost: Lost, duty: Duty, found: Change) -> Option<(Reached, Change)> {
        let chip = &self.wiring.chips[lost.chip];
        let cells = chip.table()?;
        let own = chip.own_lines();
        let duties = Duties::of(chip, cells);
        let phase = &self.motions.phases[lost.phase];
        let quiet =
            chip.own.iter().filter(|(line, _)| phase.motion[chip.lines[*line as usize]] == Motion::Quiet);
        let quiet = quiet.fold(0, |mask, (line, _)| mask | 1u32 << line);
        let turned = |address: u32| chip.turned(cells[address as usize]);
        let trouble = |seen: Seen| -> Option<Change> {
            let (Some(&from), Some(&after)) = (seen.before.first(), seen.after.first()) else { return None };
            if seen.phase.to_string() != phase.name && duty != Duty::Neither {
                return None;
            }
            let to = after & !own | from & own;
            if (from ^ to).count_ones() > MOST_LINES {
                return None;
            }
            match duty {
                Duty::Neither => {
                    let between = found.between;
                    ((from ^ between) & !(from ^ to) == 0).then_some(Change {
                        from,
                        to,
                        between,
                        line: found.line,
                    })
                }
                Duty::Hold => {
                    let must = duties.must_hold(chip, to, quiet);
                    values(from ^ to).find_map(|way| {
                        let between = from ^ way;
                        let lost = (turned(between) ^ between) & must;
                        (lost != 0).then(|| Change { from, to, between, line: lost.trailing_zeros() })
                    })
                }
                Duty::Go => {
                    let goal = turned(to);
                    values((to & own) ^ goal).find_map(|way| {
                        let between = to ^ way;
                        let lost = turned(between) ^ goal;
                        let (from, to) = (to, to & !own | goal);
                        (lost != 0).then(|| Change { from, to, between, line: lost.trailing_zeros() })
                    })
                }
            }
        };
        reach(self.board, self.stop, &[&chip.name], &[], trouble)
    }

    /// Looks for an instruction that writes to a RAM while this line moves.
    fn written(&self, ram: &Chip, phase: usize, line: usize) -> (Option<Between>, Option<Reached>) {
        let write = ram.lines[ram.lines.len() - 1];
        let Some((driver, bit)) = self.wiring.drivers[write] else { return (None, None) };
        let driver = &self.wiring.chips[driver];
        let Some(cells) = driver.table() else { return (None, None) };
        let nets = [self.wiring.nets[ram.lines[line]].clone()];
        let phase = &self.motions.phases[phase].name;
        let found = reach(self.board, self.stop, &[&driver.name], &nets, |seen| {
            let (Some(&from), Some(&to)) = (seen.before.first(), seen.after.first()) else { return None };
            let fits =
                seen.phase.to_string() == *phase && seen.all_moved && (from ^ to).count_ones() <= MOST_LINES;
            let writes = |way: u32| cells[(from ^ way) as usize] >> bit & 1 == 1;
            let way = if fits { values(from ^ to).find(|&way| writes(way)) } else { None };
            way.map(|way| Between { chip: driver.name.clone(), from, to, between: from ^ way })
        });
        found.map_or((None, None), |(reached, between)| (Some(between), Some(reached)))
    }
}
