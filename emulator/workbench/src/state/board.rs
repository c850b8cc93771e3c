//! The board pane: the chosen chip, and the position of each chip.

use crate::pane::CHIP_WIDTH;
use gray1_machine::board::Board;
use gray1_machine::netlist::{ChipId, Netlist};
use ratatui_core::layout::{Position, Rect};

/// With this many rows below the chips, there is room for a useful description of the chosen one.
const DETAIL_ROWS: usize = 4;
/// The clock with the empty row below it.
const CLOCK_ROWS: usize = 3;

pub struct BoardPane {
    pub board: Board,
    /// The chosen chip.
    pub chip: ChipId,
    /// Whether the pane shows the chosen chip alone.
    pub is_unfolded: bool,
}

/// The positions of the chips inside the frame of the pane, column by column.
pub struct ChipTable {
    /// The first row: there is room for the clock above if it is not 0.
    pub top: usize,
    pub rows: usize,
    /// The first row of the description of a chip, if there is room for it.
    pub details: Option<usize>,
}

impl BoardPane {
    pub fn new(board: Board) -> BoardPane {
        BoardPane { board, chip: 0, is_unfolded: false }
    }

    /// The chip at a position inside the frame.
    pub fn chip_at(&self, inside: Rect, at: Position) -> Option<ChipId> {
        self.table(inside).chip_at(at).filter(|chip| *chip < self.netlist().chips.len())
    }

    pub fn netlist(&self) -> &Netlist {
        self.board.netlist()
    }

    /// Places the chips inside the frame of the pane.
    pub fn table(&self, inside: Rect) -> ChipTable {
        let columns = usize::from((inside.width / CHIP_WIDTH).max(1));
        let rows = self.netlist().chips.len().div_ceil(columns).max(1);
        let height = usize::from(inside.height);
        let top = if height >= rows + CLOCK_ROWS + DETAIL_ROWS { CLOCK_ROWS } else { 0 };
        let details = top + rows + 1;
        ChipTable { top, rows, details: (height + 1 >= details + DETAIL_ROWS).then_some(details) }
    }
}

impl ChipTable {
    /// The column and the row of a chip.
    pub fn column_and_row(&self, chip: ChipId) -> (usize, usize) {
        (chip / self.rows * usize::from(CHIP_WIDTH), self.top + chip % self.rows)
    }

    /// The chip at a position inside the frame.
    pub fn chip_at(&self, position: Position) -> Option<ChipId> {
        let row = usize::from(position.y).checked_sub(self.top).filter(|row| *row < self.rows)?;
        Some(usize::from(position.x / CHIP_WIDTH) * self.rows + row)
    }
}
