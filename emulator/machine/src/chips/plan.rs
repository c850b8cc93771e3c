//! A plan for the lookups of a machine cycle.
//!
//! For each of the four phases, a plan lists the banks that usually have to be looked up, in the order in which a
//! change propagates: each once, instead of once for every address line that changes. A plan is only a guess, and any
//! guess is correct: each lookup has a set of watched data lines, those that are read by a bank which the rest of the
//! plan does not look up. If one of them changes, the phase is settled by the general rule. So at the end of a phase
//! the output of every chip is the cell at its address. Plans are made only for boards on which this leaves one result,
//! whatever the order of lookups.

use super::lookups::Lookups;
use super::step::Row;
use crate::engine::{PHASES, Unsettled};
use crate::plain::PlainEngine;
use crate::wires::{Data, Levels};

/// The lookups of a machine cycle; `phases[p]` are those that lead to phase p.
pub(super) struct Plan {
    pub phases: [PhasePlan; PHASES],
    /// The levels of the clock at the end of each phase, for which this plan was made: bank, lines, levels.
    pub clock: [Vec<(usize, Data, Data)>; PHASES],
}

pub(super) struct PhasePlan {
    pub number: usize,
    /// The oscillator: its bank, and its line there.
    pub oscillator: (u8, Data),
    /// The steps that are always looked up.
    pub usual: Row,
    /// The steps that are looked up if the usual steps have changed a line that a bank of the detour reads.
    pub detour: Row,
    /// The banks of the detour.
    pub detour_banks: u64,
    pub lookups: Lookups,
}

impl Plan {
    /// Whether the clock has the levels that this plan expects at the end of a phase.
    pub fn fits(&self, phase: usize, levels: &Levels) -> bool {
        self.clock[phase].iter().all(|&(bank, lines, expected)| levels[bank] & lines == expected)
    }
}

impl PhasePlan {
    /// Runs one phase.
    #[inline(always)]
    pub fn run(&self, plain: &mut PlainEngine) -> Result<(), Unsettled> {
        let PlainEngine { levels, cells, .. } = plain;
        let affected = &self.lookups.affected;
        let (bank, line) = self.oscillator;
        levels[usize::from(bank)] ^= line;
        let dirty = self.usual.run(affected, levels, cells);
        if dirty == 0 { Ok(()) } else { self.detour(plain, dirty) }
    }

    /// Runs the detour, and then the general rule for the banks that are in neither row.
    #[inline(never)]
    fn detour(&self, plain: &mut PlainEngine, mut dirty: u64) -> Result<(), Unsettled> {
        let PlainEngine { levels, cells, .. } = plain;
        if dirty & self.detour_banks != 0 {
            dirty = dirty & !self.detour_banks | self.detour.run(&self.lookups.affected, levels, cells);
        }
        if dirty == 0 {
            return Ok(());
        }
        self.lookups.settle(levels, cells, dirty, |_| ()).map_err(|unsettled| {
            plain.phase = (self.number + PHASES - 1) % PHASES;
            plain.unsettled(unsettled)
        })
    }
}
