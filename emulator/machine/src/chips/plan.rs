//! The lookups of a machine cycle, planned ahead.
//!
//! A plan lists, for each of the four phases, the banks that usually have to be looked up, in the order in which
//! the change travels: each once, instead of once for every address line that moves. A plan is only a guess, and
//! it may be any guess: behind each lookup stands the set of data lines whose change some bank would have to see
//! that the rest of the plan does not look up. When one of those moves, the phase is settled by the general
//! rule. So a phase always ends with every chip giving what its table says at its address. Only boards are planned for
//! on which that leaves one result, whatever the order of lookups.

use super::lookups::Lookups;
use super::step::Row;
use super::{ChipsEngine, PHASES};
use crate::engine::Unsettled;
use crate::wires::{Data, Levels};

/// The lookups of a machine cycle; `phases[p]` leads to phase p.
pub(super) struct Plan {
    pub phases: [PhasePlan; PHASES],
    /// What the clock's banks show at the end of each phase of a cycle that this plan is for: bank, lines, levels.
    pub clock: [Vec<(usize, Data, Data)>; PHASES],
}

pub(super) struct PhasePlan {
    pub number: usize,
    /// The oscillator: its bank, and its line there.
    pub oscillator: (u8, Data),
    /// Looked up in every phase.
    pub usual: Row,
    /// Looked up where the usual steps have changed what some bank of the detour reads.
    pub detour: Row,
    /// The banks of the detour.
    pub detour_banks: u64,
    pub lookups: Lookups,
}

impl Plan {
    /// Whether the clock stands as this plan expects it at the end of a phase.
    pub fn fits(&self, phase: usize, levels: &Levels) -> bool {
        self.clock[phase].iter().all(|&(bank, lines, expected)| levels[bank] & lines == expected)
    }
}

impl PhasePlan {
    /// Runs one phase.
    #[inline(always)]
    pub fn run(&self, engine: &mut ChipsEngine) -> Result<(), Unsettled> {
        let ChipsEngine { levels, cells, .. } = engine;
        let affected = &self.lookups.affected;
        let (bank, line) = self.oscillator;
        levels[usize::from(bank)] ^= line;
        let dirty = self.usual.run(affected, levels, cells);
        if dirty == 0 { Ok(()) } else { self.detour(engine, dirty) }
    }

    /// The detour, then the general rule for what neither it nor the usual steps see to.
    #[inline(never)]
    fn detour(&self, engine: &mut ChipsEngine, mut dirty: u64) -> Result<(), Unsettled> {
        let ChipsEngine { levels, cells, .. } = engine;
        if dirty & self.detour_banks != 0 {
            dirty = dirty & !self.detour_banks | self.detour.run(&self.lookups.affected, levels, cells);
        }
        if dirty == 0 {
            return Ok(());
        }
        self.lookups.settle(levels, cells, dirty, |_| ()).map_err(|unsettled| {
            engine.phase = (self.number + PHASES - 1) % PHASES;
            engine.unsettled(unsettled)
        })
    }
}
