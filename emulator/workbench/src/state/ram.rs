//! The RAM pane: the bytes of each row.

use gray1_debugger::Variable;
use gray1_isa::memory_map::{RAM_BYTES, WORKING_RAM_END};

/// The columns of an address, and of a byte with its mark.
pub const ADDRESS_WIDTH: usize = 4;
pub const BYTE_WIDTH: usize = 3;
/// The columns of a name, at least and at most.
const NAME_WIDTH: (usize, usize) = (6, 12);
/// The bytes in a row, at least and at most.
const ROW_BYTES: (usize, usize) = (4, 8);

#[derive(Default)]
pub struct RamPane {
    /// The selected row.
    pub row: usize,
    /// Whether all of RAM is shown, and not only bytes with names.
    pub shows_bytes: bool,
}

/// The bytes of one row.
pub struct RamRow {
    pub first: usize,
    pub end: usize,
    /// The index of the variable that they belong to.
    pub variable: Option<usize>,
}

impl RamPane {
    pub fn name_width(&self, variables: &[Variable]) -> usize {
        if self.shows_bytes {
            return 0;
        }
        let longest = variables.iter().map(|variable| variable.name.chars().count()).max();
        longest.unwrap_or(0).clamp(NAME_WIDTH.0, NAME_WIDTH.1) + 1
    }

    /// All rows, in a pane of some width.
    pub fn rows(&self, variables: &[Variable], width: usize) -> Vec<RamRow> {
        let (least, most) = ROW_BYTES;
        let fits = ADDRESS_WIDTH + self.name_width(variables) + most * BYTE_WIDTH <= width;
        let per_row = if fits || self.shows_bytes { most } else { least };
        let rows = |start: usize, end: usize, variable: Option<usize>| {
            let firsts = (start..end).step_by(per_row);
            firsts.map(move |first| RamRow { first, end: end.min(first + per_row), variable })
        };
        if self.shows_bytes {
            return rows(0, RAM_BYTES, None).collect();
        }
        let rows = variables.iter().enumerate().flat_map(|(index, variable)| {
            let start = usize::from(variable.address);
            let end = (start + usize::from(variable.size)).min(usize::from(WORKING_RAM_END));
            rows(start, end, Some(index))
        });
        rows.collect()
    }

    /// The name whose bytes are in the selected row.
    pub fn selected<'a>(&self, variables: &'a [Variable], width: usize) -> Option<&'a str> {
        let index = self.rows(variables, width).get(self.row)?.variable?;
        Some(&variables[index].name)
    }
}
