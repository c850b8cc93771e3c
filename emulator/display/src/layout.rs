//! Where things are in a picture of a given size, in whole pixels.
//!
//! The renderer draws by this and the mouse is read by this, so a click always lands on what is seen.

use gray1_isa::memory_map::DISPLAY_SIZE;

use crate::font::{CELL_HEIGHT, CELL_WIDTH};
use crate::player::Pad;

/// The status line has at least this many characters, or is left out.
const LEAST_COLUMNS: usize = 20;
/// The status line is as wide as the board, but not narrower than this many characters where there is room.
const GOOD_COLUMNS: usize = 40;

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Left edge.
    pub x: usize,
    /// Top edge.
    pub y: usize,
    /// Width.
    pub width: usize,
    /// Height.
    pub height: usize,
}

/// The geometry of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The board, a square; empty when there is no room for eight LEDs.
    pub board: Area,
    /// From LED to LED; each has a square cell of this size.
    pub pitch: usize,
    /// From the edge of the board to the first cell.
    pub margin: usize,
    /// The diameter of a lens.
    pub lens: usize,
    /// The line of text under the board; empty when there is no room for it.
    pub status: Area,
    /// The size of a font pixel.
    pub text_scale: usize,
}

impl Layout {
    /// The layout of a picture of this size with a status line, or without when there is no room.
    pub fn new(width: usize, height: usize) -> Self {
        let text_scale = (width.min(height) / 300).max(1);
        let (line, column) = (text_scale * CELL_HEIGHT, text_scale * CELL_WIDTH);
        // The bar with the line may cost a ninth of the height, and must be wide enough to say something.
        let bar = 2 * line;
        if height / 9 < bar || width < LEAST_COLUMNS * column {
            return Self::without_status(width, height);
        }
        let edge = width.min(height) / 50;
        let mut layout = Self::without_status(width - 2 * edge, height - bar - edge);
        layout.board.x += edge;
        layout.board.y += edge;
        layout.text_scale = text_scale;
        let text = (layout.board.width - layout.margin).max(GOOD_COLUMNS * column).min(width - 2 * edge);
        // Text stands closer to the board it belongs to than to the edge of the window.
        let y = layout.board.y + layout.board.height + line / 2;
        layout.status = Area { x: (width - text) / 2, y, width: text, height: line };
        layout
    }

    /// The board alone, as large as it fits: for animations, and for the terminal.
    pub fn without_status(width: usize, height: usize) -> Self {
        let side = width.min(height);
        let mut pitch = side / DISPLAY_SIZE;
        while pitch > 0 && DISPLAY_SIZE * pitch + 2 * least_margin(pitch) > side {
            pitch -= 1;
        }
        let margin = least_margin(pitch);
        let used = if pitch == 0 { 0 } else { DISPLAY_SIZE * pitch + 2 * margin };
        let board = Area { x: (width - used) / 2, y: (height - used) / 2, width: used, height: used };
        let gap = (pitch / 7).max(usize::from(pitch > 2));
        Self { board, pitch, margin, lens: pitch - gap, status: Area::default(), text_scale: 1 }
    }

    /// The cell of an LED.
    pub fn cell(&self, pad: Pad) -> Area {
        Area {
            x: self.board.x + self.margin + usize::from(pad.column) * self.pitch,
            y: self.board.y + self.margin + usize::from(pad.row) * self.pitch,
            width: self.pitch,
            height: self.pitch,
        }
    }

    /// The LED whose cell holds the pixel.
    pub fn pad_at(&self, x: usize, y: usize) -> Option<Pad> {
        let index = |position: usize, edge: usize| {
            let cell = position.checked_sub(edge + self.margin)?.checked_div(self.pitch)?;
            u8::try_from(cell).ok().filter(|cell| usize::from(*cell) < DISPLAY_SIZE)
        };
        Some(Pad { row: index(y, self.board.y)?, column: index(x, self.board.x)? })
    }
}

fn least_margin(pitch: usize) -> usize {
    pitch * 2 / 5
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn eight_pixels_are_enough_for_eight_leds_and_seven_are_not() {
        assert_eq!(Layout::without_status(8, 8).pitch, 1);
        assert_eq!(Layout::without_status(7, 100).pitch, 0);
        assert_eq!(Layout::new(0, 0).board, Area::default());
    }

    proptest! {
        #[test]
        fn everything_is_inside_the_picture(width in 0usize..3000, height in 0usize..3000) {
            let layout = Layout::new(width, height);
            for area in [layout.board, layout.status] {
                prop_assert!(area.x + area.width <= width && area.y + area.height <= height);
            }
            prop_assert!(layout.board.y + layout.board.height <= layout.status.y || layout.status == Area::default());
        }

        #[test]
        fn a_click_on_a_cell_is_a_press_of_its_pad(
            width in 0usize..2000, height in 0usize..2000, row in 0u8..8, column in 0u8..8, seed in any::<usize>(),
        ) {
            let layout = Layout::new(width, height);
            let pad = Pad { row, column };
            let cell = layout.cell(pad);
            prop_assume!(layout.pitch > 0);
            let (x, y) = (cell.x + seed % cell.width, cell.y + seed / 7 % cell.height);
            prop_assert_eq!(layout.pad_at(x, y), Some(pad));
        }

        #[test]
        fn a_click_beside_the_cells_is_none(
            width in 1usize..2000, height in 1usize..2000, x in any::<usize>(), y in any::<usize>(),
        ) {
            let (x, y) = (x % width, y % height);
            let layout = Layout::new(width, height);
            let inside = (0..64).map(|led| layout.cell(Pad { row: led / 8, column: led % 8 })).any(|cell| {
                (cell.x..cell.x + cell.width).contains(&x) && (cell.y..cell.y + cell.height).contains(&y)
            });
            prop_assert_eq!(layout.pad_at(x, y).is_some(), inside);
        }
    }
}
