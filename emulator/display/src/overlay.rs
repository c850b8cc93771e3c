//! The help over the dimmed picture: what the colours of the LEDs mean, the keys, and what the program says about
//! itself. It scrolls.

use crate::color::{BACKGROUND, BRIGHT_TEXT, TEXT, film, flat};
use crate::controls;
use crate::font::{self, CELL_WIDTH};
use crate::layout;
use crate::legend::{LegendLine, legend, term};
use gray1_text::wrap;

/// The space between the keys and their meaning, in characters.
const GAP: usize = 2;
/// The least space around the text, in font pixels.
const EDGE: usize = 10;
/// Text is no larger than this.
const MAX_SCALE: usize = 4;
/// Text is as large as this many characters in a line and as many lines allow.
const GOOD: (usize, usize) = (46, 20);
/// The last line, if there are more.
const MORE: &str = "Up, Down: more";

/// The help to be shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Help<'a> {
    /// The program's description of itself.
    pub about: &'a str,
    /// The number of lines by which it is scrolled.
    pub from: usize,
}

impl<'a> Help<'a> {
    /// The help from its beginning.
    pub fn new(about: &'a str) -> Self {
        Self { about, from: 0 }
    }
}

/// Draws the help over a picture, as large as is good to read; what does not fit is scrolled to.
pub(crate) fn draw(pixels: &mut [u32], width: usize, height: usize, help: Help) {
    let scale = scale(width, height);
    let (columns, rows) = room(width, height, scale);
    let lines = visible(lines(help.about, columns, false), rows, help.from);
    for pixel in pixels.iter_mut() {
        *pixel = (*pixel >> 4 & 0x0F_0F0F) + film().screen(BACKGROUND);
    }
    let top = height.saturating_sub(lines.len() * layout::LINE * scale) / 2;
    for (row, line) in lines.iter().enumerate() {
        let place = (EDGE * scale, top + row * layout::LINE * scale);
        write(pixels, width, place, scale, line);
    }
}

/// Writes a line into a picture.
pub(crate) fn write(
    pixels: &mut [u32],
    width: usize,
    (x, y): (usize, usize),
    scale: usize,
    line: &LegendLine,
) {
    let (first, rest) = split(line);
    let ink = line.led.map_or(film().screen(BRIGHT_TEXT), flat);
    font::draw(pixels, width, (x, y), scale, first, ink);
    let x = x + line.bright * CELL_WIDTH * scale;
    font::draw(pixels, width, (x, y), scale, rest, film().screen(TEXT));
}

/// The part of a line that stands out, and the rest.
pub(crate) fn split(line: &LegendLine) -> (&str, &str) {
    let at = line.text.char_indices().nth(line.bright).map_or(line.text.len(), |(at, _)| at);
    line.text.split_at(at)
}

/// The last scroll position of the help in a picture of this size.
pub(crate) fn end(width: usize, height: usize, about: &str) -> usize {
    let (columns, rows) = room(width, height, scale(width, height));
    last(lines(about, columns, false).len(), rows)
}

/// The last line that the help can begin with, if only `rows` rows are visible.
pub(crate) fn last(lines: usize, rows: usize) -> usize {
    if lines > rows { lines - rows.saturating_sub(1).min(lines) } else { 0 }
}

fn scale(width: usize, height: usize) -> usize {
    let fits = |scale: &usize| {
        let (columns, rows) = room(width, height, *scale);
        columns >= GOOD.0 && rows >= GOOD.1
    };
    (1..=MAX_SCALE).rev().find(fits).unwrap_or(1)
}

/// Columns and rows of text of this scale.
fn room(width: usize, height: usize, scale: usize) -> (usize, usize) {
    let columns = (width / scale).saturating_sub(2 * EDGE) / CELL_WIDTH;
    (columns, (height / scale).saturating_sub(2 * EDGE) / layout::LINE)
}

