//! One data line of a table, reduced to the address lines on which it depends.

use crate::tables::moves;

/// A data line as a function of the address lines that matter. A bit depends on few lines: a bit of a latch depends on
/// its input, its own output and the enable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// The lines on which the bit depends at some address, in ascending order.
    pub lines: Vec<usize>,
    /// The bit for each combination of their levels, the first line the lowest.
    pub bits: Vec<bool>,
}

impl Truth {
    /// The functions of this many data lines of a table.
    pub fn all(cells: &[u8], data_lines: usize) -> Vec<Truth> {
        let moves = moves(cells);
        let function = |bit: usize| {
            let lines: Vec<usize> = (0..moves.len()).filter(|&line| moves[line] >> bit & 1 == 1).collect();
            let mut addresses = vec![0usize; 1 << lines.len()];
            for index in 1..addresses.len() {
                let line = lines[index.trailing_zeros() as usize];
                addresses[index] = addresses[index & (index - 1)] | 1 << line;
            }
            let bits = addresses.into_iter().map(|address| cells[address] >> bit & 1 == 1).collect();
            Truth { lines, bits }
        };
        (0..data_lines).map(function).collect()
    }

    /// The bit at an address.
    pub fn at(&self, address: u32) -> bool {
        self.bits[self.index(address)]
    }

    /// The levels of the lines that matter, packed into an index of `bits`.
    pub fn index(&self, address: u32) -> usize {
        let lines = self.lines.iter().zip(0..);
        lines.fold(0, |index, (line, position)| index | (address as usize >> line & 1) << position)
    }

    /// The inverse of [`Truth::index`], with all other lines at 0.
    pub fn address(&self, index: usize) -> u32 {
        let lines = self.lines.iter().zip(0..);
        lines.fold(0, |address, (line, position)| address | ((index >> position & 1) as u32) << line)
    }
}
