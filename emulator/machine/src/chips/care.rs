//! Which address lines matter: read off the chips' own tables.
//!
//! A latch whose enable is 0 does not care what its input does; its table says so, since every cell with the
//! enable at 0 holds the same as its neighbour with another input. So when some levels are known to be constant
//! during a phase, the tables tell which further levels are constant too, and which lines can change without
//! changing what their chip gives. Nothing here knows what any chip is for, and nothing looks at RAM or at the
//! program, which can be changed while a plan made from these facts is in use.

use super::circuit::Circuit;
use super::wires::{Data, LOW, Levels, Pin, Wire, wires_at};
use std::collections::HashMap;

/// Levels known to hold at the end of a phase.
#[derive(Clone)]
pub(super) struct Known {
    /// Which bits of each driver's output are known.
    pub mask: Levels,
    /// Their levels.
    pub value: Levels,
}

/// What the tables say of each chip while some lines are known.
pub(super) struct Care<'a> {
    circuit: &'a Circuit,
    /// Chips with the same contents and the same known lines are analysed once.
    analysed: HashMap<(usize, u32, u32), Facts>,
    /// Likewise for what happens to a chip at rest from one phase to the next.
    kept: HashMap<Change, bool>,
}

/// A table, the known lines and their levels before and after, and the chip's own lines.
type Change = (usize, [u32; 4], Vec<Wire>);

#[derive(Clone, Copy)]
struct Facts {
    /// Bits of the output that are 1, and that are 0, at every address that is still possible.
    ones: Data,
    zeros: Data,
    /// Lines that can change the output.
    matters: u32,
}

impl Known {
    /// Nothing is known.
    pub fn nothing() -> Known {
        Known { mask: LOW, value: LOW }
    }

    /// Adds knowledge about a driver's output; says whether it was new.
    pub fn learn(&mut self, driver: usize, mask: Data, value: Data) -> bool {
        let new = mask & !self.mask[driver] != 0;
        self.mask[driver] |= mask;
        self.value[driver] |= value & mask;
        new
    }

    /// The level of a net, if it is known.
    pub fn level(&self, pin: Pin) -> Option<u32> {
        (self.mask[pin.driver] >> pin.bit & 1 == 1).then(|| u32::from(self.value[pin.driver] >> pin.bit & 1))
    }

    /// Of a chip's address lines: which are known, and their levels.
    pub fn lines(&self, lines: &[Pin]) -> (u32, u32) {
        (0..).zip(lines).fold((0, 0), |(mask, value), (place, &pin)| match self.level(pin) {
            Some(level) => (mask | 1 << place, value | level << place),
            None => (mask, value),
        })
    }
}

