//! The lookups of a planned phase.
//!
//! Three facts reduce the number and the cost of lookups. All are derived from the tables (see [`Tables`]): which
//! levels are constant in a phase, because they depend on the sequencer alone; which lines do not matter then; and
//! which chips are at rest after one lookup, although they read their own data. RAM and the program can change while a
//! plan is in use, so nothing is assumed about their contents.

use super::step::{Kind, Step, WIRES};
use crate::board::netlist::Netlist;
use crate::pack::{BANKS, Bank, Pack, Readers};
use crate::settle::{MAX_LOOKUPS, give, readers_of, settle};
use crate::tables::{Known, Tables};
use crate::wires::{Bit, Data, Levels, wires_at};

/// The lookup of each bank in a phase, and the banks that have to be looked up after it.
pub(super) struct Lookups {
    /// A step for each bank that is not a group of inputs.
    pub steps: Vec<Step>,
    /// For each bank, the banks that have to be looked up when one of its lines changes.
    pub affected: Vec<Readers>,
    /// The lines of each bank that are known in this phase.
    pub known: [Data; BANKS],
}

/// The known levels by bank.
pub(super) struct PackedLevels {
    pub mask: [Data; BANKS],
    pub value: [Data; BANKS],
}

impl Lookups {
    /// The lookups of a phase, derived from the levels that are known in it and in the phase before. `None` for a board
    /// with a chip whose lines need too many wires, or with a RAM that is written by the clock itself.
    pub fn new(
        netlist: &Netlist,
        pack: &Pack,
        tables: &mut Tables<'_>,
        before: &Known,
        known: &Known,
    ) -> Option<Lookups> {
        let packed = PackedLevels::new(pack, known);
        let mut steps = Vec::new();
        for (number, bank) in pack.banks.iter().enumerate().skip(pack.inputs) {
            let matters = lines_that_matter(bank, tables, known);
            steps.push(step(pack, number, bank, &packed, matters)?);
        }
        let affected = affected(netlist, pack, tables, before, known);
        Some(Lookups { steps, affected, known: packed.mask })
    }

    /// Settles the board by the general rule. `tally` is called for each lookup.
    pub fn settle(
        &self,
        levels: &mut Levels,
        cells: &mut [Data],
        dirty: u64,
        mut tally: impl FnMut(usize),
    ) -> Result<(), u64> {
        settle(dirty, MAX_LOOKUPS, |bank| {
            tally(bank);
            let data = self.step(bank).look_up(levels, cells);
            give(levels, bank, data, &self.affected[bank])
        })
    }

    /// The step of a bank.
    #[inline]
    pub fn step(&self, bank: usize) -> &Step {
        &self.steps[bank - (self.affected.len() - self.steps.len())]
    }

    /// The banks that have to be looked up when every line of a bank changes.
    pub fn after(&self, bank: usize) -> u64 {
        readers_of(&self.affected[bank], Data::MAX)
    }
}

impl PackedLevels {
    pub fn new(pack: &Pack, known: &Known) -> PackedLevels {
        let mut packed = PackedLevels { mask: [0; BANKS], value: [0; BANKS] };
        for (bit, level) in pack.nets.iter().zip(known) {
            if let Some(level) = level {
                packed.mask[bit.bank] |= 1 << bit.bit;
                packed.value[bit.bank] |= Data::from(*level) << bit.bit;
            }
        }
        packed
    }

    fn level(&self, bit: Bit) -> Option<u32> {
        let is_known = self.mask[bit.bank] >> bit.bit & 1 == 1;
        is_known.then(|| u32::from(self.value[bit.bank] >> bit.bit & 1))
    }
}

/// The banks to look up for each line that changes: those whose output depends on it. A line that is known in this
/// phase may have had another level in the phase before; that affects chips whose output changes because of it.
fn affected(
    netlist: &Netlist,
    pack: &Pack,
    tables: &mut Tables<'_>,
    before: &Known,
    known: &Known,
) -> Vec<Readers> {
    let mut affected = vec![Readers::default(); pack.banks.len()];
    for (id, chip) in netlist.chips.iter().enumerate() {
        let bank = pack.chips[id].bank;
        let facts = tables.facts(id, known);
        let rests = pack.banks[bank].chips.len() == 1 && tables.rests_at_once(id, known);
        let keeps = tables.changes(id, before, known) == 0;
        for (&net, &moves) in chip.reads.iter().zip(&facts.moves) {
            let Bit { bank: driver, bit } = pack.nets[net];
            let is_own = rests && driver == bank;
            if known[net].is_some() && !keeps || moves != 0 && !is_own {
                affected[driver][bit as usize] |= 1 << bank;
            }
        }
    }
    affected
}

/// The lines of a bank that can change the output of one of its chips, one bit each.
fn lines_that_matter(bank: &Bank, tables: &mut Tables<'_>, known: &Known) -> u32 {
    if bank.ram_address.is_some() {
        return u32::MAX;
    }
    bank.chips.iter().fold(0, |lines, &chip| {
        let facts = tables.facts(chip, known);
        (0..).zip(&facts.moves).fold(lines, |lines, (line, &moves)| lines | u32::from(moves != 0) << line)
    })
}

/// Plans the lookup of a bank; `None` if it has too many wires.
fn step(pack: &Pack, number: usize, bank: &Bank, known: &PackedLevels, matters: u32) -> Option<Step> {
    let mut lines: Vec<Bit> = bank.reads.iter().map(|&net| pack.nets[net]).collect();
    let levels = (0..).zip(&lines).map(|(line, &bit)| known.level(bit).unwrap_or(0) << line);
    let fixed = levels.fold(0, |fixed, level| fixed | level);
    let mut ram = None;
    if let Some(address) = bank.ram_address {
        let write = lines.len() - 1;
        if known.level(lines[write]) == Some(0) {
            lines.truncate(address); // it is only read: a table like any other
        } else if fixed != 0 {
            return None; // a RAM that is written by the clock itself is left to the general rule
        } else {
            ram = Some(Kind::Ram { first_input: address as u8, inputs: (write - address) as u8 });
        }
    }
    let free = lines.iter().copied().zip(0..);
    let free = free.filter(|&(bit, line)| known.level(bit).is_none() && matters >> line & 1 == 1);
    let mut wires = wires_at(&free.collect::<Vec<_>>());
    if wires.len() > WIRES {
        return None;
    }
    // Wires of banks that were looked up most recently come last, so that the processor waits for them last.
    wires.sort_by_key(|wire| (usize::from(wire.bank) < number, wire.bank));
    Some(Step {
        bank: number as u8,
        kind: ram.unwrap_or(Kind::Table(wires.len() as u8)),
        watched: 0,
        cells: bank.offset as u32 + (fixed & ((1 << lines.len()) - 1)),
        wires: std::array::from_fn(|index| wires.get(index).copied().unwrap_or_default()),
    })
}
