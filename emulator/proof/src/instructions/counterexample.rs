//! An instruction with a wrong effect: in a state that a program can reach, with such a program.

use super::case::Case;
use super::comparison::{Cycle, Difference, What, run};
use super::observed::Observer;
use super::program::search;
use super::shortest::{MAX_CYCLES, Search, ShortestProgram};
use crate::cycle::{Repair, Start};
use crate::limits::Limits;
use crate::mismatch::{Aspect, Mismatch, Program};
use crate::phase::Phase;
use crate::report::Verdict;
use gray1_isa::{Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::logic::{FALSE, Function, TRUE, TooLarge, Variable, constant};
use gray1_machine::netlist::NetId;
use gray1_machine::{Inputs, Noise};
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

/// The result of the comparison with the instruction set.
pub(crate) enum Conclusion {
    Right,
    /// Faults that can be seen from outside.
    Wrong(Vec<(Aspect, Mismatch)>),
    /// A difference in some state, which no run reached, or which cannot be seen from outside.
    Unseen(Aspect, Mismatch),
}

impl Conclusion {
    /// Returns the verdict on one aspect. If the word itself is wrong, nothing is known about what is done with it.
    pub fn verdict(&self, aspect: Aspect) -> Verdict {
        match self {
            Conclusion::Right => Verdict::Proved,
            Conclusion::Wrong(faults) if faults.iter().any(|(wrong, _)| *wrong == aspect) => Verdict::Refuted,
            Conclusion::Wrong(faults) if faults.iter().any(|(wrong, _)| *wrong == Aspect::Fetch) => {
                Verdict::Undecided
            }
            Conclusion::Wrong(_) => Verdict::Proved,
            Conclusion::Unseen(differs, _) if *differs == aspect => Verdict::Undecided,
            Conclusion::Unseen(..) => Verdict::Proved,
        }
    }
}

/// The data needed to explain a fault.
pub(crate) struct Explanation<'a> {
    pub board: &'a Board,
    pub phases: &'a [Phase],
    pub limits: &'a Limits,
    pub stop: &'a AtomicBool,
}

