//! The general rule for settling: look up every chip whose address has changed, until nothing changes.
//!
//! The order of lookups is here; what a level is, and what else a lookup does, is up to the caller. So the chips engine,
//! machines with faults, and boards with unknown levels all settle by this rule.

use crate::board::netlist::{NetId, Netlist};
use crate::pack::{BANKS, Bank, Pack, Readers};
use crate::state::Noise;
use crate::wires::{Data, LOW, Levels};
use std::ops::Range;

/// A phase with more lookups than the first number is assumed never to settle. The longest phase of the reference board
/// takes fewer than a hundred. From then on, up to the second number, the chips that keep changing are recorded.
pub(crate) const MAX_LOOKUPS: Range<u32> = 10_000..11_000;

/// Looks up the banks in the set `dirty`, then those whose addresses have changed because of that, until nothing
/// changes.
///
/// `look_up` looks up a bank, and returns the banks that read the lines which that has changed; `None` if it has changed
/// nothing. The error is the set of banks that have changed between the numbers of lookups of `limit`.
#[inline(always)]
pub fn settle(
    mut dirty: u64,
    limit: Range<u32>,
    mut look_up: impl FnMut(usize) -> Option<u64>,
) -> Result<(), u64> {
    let mut lookups = 0;
    let mut unsettled = 0;
    while dirty != 0 {
        let bank = dirty.trailing_zeros() as usize;
        dirty &= dirty - 1;
        let affected = look_up(bank);
        dirty |= affected.unwrap_or(0);
        lookups += 1;
        if lookups > limit.start {
            unsettled |= u64::from(affected.is_some()) << bank;
            if lookups > limit.end {
                return Err(unsettled);
            }
        }
    }
    Ok(())
}

/// The output of a bank at the address on its lines. A RAM that is being written takes its input first.
#[inline(always)]
pub(crate) fn look_up(bank: &Bank, levels: &Levels, cells: &mut [Data]) -> Data {
    let lines = bank.address(levels) as usize;
    let Some(address_lines) = bank.ram_address else {
        return cells[bank.offset + lines];
    };
    let cell = bank.offset + (lines & ((1 << address_lines) - 1));
    let write_line = bank.reads.len() - 1;
    if lines >> write_line == 1 {
        cells[cell] = ((lines & !(1 << write_line)) >> address_lines) as Data;
    }
    cells[cell]
}

/// Sets the output of a bank. Returns the banks that read a changed line; `None` if there is none.
#[inline(always)]
pub fn give(levels: &mut Levels, bank: usize, data: Data, readers: &Readers) -> Option<u64> {
    let changed = levels[bank] ^ data;
    levels[bank] = data;
    (changed != 0).then(|| readers_of(readers, changed))
}

/// The banks that read any of the changed bits.
#[inline(always)]
pub fn readers_of(readers: &Readers, mut changed: Data) -> u64 {
    let mut set = 0;
    while changed != 0 {
        set |= readers[changed.trailing_zeros() as usize];
        changed &= changed - 1;
    }
    set
}

impl Pack {
    /// The level of a net.
    #[inline]
    pub(crate) fn level(&self, levels: &Levels, net: NetId) -> bool {
        let bit = self.nets[net];
        levels[bit.bank] >> bit.bit & 1 == 1
    }

    /// The levels at power-up: noise on the data lines of chips with storage loops, which is what they hold.
    pub(crate) fn wake(&self, netlist: &Netlist, noise: Noise) -> Levels {
        let (mut levels, noise) = (LOW, noise.levels::<BANKS>());
        for (chip, bit) in netlist.chips.iter().zip(&self.chips) {
            if chip.holds_itself() {
                levels[bit.bank] = noise[bit.bank];
            }
        }
        levels
    }

    /// Settles the board by the general rule. The error is the set of banks that keep changing.
    #[inline(always)]
    pub(crate) fn settle(&self, levels: &mut Levels, cells: &mut [Data], dirty: u64) -> Result<(), u64> {
        settle(dirty, MAX_LOOKUPS, |bank| {
            let data = look_up(&self.banks[bank], levels, cells);
            give(levels, bank, data, &self.banks[bank].readers)
        })
    }
}
