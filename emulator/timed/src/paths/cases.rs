//! Derives from the tables which nets can change in each phase.
//!
//! The state of the sequencer is known at the end of every phase, and other levels follow from it by the tables:
//! latches that are closed, enables that are 0. In addition, a phase is divided into cases, one for each opcode, with
//! and without a jump, if these nets do not change in the phase themselves.

use gray1_machine::PHASES;
use gray1_machine::netlist::{ChipId, NetId, Netlist};
use gray1_machine::tables::{Known, Tables};

/// The states of the sequencer at the end of the phases.
const STATES: [u32; PHASES] = [0b00, 0b01, 0b11, 0b10];

/// For each chip and each line that it reads, the data lines that the line can change.
pub type Influence = Vec<Vec<u8>>;

/// One case of one phase.
pub struct Case {
    /// The levels that are assumed.
    pub assumed: Vec<(NetId, bool)>,
    /// The known levels at the end of the previous phase.
    before: Known,
    /// The known levels at the end of this phase.
    after: Known,
    /// The influence of each line at the end of the previous phase.
    pub influence_before: Influence,
    /// The influence at the end of this phase.
    pub influence_after: Influence,
    /// The influence with only those levels that are known at both ends.
    pub influence_during: Influence,
    /// Whether each net can change because of the edge that begins the phase.
    pub moves: Vec<bool>,
    /// For each chip whose only lines that can change are controls, the data lines that they change together.
    by_controls: Vec<Option<u8>>,
}

/// All cases of a phase.
pub struct Phase {
    /// The phase with nothing assumed.
    pub any: Case,
    pub cases: Vec<Case>,
}

impl Phase {
    /// The four phases of a board. With `jumps_right`, no jump has a wrong parity: the counter does not change after it
    /// is loaded.
    pub fn all(netlist: &Netlist, jumps_right: bool) -> Vec<Phase> {
        let mut tables = Tables::new(netlist);
        (0..PHASES).map(|phase| Phase::find(netlist, &mut tables, phase, jumps_right)).collect()
    }

    fn find(netlist: &Netlist, tables: &mut Tables, phase: usize, jumps_right: bool) -> Phase {
        let any = Case::find(netlist, tables, phase, Vec::new(), jumps_right);
        let panel = &netlist.panel;
        let opcode = &panel.word[panel.word.len() - 3..];
        let open: Vec<NetId> =
            opcode.iter().chain(&panel.jump_master).copied().filter(|&net| !any.moves[net]).collect();
        let cases = (0..1u32 << open.len()).map(|levels| {
            let assumed = open.iter().enumerate().map(|(bit, &net)| (net, levels >> bit & 1 == 1));
            Case::find(netlist, tables, phase, assumed.collect(), jumps_right)
        });
        let cases = cases.collect();
        Phase { any, cases }
    }
}

impl Case {
    fn find(
        netlist: &Netlist,
        tables: &mut Tables,
        phase: usize,
        assumed: Vec<(NetId, bool)>,
        jumps_right: bool,
    ) -> Case {
        let mut before = known_at((phase + PHASES - 1) % PHASES, netlist, tables, &assumed);
        let mut after = known_at(phase, netlist, tables, &assumed);
        let during = before.iter().zip(&after).map(|(before, after)| before.filter(|_| before == after));
        let during: Known = during.collect();
        // If a line can change and its level is known at one end of the phase, it is known at the other end too.
        for (before, after) in before.iter_mut().zip(&mut after) {
            match (*before, *after) {
                (Some(level), None) => *after = Some(!level),
                (None, Some(level)) => *before = Some(!level),
                _ => {}
            }
        }
        let mut influence = |known: &Known| -> Influence {
            (0..netlist.chips.len()).map(|chip| tables.facts(chip, known).moves.clone()).collect()
        };
        let mut case = Case {
            assumed,
            influence_before: influence(&before),
            influence_after: influence(&after),
            influence_during: influence(&during),
            moves: vec![false; netlist.nets.len()],
            by_controls: vec![Some(0); netlist.chips.len()],
            before,
            after,
        };
        case.moves[netlist.panel.oscillator[0]] = true;
        // A counter that has loaded a target with the right parity does not change.
        let counter = netlist.panel.counter.iter().filter(|_| jumps_right && phase == 0);
        let resting: Vec<ChipId> =
            counter.filter_map(|&net| netlist.nets[net].driver).map(|pin| pin.chip).collect();
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for chip in (0..netlist.chips.len()).filter(|chip| !resting.contains(chip)) {
                is_new |= case.grow(netlist, tables, chip);
            }
        }
        case
    }

    /// Adds the data lines of a chip that can change because of lines that it reads; returns whether there were any.
    fn grow(&mut self, netlist: &Netlist, tables: &mut Tables, id: ChipId) -> bool {
        let chip = &netlist.chips[id];
        let others = chip.reads.iter().enumerate().filter(|(_, net)| !chip.data.contains(net));
        let moving: Vec<(usize, &NetId)> = others.filter(|(_, net)| self.moves[**net]).collect();
        if moving.is_empty() {
            return false;
        }
        let influence = |bits, &(line, _): &(usize, &NetId)| bits | self.influence_during[id][line];
        let unknown = moving.iter().filter(|(_, net)| !self.is_control(**net));
        self.by_controls[id] = match unknown.fold(0, influence) {
            0 => Some(tables.changes(id, &self.before, &self.after)),
            _ => None,
        };
        let bits = self.by_controls[id].unwrap_or_else(|| moving.iter().fold(0, influence));
        let mut is_new = false;
        for (bit, &net) in chip.data.iter().enumerate() {
            let is_fixed = self.before[net].is_some() && self.before[net] == self.after[net];
            if bits >> bit & 1 == 1 && !is_fixed && !self.moves[net] {
                self.moves[net] = true;
                is_new = true;
            }
        }
        is_new
    }

    /// Whether a net is known to change from one level to the other in this phase.
    pub fn is_control(&self, net: NetId) -> bool {
        matches!((self.before[net], self.after[net]), (Some(before), Some(after)) if before != after)
    }

    /// The data lines of a chip that a line can change in this phase.
    pub fn moved_by(&self, chip: ChipId, line: usize) -> u8 {
        self.by_controls[chip].unwrap_or(self.influence_during[chip][line])
    }
}

/// The known levels at the end of a phase. The sequencer's other stored lines only change in the last phase.
fn known_at(phase: usize, netlist: &Netlist, tables: &mut Tables, assumed: &[(NetId, bool)]) -> Known {
    let panel = &netlist.panel;
    let mut known = vec![None; netlist.nets.len()];
    known[panel.oscillator[0]] = Some(phase % 2 == 1);
    known[panel.reset[0]] = Some(false);
    for (bit, &net) in panel.sequence.iter().enumerate() {
        known[net] = Some(STATES[phase] >> bit & 1 == 1);
    }
    for &(net, level) in assumed {
        known[net] = Some(level);
    }
    if phase != PHASES - 1 {
        let taken_over = known_at(PHASES - 1, netlist, tables, &[]);
        let sequencers = panel.sequence.iter().filter_map(|&net| netlist.nets[net].driver);
        for chip in sequencers.map(|pin| &netlist.chips[pin.chip]) {
            for net in chip.data.iter().filter(|net| chip.reads.contains(net)) {
                known[*net] = known[*net].or(taken_over[*net]);
            }
        }
    }
    tables.follow(&mut known);
    known
}
