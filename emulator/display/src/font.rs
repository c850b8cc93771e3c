//! A small typeface for the status line and the help: 95 characters, drawn in `font.txt`.
//!
//! The display must look the same everywhere, whatever fonts are installed. At whole multiples of its size every stroke
//! is a whole number of pixels wide, so text is crisp.

use std::sync::LazyLock;

/// The width of a character with the space after it, in font pixels.
pub const CELL_WIDTH: usize = 6;
/// The height of a character from the top of a capital to the foot of a `g`.
pub const CELL_HEIGHT: usize = 9;

const GLYPH_WIDTH: usize = 5;
const GLYPHS_IN_A_BAND: usize = 16;
const FIRST: char = ' ';
const LAST: char = '~';

/// The drawing: bands of 16 characters in ASCII order, beginning with the space; `#` is ink, and an empty line
/// separates two bands.
const DRAWING: &str = include_str!("font.txt");

type Glyph = [u8; CELL_HEIGHT];

static GLYPHS: LazyLock<Vec<Glyph>> = LazyLock::new(|| {
    let lines: Vec<&[u8]> = DRAWING.lines().map(str::as_bytes).collect();
    (0..=LAST as usize - FIRST as usize)
        .map(|index| {
            let (band, column) = (index / GLYPHS_IN_A_BAND, index % GLYPHS_IN_A_BAND);
            std::array::from_fn(|row| {
                let line = lines.get(band * (CELL_HEIGHT + 1) + row).copied().unwrap_or_default();
                let row = line.iter().skip(column * (GLYPH_WIDTH + 1)).take(GLYPH_WIDTH);
                row.enumerate().fold(0, |bits, (x, mark)| bits | u8::from(*mark == b'#') << x)
            })
        })
        .collect()
});

/// Writes one line of text into a picture that is `width` pixels wide, with its upper left corner at (`left`, `top`). A
/// character that is not in the typeface shows as `?`; what lies outside the picture is cut off.
pub fn draw(
    pixels: &mut [u32],
    width: usize,
    (left, top): (usize, usize),
    scale: usize,
    text: &str,
    ink: u32,
) {
    for (column, letter) in text.chars().enumerate() {
        let letter = if (FIRST..=LAST).contains(&letter) { letter } else { '?' };
        let glyph = &GLYPHS[letter as usize - FIRST as usize];
        for (y, bits) in glyph.iter().enumerate() {
            for x in (0..GLYPH_WIDTH).filter(|x| bits >> x & 1 == 1) {
                let x = left + (column * CELL_WIDTH + x) * scale;
                for row in pixels.chunks_exact_mut(width.max(1)).skip(top + y * scale).take(scale) {
                    row[x.min(width)..(x + scale).min(width)].fill(ink);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(letter: char) -> [u32; CELL_WIDTH * CELL_HEIGHT] {
        let mut pixels = [0; CELL_WIDTH * CELL_HEIGHT];
        draw(&mut pixels, CELL_WIDTH, (0, 0), 1, &letter.to_string(), 1);
        pixels
    }

    #[test]
    fn every_character_is_drawn_and_unlike_the_others() {
        let all: Vec<_> = (FIRST..=LAST).map(drawn).collect();
        for (index, glyph) in all.iter().enumerate() {
            assert!(!all[..index].contains(glyph), "{:?}", char::from(b' ' + index as u8));
        }
        assert_eq!(drawn(' '), [0; CELL_WIDTH * CELL_HEIGHT]);
        assert_eq!(drawn('é'), drawn('?'));
    }

    #[test]
    fn the_drawing_is_whole() {
        let lines: Vec<&str> = DRAWING.lines().collect();
        assert_eq!(lines.len(), 6 * (CELL_HEIGHT + 1) - 1);
        for (number, line) in lines.iter().enumerate() {
            let width = if number % (CELL_HEIGHT + 1) == CELL_HEIGHT { 0 } else { 16 * 6 - 1 };
            assert_eq!(line.len(), width, "line {}", number + 1);
        }
    }
}