/// All lines of the help: first what is seen.
pub(crate) fn lines(about: &str, columns: usize, in_terminal: bool) -> Vec<LegendLine> {
    let mut lines = legend(about, columns);
    if !lines.is_empty() {
        lines.push(LegendLine::default());
    }
    let keys = controls::help(in_terminal);
    let width = keys.iter().map(|(keys, _)| keys.len()).max().unwrap_or(0);
    lines.extend(keys.iter().map(|(keys, meaning)| LegendLine {
        text: format!("{keys:width$}{:GAP$}{meaning}", "").chars().take(columns).collect(),
        bright: width.min(columns),
        led: None,
    }));
    let about = wrapped(about, columns);
    if !about.is_empty() {
        lines.push(LegendLine::default());
        lines.extend(about.into_iter().map(LegendLine::plain));
    }
    lines
}

/// The lines that are seen in this many rows.
pub(crate) fn visible(mut lines: Vec<LegendLine>, rows: usize, from: usize) -> Vec<LegendLine> {
    if lines.len() <= rows {
        return lines;
    }
    let from = from.min(last(lines.len(), rows));
    lines.drain(..from);
    lines.truncate(rows.saturating_sub(1));
    if rows > 0 {
        lines.push(LegendLine { text: MORE.to_owned(), bright: MORE.len(), led: None });
    }
    lines
}

/// Text in lines of this many characters. Its own lines run on, unless they are indented or come after an empty one.
/// Indented lines that explain terms stay two columns.
fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut paragraph = String::new();
    let widest = text.lines().filter_map(term).map(|(term, _)| term.chars().count()).max().unwrap_or(0);
    let end = |paragraph: &mut String, lines: &mut Vec<String>| {
        lines.extend(wrap(&std::mem::take(paragraph), columns));
    };
    for line in text.lines() {
        match term(line) {
            Some((term, meaning)) if widest + 2 * GAP < columns => {
                end(&mut paragraph, &mut lines);
                let width = widest + GAP;
                for (row, meaning) in wrap(meaning, columns - width).into_iter().enumerate() {
                    lines.push(format!("{:width$}{meaning}", if row == 0 { term } else { "" }));
                }
            }
            _ if line.is_empty() || line.starts_with(' ') => {
                end(&mut paragraph, &mut lines);
                paragraph.push_str(line);
                if line.is_empty() {
                    lines.push(String::new());
                }
            }
            _ => {
                paragraph.push(' ');
                paragraph.push_str(line);
            }
        }
    }
    end(&mut paragraph, &mut lines);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_can_be_scrolled_to() {
        let lines = || ["1", "2", "3", "4", "5"].map(LegendLine::plain).to_vec();
        let seen = |rows, from| {
            let lines = visible(lines(), rows, from);
            lines.iter().map(|line| line.text.as_str().to_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(seen(5, 3), "1 2 3 4 5");
        assert_eq!(seen(3, 0), format!("1 2 {MORE}"));
        assert_eq!((seen(3, 3), last(5, 3)), (format!("4 5 {MORE}"), 3));
        assert_eq!(seen(3, 9), seen(3, 3));
        assert_eq!((seen(1, 0), seen(0, 0)), (MORE.to_owned(), String::new()));
    }

    #[test]
    fn the_legend_comes_first_then_the_keys() {
        let lines = lines("The display\n  red  queens\n\nThe end.", 40, true);
        assert_eq!((lines[0].text.as_str(), lines[0].bright), ("red: queens", 3));
        assert!(lines[2].text.starts_with("Mouse"));
        assert_eq!(lines.last().map(|line| line.text.as_str()), Some("The end."));
    }

    #[test]
    fn what_a_program_says_runs_on_in_lines_of_any_length() {
        let text = "Snake: eat the\napples.\n\nSTART starts.\n  A    jumps\n  left waits for long";
        assert_eq!(
            wrapped(text, 16),
            ["Snake: eat the", "apples.", "", "START starts.", "A  jumps", "left waits for", "long"]
        );
        let text = "Keys\n  A    jumps\n  left  waits for long";
        assert_eq!(wrapped(text, 16), ["Keys", "A     jumps", "left  waits for", "      long"]);
        for columns in 0..30 {
            assert!(wrapped(text, columns).iter().all(|line| line.chars().count() <= columns));
        }
    }
}
