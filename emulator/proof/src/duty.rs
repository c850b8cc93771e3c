//! What a register is to do: read off its table, and not said by anyone.
//!
//! With its other lines at certain levels, a register either holds a bit (the bit gives itself, whatever it is) or takes
//! a new value (the bit does not depend on itself). A table that does neither is no register.

use crate::wiring::{Chip, values};

/// What a register is to do with each of its bits, by the levels of its other lines.
pub(crate) struct Duty {
    /// By address with its own lines at 0: the own lines that hold, and those that take.
    holds: Vec<u32>,
    takes: Vec<u32>,
    /// A chip that counts does neither.
    counts: bool,
}

impl Duty {
    /// Reads it off the table.
    pub fn of(chip: &Chip, cells: &[u8]) -> Duty {
        let own = chip.own_lines();
        let mut duty = Duty { holds: vec![0; cells.len()], takes: vec![0; cells.len()], counts: chip.counts };
        if chip.counts {
            return duty;
        }
        for others in values((cells.len() - 1) as u32 & !own) {
            let (mut holds, mut takes) = (own, own);
            for mine in values(own) {
                let given = chip.turned(cells[(others | mine) as usize]);
                holds &= !(given ^ mine);
                for &(line, _) in &chip.own {
                    let other = chip.turned(cells[(others | mine ^ 1 << line) as usize]);
                    takes &= !((given ^ other) & 1 << line);
                }
            }
            duty.holds[others as usize] = holds;
            duty.takes[others as usize] = takes;
        }
        duty
    }

    /// The own lines that neither hold nor take when the chip has come to an address; for a chip that counts, none.
    pub fn neither(&self, chip: &Chip, address: u32) -> u32 {
        let others = (address & !chip.own_lines()) as usize;
        if self.counts { 0 } else { chip.own_lines() & !(self.holds[others] | self.takes[others]) }
    }

    /// The own lines that are to hold when the chip has come to an address; of a chip that counts, the quiet ones.
    pub fn must_hold(&self, chip: &Chip, address: u32, quiet: u32) -> u32 {
        if self.counts { quiet } else { self.holds[(address & !chip.own_lines()) as usize] }
    }
}

/// Among the cells that differ in own lines only: the one that is unlike the others.
pub(crate) fn odd_cell(chip: &Chip, cells: &[u8], others: u32, line: u32) -> u32 {
    let own = chip.own_lines();
    let given = |mine: u32| chip.turned(cells[(others | mine) as usize]) >> line & 1;
    let holds = |mine: &u32| given(*mine) == mine >> line & 1;
    let all: Vec<u32> = values(own).collect();
    // What most cells do: hold, or give one or the other level.
    let holding = all.iter().filter(|mine| holds(mine)).count();
    let high = all.iter().filter(|mine| given(**mine) == 1).count();
    let low = all.len() - high;
    let usual = |mine: &u32| match holding >= high.max(low) {
        true => holds(mine),
        false => given(*mine) == u32::from(high >= low),
    };
    let odd = all.iter().copied().find(|mine| !usual(mine));
    others | odd.unwrap_or(0)
}