impl<'a> Care<'a> {
    pub fn new(circuit: &'a Circuit) -> Care<'a> {
        Care { circuit, analysed: HashMap::new(), kept: HashMap::new() }
    }

    /// Follows what is known through the tables, until they say nothing new.
    pub fn follow(&mut self, known: &mut Known) {
        let mut new = true;
        while std::mem::take(&mut new) {
            for chip in self.circuit.inputs..self.circuit.drivers.len() {
                let facts = self.facts(chip, known);
                new |= known.learn(chip, facts.ones | facts.zeros, facts.ones);
            }
        }
    }

    /// The lines of a chip that can change its output while the known lines stay as they are.
    pub fn matters(&mut self, chip: usize, known: &Known) -> u32 {
        self.facts(chip, known).matters
    }

    /// Whether a chip that has settled in one phase still gives the same when its known lines take their levels
    /// of the next phase, and nothing else that matters changes: so does a latch when its enable falls.
    pub fn keeps(&mut self, chip: usize, before: &Known, after: &Known) -> bool {
        let circuit = self.circuit;
        let driver = &circuit.drivers[chip];
        let (mask, value) = before.lines(&driver.lines);
        let (new_mask, new_value) = after.lines(&driver.lines);
        if new_mask & !mask == 0 && value & new_mask == new_value {
            return true; // what is known now was the same before
        }
        if let Some(address_lines) = driver.ram_address {
            // What a RAM gives while it is written is what it then holds.
            let (address, write) = ((1 << address_lines) - 1, 1 << (driver.lines.len() - 1));
            return (new_mask & address, new_mask & write, new_value & write) == (0, write, 0);
        }
        if driver.is_program() {
            return false;
        }
        let own: Vec<_> =
            driver.lines.iter().copied().zip(0..).filter(|(pin, _)| pin.driver == chip).collect();
        let own = wires_at(&own);
        let key = (driver.offset, [mask, value, new_mask, new_value], own.clone());
        *self.kept.entry(key).or_insert_with(|| {
            let cells = &circuit.cells[driver.offset..][..1 << driver.lines.len()];
            let at_rest =
                |address: u32, cell: Data| own.iter().all(|wire| address & wire.mask == wire.turn(cell));
            (0u32..).zip(cells).all(|(address, &cell)| {
                address & mask != value
                    || !at_rest(address, cell)
                    || cells[(address & !new_mask | new_value) as usize] == cell
            })
        })
    }

    fn facts(&mut self, chip: usize, known: &Known) -> Facts {
        let circuit = self.circuit;
        let driver = &circuit.drivers[chip];
        let (mask, value) = known.lines(&driver.lines);
        if let Some(address_lines) = driver.ram_address {
            return ram_facts(driver.lines.len(), address_lines, mask, value);
        }
        if driver.is_program() {
            return Facts { ones: 0, zeros: 0, matters: ((1 << driver.lines.len()) - 1) & !mask };
        }
        *self.analysed.entry((driver.offset, mask, value)).or_insert_with(|| {
            let cells = &circuit.cells[driver.offset..][..1 << driver.lines.len()];
            rom_facts(cells, driver.lines.len(), mask, value)
        })
    }
}

fn rom_facts(cells: &[Data], lines: usize, mask: u32, value: u32) -> Facts {
    let possible: Vec<Data> = if mask == 0 {
        cells.to_vec()
    } else {
        (0..).zip(cells).filter(|(address, _)| address & mask == value).map(|(_, &cell)| cell).collect()
    };
    let (ones, any) = possible.iter().fold((Data::MAX, 0), |(ones, any), cell| (ones & cell, any | cell));
    let free = (0..lines).filter(|line| mask >> line & 1 == 0);
    let matters = free.enumerate().fold(0, |matters, (place, line)| {
        let half = 1 << place;
        let differs = possible.chunks_exact(2 * half).any(|pair| pair[..half] != pair[half..]);
        matters | u32::from(differs) << line
    });
    Facts { ones, zeros: !any, matters }
}

/// A RAM can hold anything; its data inputs matter unless it is known not to be written.
fn ram_facts(lines: usize, address_lines: usize, mask: u32, value: u32) -> Facts {
    let write = 1 << (lines - 1);
    let reading = mask & write != 0 && value & write == 0;
    let matters = if reading { (1 << address_lines) - 1 } else { (1 << lines) - 1 };
    Facts { ones: 0, zeros: 0, matters: matters & !mask }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use gray1_isa::Image;

    #[test]
    fn a_closed_latch_cares_for_itself_only() {
        let circuit = Circuit::build(&Board::gray1(), &Image::blank());
        let latch = circuit.chip("T").unwrap().0;
        let enable = circuit.net("PH1").unwrap();
        for (level, matters) in [(0, 0x0FF00), (1, 0x000FF)] {
            let mut known = Known::nothing();
            known.learn(enable.driver, 1 << enable.bit, level << enable.bit);
            assert_eq!(Care::new(&circuit).matters(latch, &known), matters, "enable {level}");
        }
        assert_eq!(Care::new(&circuit).matters(latch, &Known::nothing()), 0x1FFFF);
    }

    #[test]
    fn outside_phase_1_no_latch_is_open_and_ram_is_not_written() {
        let circuit = Circuit::build(&Board::gray1(), &Image::blank());
        let phase_1 = circuit.net("PH1").unwrap();
        let mut known = Known::nothing();
        known.learn(phase_1.driver, 1 << phase_1.bit, 0);
        Care::new(&circuit).follow(&mut known);
        for net in ["WE", "OUTE", "GE0", "GE7", "RE3"] {
            assert_eq!(known.level(circuit.net(net).unwrap()), Some(0), "{net}");
        }
        for net in ["W0", "INSEL", "TICK", "A0"] {
            assert_eq!(known.level(circuit.net(net).unwrap()), None, "{net}");
        }
    }
}