impl Explanation<'_> {
    /// Explains what is wrong: for each aspect, the fault that a program can show earliest, or else the one found
    /// first. A fault counts only if it can be seen from outside; if none can, the result is the difference itself.
    pub fn of_all(&self, cycle: &mut Cycle) -> Result<Conclusion, TooLarge> {
        if cycle.wrong.is_empty() {
            return Ok(Conclusion::Right);
        }
        let mut observer = Observer::power_up(self.board, Noise::Zeros);
        let mut is_seen = |mismatch: &mut Mismatch| {
            let (Some(program), Some(observer)) = (&mut mismatch.program, &mut observer) else {
                return false;
            };
            program.observed = observer.observes(&program.placed, program.held);
            program.observed.is_some()
        };
        let faults = by_aspect(cycle)?;
        let mut explained = self.soonest(cycle, &faults, &mut is_seen);
        let mut unseen = None;
        for (aspect, wrong) in &faults {
            if !explained.contains_key(aspect) {
                let case = Case { levels: witness(cycle, wrong), cycle };
                let mut mismatch = self.of(&case, wrong);
                mismatch.program = case.program(self.board).map(Box::new);
                if is_seen(&mut mismatch) {
                    explained.insert(*aspect, mismatch);
                } else {
                    unseen.get_or_insert((*aspect, mismatch));
                }
            }
        }
        Ok(match unseen {
            Some((aspect, mismatch)) if explained.is_empty() => match by_chance(self.board, self.stop) {
                Some(seen) => Conclusion::Wrong(vec![seen]),
                None => Conclusion::Unseen(aspect, mismatch),
            },
            _ => Conclusion::Wrong(explained.into_iter().collect()),
        })
    }

    /// Explains the faults that a program can show earliest. All faults are searched for together, cycle by cycle.
    fn soonest(
        &self,
        cycle: &Cycle<'_>,
        faults: &[(Aspect, Difference)],
        is_seen: &mut impl FnMut(&mut Mismatch) -> bool,
    ) -> BTreeMap<Aspect, Mismatch> {
        let mut explained = BTreeMap::new();
        let Some(mut search) = Search::new(cycle, self.limits, self.stop) else {
            return explained;
        };
        // The search assumes that stores are right up to the first cycle in which anything is wrong.
        let stores_rightly = faults.iter().all(|(_, wrong)| wrong.what != What::Store);
        let mut is_exact = true;
        for last in 0..MAX_CYCLES {
            for (aspect, wrong) in faults {
                if explained.contains_key(aspect) {
                    continue;
                }
                match search.program(cycle, wrong.states, last) {
                    Ok(None) => {}
                    Ok(Some(ShortestProgram { words, inputs, levels })) => {
                        let case = Case { cycle, levels };
                        let mut mismatch = self.of(&case, wrong);
                        let program = Program::of(self.board, &words, inputs);
                        let program = match program {
                            Some(mut program) => {
                                program.is_soonest = is_exact && program.cycle == last as u64;
                                Some(program)
                            }
                            None => case.program(self.board),
                        };
                        mismatch.program = program.map(Box::new);
                        if is_seen(&mut mismatch) {
                            explained.insert(*aspect, mismatch);
                        }
                    }
                    Err(_) => is_exact = false,
                }
            }
            is_exact &= stores_rightly || explained.is_empty();
        }
        explained
    }

    /// Explains one fault.
    fn of(&self, case: &Case, wrong: &Difference) -> Mismatch {
        let (nets, expected, got) = case.compared(wrong);
        let chain = case.chain(&nets, wrong.lookups);
        let cells = chain.iter().map(|(cell, _)| cell.clone()).collect();
        let wrong_cell = chain.iter().find(|(_, repair)| repair.is_some_and(|repair| self.repairs(repair)));
        let wrong_cell = wrong_cell.map(|(cell, _)| cell.clone());
        Mismatch { case: case.in_words(), expected, got, cells, wrong_cell, program: None }
    }

    /// Whether changing one level of one cell would make the board right.
    fn repairs(&self, repair: Repair) -> bool {
        // A correct board needs half of these nodes; for an incorrect one it is enough to know that.
        let limits = Limits { nodes: self.limits.nodes.min(1 << 16), ..*self.limits };
        let start = Start::find(self.board.netlist(), &self.phases[1].start, &limits, Some(repair));
        let cycle = start.and_then(|start| run(start, self.phases, self.stop));
        cycle.is_ok_and(|cycle| cycle.wrong.is_empty())
    }
}

/// Returns the faults, by the aspect of the instruction that is wrong.
fn by_aspect(cycle: &mut Cycle) -> gray1_machine::logic::Result<Vec<(Aspect, Difference)>> {
    let mut faults = Vec::new();
    let decided = cycle.board.levels[cycle.board.netlist.panel.jump_master[0]];
    let diagrams = &mut cycle.board.diagrams;
    let jmp = diagrams.is(&cycle.before.word[13..], Opcode::Jmp as u16)?;
    let misjudged = diagrams.differ(decided, cycle.after.jumped)?;
    // A machine that has halted shows nothing any more, unless it goes on.
    let goes_on = diagrams.differ_anywhere(&cycle.after.counter, &cycle.before.counter)?;
    for wrong in &cycle.wrong {
        let seen = diagrams.and(wrong.states, goes_on)?;
        let states = if seen == FALSE || wrong.what == What::Counter { wrong.states } else { seen };
        let wrong = Difference { states, ..*wrong };
        let others = diagrams.choose(jmp, FALSE, wrong.states)?;
        let jumps = (Aspect::Jumps, diagrams.and(wrong.states, jmp)?);
        let parts = match wrong.what {
            What::Accumulator | What::Carry => vec![(Aspect::Data, wrong.states)],
            What::Store | What::Strobe(_) | What::Shown(_) => vec![(Aspect::Addresses, wrong.states)],
            What::Target => vec![(Aspect::Jumps, wrong.states)],
            What::Jumped => vec![jumps, (Aspect::Branches, others)],
            What::Counter => {
                let judged = diagrams.choose(misjudged, FALSE, others)?;
                vec![
                    jumps,
                    (Aspect::Branches, diagrams.and(others, misjudged)?),
                    (Aspect::Jumps, diagrams.and(judged, cycle.after.jumped)?),
                    (Aspect::Steps, diagrams.choose(cycle.after.jumped, FALSE, judged)?),
                ]
            }
        };
        let parts = parts.into_iter().filter(|(_, states)| *states != FALSE);
        faults.extend(parts.map(|(aspect, states)| (aspect, Difference { states, ..wrong })));
    }
    Ok(faults)
}

