//! The help: a list of the keys over the dimmed picture, and below it what the program says about itself.

use crate::color::{BACKGROUND, BRIGHT_TEXT, TEXT, film};
use crate::controls;
use crate::font::{self, CELL_WIDTH};
use crate::layout::LINE;

/// The space between the keys and their meaning, in characters.
const GAP: usize = 2;
/// The least space around the text, in font pixels.
const EDGE: usize = 10;
/// Text is no larger than this.
const LARGEST: usize = 4;
/// Text is larger if this many lines of what the program says still fit.
const ENOUGH: usize = 8;

/// Draws the help over a picture, as large as it fits; in a small picture it is cut off.
pub fn draw(pixels: &mut [u32], width: usize, height: usize, about: &str) {
    let lines = controls::help(false);
    let keys_width = lines.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
    let meaning = lines.iter().map(|(_, meaning)| meaning.len()).max().unwrap_or(0);
    let text_width = (keys_width + GAP + meaning) * CELL_WIDTH;
    // The text at a scale, and the lines there is room for.
    let laid_out = |scale: usize| {
        let columns = (width / scale).saturating_sub(2 * EDGE) / CELL_WIDTH;
        (wrapped(about, columns), (height / scale).saturating_sub(2 * EDGE) / LINE)
    };
    let fits = |scale: &usize| {
        let (about, rows) = laid_out(*scale);
        text_width + 2 * EDGE <= width / scale && lines.len() + about.len().min(ENOUGH) < rows
    };
    let scale = (1..=LARGEST).rev().find(fits).unwrap_or(1);
    let (about, rows) = laid_out(scale);
    let about = shortened(about, rows.saturating_sub(lines.len() + 1));
    for pixel in pixels.iter_mut() {
        *pixel = (*pixel >> 4 & 0x0F_0F0F) + film().screen(BACKGROUND);
    }
    let all = if about.is_empty() { lines.len() } else { lines.len() + 1 + about.len() };
    let top = height.saturating_sub(all * LINE * scale) / 2;
    let mut write = |column: usize, row: usize, text: &str, ink| {
        let (x, y) = (EDGE * scale + column * CELL_WIDTH * scale, top + row * LINE * scale);
        font::draw(pixels, width, (x, y), scale, text, film().screen(ink));
    };
    for (row, (keys, meaning)) in lines.iter().enumerate() {
        write(0, row, keys, BRIGHT_TEXT);
        write(keys_width + GAP, row, meaning, TEXT);
    }
    for (row, line) in (lines.len() + 1..).zip(&about) {
        write(0, row, line, TEXT);
    }
}

/// Text in lines of this many characters. Its own lines run on, unless they are indented or come after an empty one.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut begins = true;
    for line in text.lines() {
        begins |= line.is_empty() || line.starts_with(' ');
        if line.is_empty() {
            lines.push(String::new());
        }
        for word in line.split_whitespace() {
            let begins_line = std::mem::take(&mut begins);
            match lines.last_mut().filter(|_| !begins_line) {
                Some(last) if last.chars().count() + 1 + word.chars().count() <= columns => {
                    last.push(' ');
                    last.push_str(word);
                }
                _ => lines.push(word.chars().take(columns).collect()),
            }
        }
        begins = line.is_empty();
    }
    lines
}

/// This many lines at most; the last one says that there are more.
pub fn shortened(mut lines: Vec<String>, rows: usize) -> Vec<String> {
    const MORE: &str = "...";
    if lines.len() > rows {
        lines.truncate(rows);
        if let Some(last) = lines.last_mut() {
            let width = last.chars().count().max(MORE.len());
            *last = last.chars().take(width - MORE.len()).collect();
            last.push_str(MORE);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_cut_off_says_so() {
        let lines = || ["one line", "another line", "x"].map(str::to_owned).to_vec();
        assert_eq!(shortened(lines(), 3), lines());
        assert_eq!(shortened(lines(), 2), ["one line", "another l..."]);
        assert_eq!(shortened(["x", "y"].map(str::to_owned).to_vec(), 1), ["..."]);
        assert!(shortened(lines(), 0).is_empty());
    }

    #[test]
    fn what_a_program_says_runs_on_in_lines_of_any_length() {
        let text = "Snake: eat the\napples.\n\nSTART starts.\n  A  jumps\n  B  waits";
        assert_eq!(
            wrapped(text, 14),
            ["Snake: eat the", "apples.", "", "START starts.", "A jumps", "B waits"]
        );
        assert_eq!(wrapped(text, 30)[..2], ["Snake: eat the apples.", ""]);
        for columns in 0..30 {
            assert!(wrapped(text, columns).iter().all(|line| line.chars().count() <= columns));
        }
    }
}
