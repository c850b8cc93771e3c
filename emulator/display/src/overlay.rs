//! The help: a list of the keys over the dimmed picture.

use crate::color::{BACKGROUND, BRIGHT_TEXT, TEXT, film};
use crate::controls;
use crate::font::{self, CELL_HEIGHT, CELL_WIDTH};

/// The distance between two lines, in font pixels.
const LINE: usize = CELL_HEIGHT + 4;
/// The space between the keys and their meaning, in characters.
const GAP: usize = 2;

/// Draws the help over a picture, as large as it fits; in a small picture it is cut off.
pub fn draw(pixels: &mut [u32], width: usize, height: usize) {
    let lines = controls::help(false);
    let keys_width = lines.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
    let meaning = lines.iter().map(|(_, meaning)| meaning.len()).max().unwrap_or(0);
    let text_width = (keys_width + GAP + meaning) * CELL_WIDTH;
    let text_height = lines.len() * LINE;
    let scale = (width / (text_width + 2 * LINE)).min(height / (text_height + 2 * LINE)).clamp(1, 4);
    for pixel in pixels.iter_mut() {
        *pixel = (*pixel >> 3 & 0x1F_1F1F) + film().screen(BACKGROUND);
    }
    let left = width.saturating_sub(text_width * scale) / 2;
    let top = height.saturating_sub(text_height * scale) / 2;
    for (row, (keys, meaning)) in lines.iter().enumerate() {
        let y = top + row * LINE * scale;
        let second = left + (keys_width + GAP) * CELL_WIDTH * scale;
        font::draw(pixels, width, (left, y), scale, keys, film().screen(BRIGHT_TEXT));
        font::draw(pixels, width, (second, y), scale, meaning, film().screen(TEXT));
    }
}
