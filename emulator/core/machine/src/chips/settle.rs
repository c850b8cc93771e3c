//! The general rule for settling: look up every chip whose address has changed, until nothing changes.

use super::pack::{Bank, Readers};
use crate::wires::{Data, Levels};

/// A phase with more lookups than this is assumed never to settle. The longest phase of the reference board takes fewer
/// than a hundred.
const MOST_LOOKUPS: u32 = 10_000;
/// The number of lookups after that during which the chips that keep changing are recorded.
const WATCHED: u32 = 1_000;

/// Looks up the banks in the set `dirty`, then those whose addresses have changed because of that, until nothing
/// changes. The error is the set of banks that do not settle.
///
/// `look_up` returns the output of a bank. `affected` returns the banks that have to be looked up after a change, given
/// the bank and its changed data lines. `tally` is called for each lookup.
pub(super) fn settle(
    look_up: impl Fn(usize, &Levels, &mut [Data]) -> Data,
    affected: impl Fn(usize, Data) -> u64,
    levels: &mut Levels,
    cells: &mut [Data],
    mut dirty: u64,
    mut tally: impl FnMut(usize),
) -> Result<(), u64> {
    let mut lookups = 0;
    let mut unsettled = 0;
    while dirty != 0 {
        let bank = dirty.trailing_zeros() as usize;
        dirty &= dirty - 1;
        let data = look_up(bank, levels, cells);
        let changed = levels[bank] ^ data;
        levels[bank] = data;
        if changed != 0 {
            dirty |= affected(bank, changed);
        }
        tally(bank);
        lookups += 1;
        if lookups > MOST_LOOKUPS {
            unsettled |= u64::from(changed != 0) << bank;
            if lookups > MOST_LOOKUPS + WATCHED {
                return Err(unsettled);
            }
        }
    }
    Ok(())
}

/// The output of a bank at the address on its lines. A RAM that is being written takes its input first.
#[inline(always)]
pub(super) fn look_up(bank: &Bank, levels: &Levels, cells: &mut [Data]) -> Data {
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

/// The banks that read any of the changed bits.
#[inline(always)]
pub(super) fn readers(readers: &Readers, mut changed: Data) -> u64 {
    let mut set = 0;
    while changed != 0 {
        set |= readers[changed.trailing_zeros() as usize];
        changed &= changed - 1;
    }
    set
}
