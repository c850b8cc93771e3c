//! What can move in each phase, read off the tables.
//!
//! The state of the sequencer is known at the end of every phase, and the tables tell what follows from it: closed
//! latches, enables at 0. Where more is needed, a phase is looked at case by case: for each opcode, and with and without a
//! jump, as long as these do not move in the phase themselves.

use super::tables::{Facts, Known, Tables};
use crate::circuit::{Circuit, Net};
use std::sync::Arc;

/// Phases of a machine cycle.
pub const PHASES: usize = 4;
/// The sequencer's states at the end of the phases.
const STATES: [u32; PHASES] = [0b00, 0b01, 0b11, 0b10];

/// One case of one phase.
pub struct Case {
    /// The nets that are assumed to stand at these levels.
    pub assumed: Vec<(Net, bool)>,
    /// What is known at the end of the phase before, and of this one.
    pub before: Known,
    pub after: Known,
    /// For each chip and line: the data bits that the line can change while what is known at both ends stands.
    pub during: Vec<Arc<Facts>>,
    /// The same while the phase before ends, and while this one does.
    pub facts_before: Vec<Arc<Facts>>,
    pub facts_after: Vec<Arc<Facts>>,
    /// Whether each net can move because of the edge that begins the phase.
    pub moves: Vec<bool>,
    /// For each chip, the bits that its known lines change by themselves, and whether nothing else changes it.
    pub by_known: Vec<(u8, bool)>,
}

/// All cases of a phase.
pub struct Phase {
    /// Without any assumption.
    pub plain: Case,
    pub cases: Vec<Case>,
}

impl Phase {
    /// The four phases of a board. With `jumps_right`, no jump carries a wrong parity: the counter stands still after
    /// it has loaded.
    pub fn all(circuit: &Circuit, jumps_right: bool) -> Vec<Phase> {
        let mut tables = Tables::new(circuit);
        (0..PHASES)
            .map(|phase| {
                let plain = Case::make(circuit, &mut tables, phase, Vec::new(), jumps_right);
                let panel = &circuit.panel;
                let opcode = panel.word[panel.word.len() - 3..].iter();
                let questions: Vec<Net> =
                    opcode.chain([&panel.jump_master]).copied().filter(|&net| !plain.moves[net]).collect();
                let cases = (0..1u32 << questions.len()).map(|answers| {
                    let assumed =
                        questions.iter().enumerate().map(|(bit, &net)| (net, answers >> bit & 1 == 1));
                    Case::make(circuit, &mut tables, phase, assumed.collect(), jumps_right)
                });
                let cases = cases.collect();
                Phase { plain, cases }
            })
            .collect()
    }
}

impl Case {
    fn make(
        circuit: &Circuit,
        tables: &mut Tables,
        phase: usize,
        assumed: Vec<(Net, bool)>,
        jumps_right: bool,
    ) -> Case {
        let mut before = known_at((phase + PHASES - 1) % PHASES, circuit, &assumed);
        let mut after = known_at(phase, circuit, &assumed);
        tables.follow(&mut before);
        tables.follow(&mut after);
        let still: Known =
            before.iter().zip(&after).map(|(before, after)| before.filter(|_| before == after)).collect();
        // If a line moves whose level is known at one end of the phase, it is known at the other too.
        for (before, after) in before.iter_mut().zip(&mut after) {
            match (*before, *after) {
                (Some(level), None) => *after = Some(!level),
                (None, Some(level)) => *before = Some(!level),
                _ => {}
            }
        }
        let facts = |tables: &mut Tables, known: &Known| -> Vec<Arc<Facts>> {
            circuit.chips.iter().map(|chip| tables.facts(chip, known)).collect()
        };
        let mut case = Case {
            assumed,
            during: facts(tables, &still),
            facts_before: facts(tables, &before),
            facts_after: facts(tables, &after),
            moves: vec![false; circuit.nets.len()],
            by_known: vec![(0, true); circuit.chips.len()],
            before,
            after,
        };
        case.moves[circuit.panel.oscillator] = true;
        let mut grows = true;
        while std::mem::take(&mut grows) {
            for number in 0..circuit.chips.len() {
                // A counter that has loaded a right target stands still.
                let rests = jumps_right
                    && phase == 0
                    && circuit.panel.counter.iter().any(|&net| circuit.driver[net] == Some(number));
                if !rests {
                    grows |= case.grow(circuit, tables, number);
                }
            }
        }
        case
    }

    /// Adds the lines of a chip that can move because of lines that do; says whether there was one.
    fn grow(&mut self, circuit: &Circuit, tables: &mut Tables, number: usize) -> bool {
        let chip = &circuit.chips[number];
        let foreign = chip.reads.iter().enumerate().filter(|(_, net)| !chip.gives().contains(net));
        let moving: Vec<(usize, Net)> =
            foreign.map(|(line, &net)| (line, net)).filter(|&(_, net)| self.moves[net]).collect();
        if moving.is_empty() {
            return false;
        }
        let open = moving.iter().filter(|&&(_, net)| !self.is_control(net));
        let by_open = open.fold(0, |bits, &(line, _)| bits | self.during[number].moves[line]);
        let bits = if by_open == 0 {
            let bits = tables.changes(chip, &self.before, &self.after);
            self.by_known[number] = (bits, true);
            bits
        } else {
            self.by_known[number].1 = false;
            moving.iter().fold(0, |bits, &(line, _)| bits | self.during[number].moves[line])
        };
        let mut grew = false;
        for (bit, net) in chip.gives().enumerate() {
            let is_fixed = self.before[net].is_some() && self.before[net] == self.after[net];
            if bits >> bit & 1 == 1 && !is_fixed && !self.moves[net] {
                self.moves[net] = true;
                grew = true;
            }
        }
        grew
    }

    /// Whether a net is known to go from one level to the other in this phase.
    pub fn is_control(&self, net: Net) -> bool {
        matches!((self.before[net], self.after[net]), (Some(before), Some(after)) if before != after)
    }

    /// The data bits of a chip that a line can move in this phase.
    pub fn moved_by(&self, chip: usize, line: usize) -> u8 {
        let (bits, is_all) = self.by_known[chip];
        if is_all { bits } else { self.during[chip].moves[line] }
    }
}

fn known_at(phase: usize, circuit: &Circuit, assumed: &[(Net, bool)]) -> Known {
    let panel = &circuit.panel;
    let mut known = vec![None; circuit.nets.len()];
    known[panel.oscillator] = Some(phase % 2 == 1);
    known[panel.reset] = Some(false);
    for (bit, &net) in panel.sequence.iter().enumerate() {
        known[net] = Some(STATES[phase] >> bit & 1 == 1);
    }
    for &(net, level) in assumed {
        known[net] = Some(level);
    }
    known
}