/// Finds an instruction that goes wrong in a random program, for a board that is too complex for diagrams.
pub(crate) fn by_search(board: &Board, stop: &AtomicBool) -> Option<(Aspect, Mismatch)> {
    let mut observer = Observer::power_up(board, Noise::Zeros)?;
    if let Some((way, seen)) = search(board, stop)
        && let [(_, last), (pc, word)] = way.words[..]
        && let Some(mut program) = way.program(board, Inputs::default())
    {
        program.observed = observer.observes(&program.placed, program.held);
        if program.observed.is_some() {
            let carry = u8::from(way.c);
            let case = format!("{word} at {pc:03X} with A = {:02X}, C = {carry}, after {last}", way.a);
            return Some(searched(word, case, seen, program));
        }
    }
    by_chance(board, stop)
}

/// Finds a fault that can be seen from outside in one of many programs.
fn by_chance(board: &Board, stop: &AtomicBool) -> Option<(Aspect, Mismatch)> {
    let sight = Observer::power_up(board, Noise::Zeros)?.any(None, stop)?;
    let place = *sight.ran.last()?;
    let word = sight.image.word(place);
    let case = format!("{word} at {place:03X} in cycle {}", sight.cycle);
    Some(searched(word, case, sight.seen.clone(), sight.program()))
}

fn searched(word: Word, case: String, got: String, program: Program) -> (Aspect, Mismatch) {
    let aspect = match word.opcode() {
        Opcode::Sta => Aspect::Addresses,
        Opcode::Jmp => Aspect::Jumps,
        Opcode::Jc | Opcode::Jz => Aspect::Branches,
        _ => Aspect::Steps,
    };
    (aspect, Mismatch::shown(case, "what the instruction set says".to_owned(), got, program))
}

/// Levels of variables for which a function is 1, if there are levels that a previous instruction can have left: the
/// masters have the values of the slaves, after a jump to the current value of the counter. The rows are dark if
/// possible.
fn witness(cycle: &mut Cycle, wrong: &Difference) -> HashMap<Variable, bool> {
    let mut states = wrong.states;
    let panel = &cycle.board.netlist.panel;
    let on = |nets: &[NetId]| nets.iter().map(|&net| cycle.first[net]).collect::<Vec<_>>();
    let pairs = [
        (&panel.accumulator_master, &panel.accumulator),
        (&panel.carry_master, &panel.carry),
        (&panel.target, &panel.counter),
    ];
    let mut equal: Vec<(Function, Function)> =
        pairs.into_iter().flat_map(|(one, other)| on(one).into_iter().zip(on(other))).collect();
    // An instruction in the upper half of the program leaves room for the instructions that lead there.
    let high = panel.counter.last().into_iter().chain(&panel.jump_master);
    equal.extend(high.map(|&net| (cycle.first[net], TRUE)));
    equal.extend(
        panel
            .outlets()
            .flat_map(|outlet| on(&outlet.latch).into_iter().map(|line| (line, constant(outlet.inverted)))),
    );
    // A store is visible only if RAM holds another value.
    if wrong.what == What::Store {
        equal.extend([(cycle.before.accumulator[0], TRUE), (cycle.before.byte[0], FALSE)]);
    }
    let diagrams = &mut cycle.board.diagrams;
    let parity = diagrams.parity(&on(&panel.counter));
    equal.extend(parity.ok().map(|parity| (cycle.first[panel.tick_master[0]], parity)));
    for (one, other) in equal {
        // Conditions that take too many nodes are skipped.
        if let Ok(both) = diagrams.differ(one, other).and_then(|differ| diagrams.and(states, !differ))
            && both != FALSE
        {
            states = both;
        }
    }
    diagrams.witness(states).into_iter().collect()
}
