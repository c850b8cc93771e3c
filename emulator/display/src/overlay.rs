//! The help: the keys on a dark sheet over the picture.

use crate::color::{self, BACKGROUND, BRIGHT_TEXT, TEXT};
use crate::controls;
use crate::font::{CELL_HEIGHT, CELL_WIDTH};
use crate::render::draw_text;

/// From line to line, in font pixels.
const LINE: usize = CELL_HEIGHT + 4;
/// Between the keys and their meaning, in characters.
const GAP: usize = 2;

/// Draws the help over a picture; the largest text that fits, or as much of the smallest as does.
pub fn draw(pixels: &mut [u32], width: usize, height: usize) {
    let lines = controls::help(false);
    let keys_width = lines.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
    let meaning = lines.iter().map(|(_, meaning)| meaning.len()).max().unwrap_or(0);
    let text_width = (keys_width + GAP + meaning) * CELL_WIDTH;
    let text_height = lines.len() * LINE;
    let scale = (width / (text_width + 2 * LINE)).min(height / (text_height + 2 * LINE)).clamp(1, 4);
    for pixel in pixels.iter_mut() {
        *pixel = dimmed(*pixel);
    }
    let left = width.saturating_sub(text_width * scale) / 2;
    let top = height.saturating_sub(text_height * scale) / 2;
    for (row, (keys, meaning)) in lines.iter().enumerate() {
        let y = top + row * LINE * scale;
        let second = left + (keys_width + GAP) * CELL_WIDTH * scale;
        draw_text(pixels, width, (left, y), scale, keys, color::screen(BRIGHT_TEXT));
        draw_text(pixels, width, (second, y), scale, meaning, color::screen(TEXT));
    }
}

/// An eighth of the picture still shines through the sheet.
fn dimmed(pixel: u32) -> u32 {
    (pixel >> 3 & 0x1F_1F1F) + color::screen(BACKGROUND)
}
