//! The contents of ROMs, as diagrams over their address lines.

use gray1_machine::logic::{Diagrams, FALSE, Function, Known, Result, Variable};
use gray1_machine::netlist::Netlist;
use std::borrow::Cow;

/// Every table of a board: a diagram for each data line, the highest address line on top.
#[derive(Clone)]
pub(crate) struct RomDiagrams {
    diagrams: Diagrams,
    tables: Vec<Vec<Function>>,
}

/// One bit of one cell of a table that is assumed to have the other level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repair {
    pub table: usize,
    pub address: u32,
    pub bit: usize,
}

impl RomDiagrams {
    pub fn new(netlist: &Netlist, most: usize, repair: Option<Repair>) -> Result<RomDiagrams> {
        let mut diagrams = Diagrams::new(most);
        let tables = netlist.tables.iter().enumerate().map(|(table, cells)| {
            let mut cells = Cow::Borrowed(&cells[..]);
            if let Some(repair) = repair.filter(|repair| repair.table == table) {
                cells.to_mut()[repair.address as usize] ^= 1 << repair.bit;
            }
            let width = cells.iter().fold(0, |all, cell| all | cell).checked_ilog2().map_or(0, |top| top + 1);
            let levels = |bit| cells.iter().map(move |cell| cell >> bit & 1 == 1);
            let lines = 0..cells.len().ilog2() as Variable;
            (0..width).map(|bit| diagrams.of_levels(lines.clone(), levels(bit))).collect()
        });
        let tables = tables.collect::<Result<_>>()?;
        Ok(RomDiagrams { diagrams, tables })
    }

    /// Returns the output of a table on a data line, with these functions on its address lines.
    pub fn look_up(
        &self,
        table: usize,
        bit: usize,
        lines: &[Function],
        diagrams: &mut Diagrams,
    ) -> Result<Function> {
        let Some(&function) = self.tables[table].get(bit) else { return Ok(FALSE) };
        let line = |variable| Ok(lines[lines.len() - 1 - variable as usize]);
        diagrams.compose(&self.diagrams, function, &line, &mut Known::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gray1_machine::board::Board;
    use gray1_machine::logic::constant;

    #[test]
    fn each_cell_is_found_again() {
        let board = Board::gray1();
        let netlist = board.netlist();
        let burned = RomDiagrams::new(netlist, 1 << 20, None).unwrap();
        let mut diagrams = Diagrams::new(2);
        for (table, cells) in netlist.tables.iter().enumerate() {
            for (address, &cell) in cells.iter().enumerate().step_by(7) {
                let lines: Vec<Function> =
                    (0..cells.len().ilog2()).map(|line| constant(address >> line & 1 == 1)).collect();
                for bit in 0..8 {
                    let level = burned.look_up(table, bit, &lines, &mut diagrams);
                    assert_eq!(level, Ok(constant(cell >> bit & 1 == 1)), "table {table} at {address:X}");
                }
            }
        }
    }
}
