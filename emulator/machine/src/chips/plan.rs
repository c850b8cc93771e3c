//! The lookups of a machine cycle, planned ahead.
//!
//! A plan lists, for each of the four phases, the banks that usually have to be looked up, in the order in which
//! the change travels: each once, instead of once for every address line that moves. A plan is only a guess, and
//! it may be any guess: behind each lookup stands the set of data lines whose change some bank would have to see
//! that the rest of the plan does not look up. When one of those moves, the phase is settled by the general
//! rule. So a phase always ends with every chip giving what its table says at its address.

use super::pack::Readers;
use super::settle::{readers, settle};
use super::{ChipsEngine, PHASES};
use crate::engine::Unsettled;
use crate::wires::{Bit, Data, Levels, Wire, gather};

/// Wires that every step reads, and those beyond, which only some have.
pub(super) const WIRES: usize = 2;
pub(super) const MORE_WIRES: usize = 4;

/// The lookups of a machine cycle; `phases[p]` leads to phase p.
pub(super) struct Plan {
    pub phases: [PhasePlan; PHASES],
    /// What the clock's banks show at the beginning of each cycle that this plan is for: bank, lines, levels.
    pub clock: Vec<(usize, Data, Data)>,
}

pub(super) struct PhasePlan {
    pub number: usize,
    pub oscillator: Bit,
    /// Looked up in every phase.
    pub usual: Vec<Step>,
    /// Looked up where the usual steps have changed what some other bank reads.
    pub detour: Vec<Step>,
    /// The banks of the detour.
    pub detour_banks: u64,
    pub affected: Affected,
}

/// Which banks have to be looked up when a line changes in a phase.
pub(super) struct Affected {
    /// For each bank, those that have to be looked up when a line of it changes.
    pub always: Vec<Readers>,
    /// Those that have to be looked up only if they were looked up before the line changed.
    pub again: Vec<Readers>,
}

/// One lookup.
#[derive(Clone)]
pub(super) struct Step {
    pub bank: u8,
    pub lookup: Lookup,
    /// Data lines whose change the rest of the plan does not see to.
    pub watched: Data,
    /// Where the cells begin that the lines known in this phase select.
    pub cells: u32,
    pub wires: [Wire; WIRES],
    pub more_count: u8,
    pub more_wires: [Wire; MORE_WIRES],
}

#[derive(Clone, Copy)]
pub(super) enum Lookup {
    /// A ROM, or a RAM that is known not to be written.
    Table,
    /// A table that has been looked up just before: this lookup makes sure that it holds.
    Again,
    /// A RAM that may be written: which of its lines is the first data input, and how many there are.
    Ram { first_input: u8, inputs: u8 },
}

impl Plan {
    /// Whether the clock stands as this plan expects it at the beginning of a cycle.
    pub fn fits(&self, levels: &Levels) -> bool {
        self.clock.iter().all(|&(bank, lines, expected)| levels[bank] & lines == expected)
    }
}

impl PhasePlan {
    /// Runs one phase.
    #[inline(always)]
    pub fn run(&self, engine: &mut ChipsEngine) -> Result<(), Unsettled> {
        let ChipsEngine { levels, cells, .. } = engine;
        levels[self.oscillator.bank] ^= 1 << self.oscillator.bit;
        let dirty = self.steps(&self.usual, levels, cells);
        if dirty == 0 { Ok(()) } else { self.detour(engine, dirty) }
    }

    /// The detour, then the general rule for what neither it nor the usual steps see to.
    #[inline(never)]
    fn detour(&self, engine: &mut ChipsEngine, dirty: u64) -> Result<(), Unsettled> {
        let ChipsEngine { pack, levels, cells, .. } = engine;
        let dirty = dirty & !self.detour_banks | self.steps(&self.detour, levels, cells);
        if dirty == 0 {
            return Ok(());
        }
        let affected = |bank, changed, seen| self.affected.by(bank, changed, seen);
        settle(pack, affected, levels, cells, dirty, |_| ()).map_err(|unsettled| {
            engine.phase = (self.number + PHASES - 1) % PHASES;
            engine.unsettled(unsettled)
        })
    }

    /// Looks up step by step; returns the banks that still have to be looked up.
    #[inline(always)]
    fn steps(&self, steps: &[Step], levels: &mut Levels, cells: &mut [Data]) -> u64 {
        let mut dirty = 0;
        for step in steps {
            let mut address = gather(&step.wires, levels);
            if step.more_count != 0 {
                address |= gather(&step.more_wires[..1], levels);
                if step.more_count != 1 {
                    address |= gather(&step.more_wires[1..], levels);
                }
            }
            let bank = usize::from(step.bank);
            let data = match step.lookup {
                Lookup::Table => cells[(step.cells + address) as usize],
                Lookup::Again => {
                    let data = cells[(step.cells + address) as usize];
                    if data == levels[bank] {
                        continue; // so that what reads this bank need not wait for its second lookup
                    }
                    data
                }
                Lookup::Ram { first_input, inputs } => {
                    read_or_write(&mut cells[step.cells as usize..], address, first_input, inputs)
                }
            };
            let changed = levels[bank] ^ data;
            levels[bank] = data;
            if changed & step.watched != 0 {
                dirty |= readers(&self.affected.always[bank], changed & step.watched);
            }
        }
        dirty
    }
}

impl Affected {
    /// The banks to look up when lines of a bank have changed and those in `seen` were looked up before.
    pub fn by(&self, bank: usize, changed: Data, seen: u64) -> u64 {
        readers(&self.always[bank], changed) | readers(&self.again[bank], changed) & seen
    }
}

/// The lookup of a RAM that may be written: above its data inputs comes its write line.
#[inline(never)]
fn read_or_write(cells: &mut [Data], lines: u32, first_input: u8, inputs: u8) -> Data {
    let cell = (lines & ((1 << first_input) - 1)) as usize;
    let above = lines >> first_input;
    if above >> inputs == 1 {
        cells[cell] = (above & ((1 << inputs) - 1)) as Data;
    }
    cells[cell]
}
