//! The task of a register, derived from its table and not specified anywhere.
//!
//! With its other lines at certain levels, a register either holds a bit (the bit gives itself, whatever it is) or
//! takes a new value (the bit does not depend on itself). A table that does neither is not that of a register.

use crate::rom::Rom;
use gray1_machine::logic::values;

/// The task of a register for each of its bits, by the levels of its other lines.
pub(crate) struct Register<'a> {
    rom: Rom<'a>,
    /// By address, with the lines of its registers at 0: the lines that hold, and the lines that take a new value.
    holds: Vec<u32>,
    takes: Vec<u32>,
}

impl<'a> Register<'a> {
    /// Derives it from the table.
    pub fn of(rom: Rom<'a>) -> Register<'a> {
        let own = rom.registers();
        let none = vec![0; rom.cells.len()];
        let mut register = Register { rom, holds: none.clone(), takes: none };
        if own == 0 {
            return register;
        }
        for others in values((rom.cells.len() - 1) as u32 & !own) {
            let (mut holds, mut takes) = (own, own);
            for mine in values(own) {
                let next = rom.next(others | mine);
                holds &= !(next ^ mine);
                for &(line, _) in &rom.chip.own {
                    let flipped = 1 << line & own;
                    takes &= !((next ^ rom.next(others | mine ^ flipped)) & flipped);
                }
            }
            register.holds[others as usize] = holds;
            register.takes[others as usize] = takes;
        }
        register
    }

    /// Returns the lines of registers that neither hold nor take when the chip has come to an address.
    pub fn neither(&self, address: u32) -> u32 {
        let own = self.rom.registers();
        let others = (address & !own) as usize;
        own & !(self.holds[others] | self.takes[others])
    }

    /// Returns the own lines that must hold when the chip has come to an address; of those that count, the stable ones.
    pub fn must_hold(&self, address: u32, stable: u32) -> u32 {
        self.holds[(address & !self.rom.registers()) as usize] | stable & self.rom.counting
    }
}

/// Among the cells that differ only in the lines of registers, the one that behaves differently from the others.
pub(crate) fn odd_cell(rom: Rom, others: u32, line: u32) -> u32 {
    let next = |mine: u32| rom.next(others | mine) >> line & 1;
    let holds = |mine: &u32| next(*mine) == mine >> line & 1;
    let all: Vec<u32> = values(rom.registers()).collect();
    // The behaviour of most of these cells: to hold, or to take one level or the other.
    let holding = all.iter().filter(|mine| holds(mine)).count();
    let high = all.iter().filter(|mine| next(**mine) == 1).count();
    let low = all.len() - high;
    let usual = |mine: &u32| match holding >= high.max(low) {
        true => holds(mine),
        false => next(*mine) == u32::from(high >= low),
    };
    let odd = all.iter().copied().find(|mine| !usual(mine));
    others | odd.unwrap_or(0)
}
