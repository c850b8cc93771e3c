//! A screen of cells as an SVG that looks the same everywhere: frames, LEDs and clocks are shapes, and each word begins
//! at its column, whatever the font.

use ratatui_core::buffer::{Buffer, Cell};
use ratatui_core::style::{Color, Modifier};
use std::fmt::Write;

/// A cell, and the space around the screen, in pixels.
const WIDTH: usize = 8;
const HEIGHT: usize = 17;
const EDGE: usize = 14;
/// From the top of a cell to the baseline of letters.
const BASE: usize = 13;

const PAPER: &str = "#14161b";
const INK: &str = "#cfd3da";

/// The lines from the middle of a cell: up, right, down, left; 2 is heavy.
const FRAMES: &[(char, [usize; 4])] = &[
    ('│', [1, 0, 1, 0]),
    ('─', [0, 1, 0, 1]),
    ('┌', [0, 1, 1, 0]),
    ('┐', [0, 0, 1, 1]),
    ('└', [1, 1, 0, 0]),
    ('┘', [1, 0, 0, 1]),
    ('┼', [1, 1, 1, 1]),
    ('┃', [2, 0, 2, 0]),
    ('━', [0, 2, 0, 2]),
    ('┏', [0, 2, 2, 0]),
    ('┓', [0, 0, 2, 2]),
    ('┗', [2, 2, 0, 0]),
    ('┛', [2, 0, 0, 2]),
    ('┿', [1, 2, 1, 2]),
];

/// The screen as SVG, and a description for readers who cannot see it.
pub fn svg(buffer: &Buffer, title: &str) -> String {
    let (columns, rows) = (buffer.area.width, buffer.area.height);
    let (width, height) = (usize::from(columns) * WIDTH + 2 * EDGE, usize::from(rows) * HEIGHT + 2 * EDGE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{PAPER}\"/>\n\
         <g font-family=\"'DejaVu Sans Mono', Menlo, Consolas, 'Liberation Mono', monospace\" font-size=\"13.3\" fill=\"{INK}\">\n"
    );
    for row in 0..rows {
        stripes(&mut svg, buffer, row);
        let mut word = Word::default();
        for column in 0..columns {
            let cell = &buffer[(column, row)];
            let (x, y) = (EDGE + usize::from(column) * WIDTH, EDGE + usize::from(row) * HEIGHT);
            let letter = cell.symbol().chars().next().unwrap_or(' ');
            if letter != ' ' && !draw(&mut svg, letter, cell, (x, y)) {
                word.add(&mut svg, letter, &style(cell), (x, y));
            } else {
                word.end(&mut svg);
            }
        }
        word.end(&mut svg);
    }
    svg + "</g>\n</svg>\n"
}

/// The background and the underline of a row. Adjacent cells of the same style become one stripe, because two would
/// have a visible seam.
fn stripes(svg: &mut String, buffer: &Buffer, row: u16) {
    for (modifier, top, height) in [(Modifier::REVERSED, 0, HEIGHT), (Modifier::UNDERLINED, HEIGHT - 2, 1)] {
        let mut column = 0;
        while column < buffer.area.width {
            let cell = &buffer[(column, row)];
            let is_alike = |at: &u16| {
                let other = &buffer[(*at, row)];
                other.modifier.contains(modifier) && other.fg == cell.fg
            };
            let length = (column..buffer.area.width).take_while(is_alike).count();
            let (x, y) = (EDGE + usize::from(column) * WIDTH, EDGE + usize::from(row) * HEIGHT);
            if length > 0 {
                shape(svg, color(cell.fg), (x, y + top, length * WIDTH, height));
            }
            column += length.max(1) as u16;
        }
    }
}

/// Letters of one style beside each other.
#[derive(Default)]
struct Word {
    text: String,
    style: String,
    at: (usize, usize),
}

impl Word {
    fn add(&mut self, svg: &mut String, letter: char, style: &str, at: (usize, usize)) {
        if self.style != style {
            self.end(svg);
        }
        if self.text.is_empty() {
            (self.style, self.at) = (style.to_owned(), at);
        }
        match letter {
            '<' => self.text += "&lt;",
            '>' => self.text += "&gt;",
            '&' => self.text += "&amp;",
            letter => self.text.push(letter),
        }
    }

    fn end(&mut self, svg: &mut String) {
        if !self.text.is_empty() {
            let Word { text, style, at: (x, y) } = std::mem::take(self);
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\"{style}>{text}</text>", y + BASE);
        }
    }
}

fn style(cell: &Cell) -> String {
    let is = |modifier| cell.modifier.contains(modifier);
    let mut style = String::new();
    if is(Modifier::REVERSED) {
        let _ = write!(style, " fill=\"{PAPER}\"");
    } else if cell.fg != Color::Reset {
        let _ = write!(style, " fill=\"{}\"", color(cell.fg));
    }
    if is(Modifier::DIM) {
        style += " opacity=\"0.6\"";
    }
    if is(Modifier::BOLD) {
        style += " font-weight=\"bold\"";
    }
    style
}

fn color(color: Color) -> &'static str {
    match color {
        Color::Red => "#ff6a5c",
        Color::Green => "#62d68f",
        Color::Yellow => "#e8c26e",
        Color::Cyan => "#62c6d9",
        Color::Magenta => "#c79bea",
        _ => INK,
    }
}

/// Draws a symbol that is a shape; returns false for letters.
fn draw(svg: &mut String, letter: char, cell: &Cell, (x, y): (usize, usize)) -> bool {
    let is_reversed = cell.modifier.contains(Modifier::REVERSED);
    let fill = if is_reversed { PAPER } else { color(cell.fg) };
    let (middle, line) = (x + WIDTH / 2, y + HEIGHT / 2);
    if let Some((_, [up, right, down, left])) = FRAMES.iter().find(|(frame, _)| *frame == letter) {
        let across = (*left).max(*right);
        let upright = (*up).max(*down);
        if *left + *right > 0 {
            let from = if *left > 0 { x } else { middle };
            let to = if *right > 0 { x + WIDTH } else { middle + upright };
            shape(svg, fill, (from, line, to - from, across));
        }
        if *up + *down > 0 {
            let from = if *up > 0 { y } else { line };
            let to = if *down > 0 { y + HEIGHT } else { line + across };
            shape(svg, fill, (middle, from, upright, to - from));
        }
        return true;
    }
    match letter {
        '▁' => shape(svg, fill, (x, y + HEIGHT - 5, WIDTH, 1)),
        '▔' => shape(svg, fill, (x, y + 3, WIDTH, 1)),
        '●' => {
            let _ = writeln!(svg, "<circle cx=\"{middle}\" cy=\"{line}\" r=\"4\" fill=\"{fill}\"/>");
        }
        '◆' => {
            let _ = writeln!(svg, "<path d=\"M{middle} {}l5 5l-5 5l-5 -5z\" fill=\"{fill}\"/>", line - 5);
        }
        '■' => shape(svg, fill, (middle - 4, line - 4, 8, 8)),
        _ => return false,
    }
    true
}

fn shape(svg: &mut String, fill: &str, (x, y, width, height): (usize, usize, usize, usize)) {
    let _ =
        writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\"/>");
}
