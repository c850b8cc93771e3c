//! Truth tables: a data line of a ROM as a function of the address lines on which it depends.

/// A data line as a function of its support. Most supports are small: a bit of a latch depends on its input, its own
/// output and the enable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TruthTable {
    /// The support: the address lines on which the bit depends at some address, in ascending order.
    pub lines: Vec<usize>,
    /// The bit for each combination of their levels; the first line is the lowest bit of the index.
    pub bits: Vec<bool>,
}

impl TruthTable {
    /// Returns the functions of the first data lines of a ROM.
    pub fn all(cells: &[u8], data_lines: usize) -> Vec<TruthTable> {
        // For each address line, the data lines that depend on it.
        let dependents: Vec<u8> = (0..cells.len().ilog2())
            .map(|line| {
                let pairs = cells.chunks_exact(2 << line).map(|pair| pair.split_at(1 << line));
                let changes =
                    pairs.flat_map(|(low, high)| low.iter().zip(high)).map(|(low, high)| low ^ high);
                changes.fold(0, |dependents, change| dependents | change)
            })
            .collect();
        let function = |bit: usize| {
            let lines = (0..dependents.len()).filter(|&line| dependents[line] >> bit & 1 == 1).collect();
            let mut table = TruthTable { lines, bits: Vec::new() };
            let cell = |index| cells[table.address(index) as usize] >> bit & 1 == 1;
            table.bits = (0..1 << table.lines.len()).map(cell).collect();
            table
        };
        (0..data_lines).map(function).collect()
    }

    /// Returns the bit at an address.
    pub fn at(&self, address: u32) -> bool {
        self.bits[self.index(address)]
    }

    /// Packs the levels of the support into an index of `bits`.
    pub fn index(&self, address: u32) -> usize {
        let lines = self.lines.iter().zip(0..);
        lines.fold(0, |index, (line, position)| index | (address as usize >> line & 1) << position)
    }

    /// Unpacks an index of `bits` to an address, with all other lines at 0.
    pub fn address(&self, index: usize) -> u32 {
        let lines = self.lines.iter().zip(0..);
        lines.fold(0, |address, (line, position)| address | ((index >> position & 1) as u32) << line)
    }
}
