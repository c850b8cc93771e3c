//! Settling: look up every chip whose address changed, until nothing changes.

use super::circuit::{Circuit, Driver, Listeners};
use super::wires::{Data, Levels};

/// More lookups than this in one phase, and the board is going round in circles. The longest honest phase of
/// the reference board takes under a hundred.
const PATIENCE: u32 = 10_000;
/// Lookups watched after that, to see which chips go on changing.
const WATCHED: u32 = 1_000;

/// Looks up the chips of the set `dirty`, then those whose address that changed, until nothing changes.
/// The error is the set of chips that do not come to rest.
///
/// `woken` says which chips those are, from the chip that was looked up, the output lines that changed, and
/// the set of chips looked up so far; `tally` is told of each chip looked up.
pub(super) fn settle(
    circuit: &Circuit,
    woken: impl Fn(usize, Data, u64) -> u64,
    levels: &mut Levels,
    cells: &mut [Data],
    mut dirty: u64,
    mut tally: impl FnMut(usize),
) -> Result<(), u64> {
    let mut lookups = 0;
    let mut restless = 0;
    let mut seen = 0;
    while dirty != 0 {
        let chip = dirty.trailing_zeros() as usize;
        dirty &= dirty - 1;
        let data = look_up(&circuit.drivers[chip], levels, cells);
        let changed = levels[chip] ^ data;
        levels[chip] = data;
        seen |= 1 << chip;
        if changed != 0 {
            dirty |= woken(chip, changed, seen);
        }
        tally(chip);
        lookups += 1;
        if lookups > PATIENCE {
            restless |= u64::from(changed != 0) << chip;
            if lookups > PATIENCE + WATCHED {
                return Err(restless);
            }
        }
    }
    Ok(())
}

/// What a chip gives at the address on its lines. A RAM that is being written takes its input first.
#[inline(always)]
pub(super) fn look_up(chip: &Driver, levels: &Levels, cells: &mut [Data]) -> Data {
    let lines = chip.address(levels) as usize;
    let Some(address_lines) = chip.ram_address else {
        return cells[chip.offset + lines];
    };
    let cell = chip.offset + (lines & ((1 << address_lines) - 1));
    let write_line = chip.lines.len() - 1;
    if lines >> write_line == 1 {
        cells[cell] = ((lines & !(1 << write_line)) >> address_lines) as Data;
    }
    cells[cell]
}

/// The chips that read any of the changed bits.
#[inline(always)]
pub(super) fn readers(listeners: &Listeners, mut changed: Data) -> u64 {
    let mut set = 0;
    while changed != 0 {
        set |= listeners[changed.trailing_zeros() as usize];
        changed &= changed - 1;
    }
    set
}
