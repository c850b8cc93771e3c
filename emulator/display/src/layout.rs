//! The layout of a picture of a given size, in whole pixels.
//!
//! The renderer and the mouse use the same layout, so a click always hits what is seen.

use gray1_isa::memory_map::DISPLAY_SIZE;

use crate::font::{CELL_HEIGHT, CELL_WIDTH};

/// Status lines with fewer characters are left out.
const MIN_COLUMNS: usize = 20;
/// The status lines are as wide as the board, but at least this many characters if there is room. Text is as large as
/// this and the next allow, to be read from a chair.
const GOOD_COLUMNS: usize = 34;
/// A line of text takes no more than this part of the height.
const LINES: usize = 24;
/// The distance between two lines of text, in font pixels.
pub const LINE: usize = CELL_HEIGHT + 4;

/// A push-button under an LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pad {
    /// 0 is the top row.
    pub row: u8,
    /// 0 is the leftmost column.
    pub column: u8,
}

/// As inputs have it.
impl From<Pad> for (u8, u8) {
    fn from(pad: Pad) -> Self {
        (pad.row, pad.column)
    }
}

/// A rectangle of pixels.
#[allow(missing_docs)] // the names say it
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Area {
    pub x: usize,
    pub y: usize,
    pub width: usize,
    pub height: usize,
}

/// The geometry of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The board, a square; empty if there is no room for eight LEDs.
    pub board: Area,
    /// The distance between two LEDs. Each has a square cell of this size.
    pub pitch: usize,
    /// The distance from the edge of the board to the first cell.
    pub margin: usize,
    /// The diameter of a lens.
    pub lens: usize,
    /// The two lines of text under the board; empty if there is no room for them.
    pub status: Area,
    /// The size of a font pixel.
    pub text_scale: usize,
    /// The lines that say what the LEDs mean, below the status lines; empty if there are none, or no room for them.
    pub caption: Area,
    /// The size of a font pixel there.
    pub caption_scale: usize,
}

impl Layout {
    /// The layout of a picture of this size, with status lines if there is room for them.
    pub fn new(width: usize, height: usize) -> Self {
        let text_scale = text_scale(width, height);
        let (line, column) = (text_scale * CELL_HEIGHT, text_scale * CELL_WIDTH);
        // The lines may take a fifth of the height, and must be wide enough to be of use.
        let text_height = line + text_scale * LINE;
        let bar = text_height + line;
        if height / 5 < bar || width < MIN_COLUMNS * column {
            return Self::without_status(width, height);
        }
        let edge = width.min(height) / 50;
        let mut layout = Self::without_status(width - 2 * edge, height - bar - edge);
        layout.board.x += edge;
        layout.board.y += edge;
        layout.text_scale = text_scale;
        let text = (layout.board.width - layout.margin).max(GOOD_COLUMNS * column).min(width - 2 * edge);
        // The text is closer to the board, to which it belongs, than to the edge of the window.
        let y = layout.board.y + layout.board.height + line / 2;
        layout.status = Area { x: (width - text) / 2, y, width: text, height: text_height };
        layout
    }

    /// The layout of a picture with a caption of this many lines, of at most so many characters, if there is room for
    /// it.
    pub fn captioned(width: usize, height: usize, lines: usize, longest: usize) -> Self {
        let (scale, edge) = (caption_scale(width, height), width.min(height) / 50);
        let caption = (lines + 1) * LINE * scale;
        let (text, room) = (longest * CELL_WIDTH * scale, width.saturating_sub(2 * edge));
        if lines == 0 || caption > height / 4 || text > room {
            return Self::new(width, height);
        }
        let mut layout = Self::new(width, height - caption);
        if layout.status.height > 0 {
            let x = layout.status.x.min(width - edge - text);
            let y = layout.status.y + layout.status.height + LINE * scale / 2;
            layout.caption = Area { x, y, width: text, height: lines * LINE * scale };
            layout.caption_scale = scale;
        }
        layout
    }

    /// The board alone, as large as it fits.
    pub fn without_status(width: usize, height: usize) -> Self {
        let side = width.min(height);
        let margin = |pitch: usize| pitch * 2 / 5;
        let used = |pitch: usize| DISPLAY_SIZE * pitch + 2 * margin(pitch);
        let pitch = (0..=side / DISPLAY_SIZE).rfind(|pitch| used(*pitch) <= side).unwrap_or(0);
        let (margin, used) = (margin(pitch), used(pitch));
        let board = Area { x: (width - used) / 2, y: (height - used) / 2, width: used, height: used };
        let gap = (pitch / 7).max(usize::from(pitch > 2));
        Self {
            board,
            pitch,
            margin,
            lens: pitch - gap,
            status: Area::default(),
            text_scale: 1,
            ..Self::default()
        }
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

    /// The LED whose cell contains this pixel.
    pub fn pad_at(&self, x: usize, y: usize) -> Option<Pad> {
        let index = |position: usize, edge: usize| {
            let cell = position.checked_sub(edge + self.margin)?.checked_div(self.pitch)?;
            u8::try_from(cell).ok().filter(|cell| usize::from(*cell) < DISPLAY_SIZE)
        };
        Some(Pad { row: index(y, self.board.y)?, column: index(x, self.board.x)? })
    }
}

/// The size of a font pixel of the status lines, if a picture of this size has them.
fn text_scale(width: usize, height: usize) -> usize {
    (width / (GOOD_COLUMNS * CELL_WIDTH)).min(height / (LINES * CELL_HEIGHT)).max(1)
}

/// The size of a font pixel of the caption, which is longer.
fn caption_scale(width: usize, height: usize) -> usize {
    text_scale(width, height).div_ceil(2)
}

/// The number of characters that fit into a line of the caption of a picture of this size.
pub(crate) fn caption_columns(width: usize, height: usize) -> usize {
    width.saturating_sub(2 * (width.min(height) / 50)) / (CELL_WIDTH * caption_scale(width, height))
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
        fn a_caption_is_below_the_status_lines(
            width in 0usize..3000, height in 0usize..3000, lines in 0usize..8, longest in 0usize..80,
        ) {
            let Layout { status, caption, .. } = Layout::captioned(width, height, lines, longest);
            prop_assert!(caption.x + caption.width <= width && caption.y + caption.height <= height);
            prop_assert!(status.y + status.height <= caption.y || caption == Area::default());
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
