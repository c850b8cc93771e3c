//! The picture: a board with 64 two-colour LEDs, and a quiet line of text under it.
//!
//! A frame costs what has changed: an LED that changes its brightness redraws its cell and the eight around
//! it, on which its glow falls.

use gray1_isa::memory_map::DISPLAY_SIZE;

use crate::color::{self, BACKGROUND, BOARD, GREEN, Linear, RED, TEXT};
use crate::exposure::Light;
use crate::font::{self, CELL_WIDTH};
use crate::layout::{Area, Layout};
use crate::overlay;
use crate::player::Pad;
use crate::sprite::{NEIGHBOURS, Sprite};
use crate::status::Status;

/// The cells of the LEDs and a ring of board around them.
const CELLS: usize = DISPLAY_SIZE + 2;

/// The light of a full LED, as a multiple of what the middle tones of the screen show.
const GAIN: f32 = 1.55;

/// Brightness steps (green, red) of every LED.
type Levels = [[(u8, u8); DISPLAY_SIZE]; DISPLAY_SIZE];

/// Draws into a buffer of pixels, 0RGB, row by row.
pub struct Renderer {
    width: usize,
    height: usize,
    layout: Layout,
    sprite: Sprite,
    /// The board without any LED lit.
    unlit: Vec<Linear>,
    pixels: Vec<u32>,
    /// The picture under the help, while that is shown.
    helped: Vec<u32>,
    drawn: Option<Drawn>,
}

/// What the pixels show.
struct Drawn {
    levels: Levels,
    line: String,
    help: bool,
}

impl Renderer {
    /// A renderer for pictures of this size, with a status line where there is room for it.
    pub fn new(width: usize, height: usize) -> Self {
        Self::with_layout(width, height, Layout::new(width, height), true)
    }

    /// A renderer for pictures of the board alone, whose LEDs throw no glow on each other: where pixels are
    /// few, or have to be packed.
    pub fn plain(width: usize, height: usize) -> Self {
        Self::with_layout(width, height, Layout::without_status(width, height), false)
    }

    /// Where things are in the picture.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Brings the picture up to date; false when nothing of it had to change.
    pub fn draw(&mut self, light: &Light, status: &Status, help: bool) -> bool {
        let levels = light.leds.map(|row| row.map(color::levels));
        let line = status.line(self.layout.status.width / (CELL_WIDTH * self.layout.text_scale));
        let before = self.drawn.replace(Drawn { levels, line: line.clone(), help });
        let Some(before) = before else {
            self.draw_cells(&levels, &[[true; CELLS]; CELLS]);
            self.draw_line(&line);
            self.draw_help(help);
            return true;
        };
        let dirty = touched(&levels, &before.levels);
        let lit = dirty.as_flattened().contains(&true);
        if lit {
            self.draw_cells(&levels, &dirty);
        }
        if line != before.line {
            self.draw_line(&line);
        }
        let changed = lit || line != before.line || help != before.help;
        if changed {
            self.draw_help(help);
        }
        changed
    }

    /// The picture, as far as it has been drawn.
    pub fn pixels(&self) -> &[u32] {
        match &self.drawn {
            Some(drawn) if drawn.help => &self.helped,
            _ => &self.pixels,
        }
    }

    fn with_layout(width: usize, height: usize, layout: Layout, glows: bool) -> Self {
        Self {
            width,
            height,
            layout,
            sprite: Sprite::new(layout.pitch, layout.lens, glows),
            unlit: Vec::new(),
            pixels: vec![color::screen(BACKGROUND); width * height],
            helped: Vec::new(),
            drawn: None,
        }
        .with_board()
    }

    fn with_board(mut self) -> Self {
        let Area { width, height, .. } = self.layout.board;
        self.unlit = (0..width * height)
            .map(|index| board(index % width, index / width, width, self.layout.pitch))
            .collect();
        for row in 0..DISPLAY_SIZE as u8 {
            for column in 0..DISPLAY_SIZE as u8 {
                let cell = self.layout.cell(Pad { row, column });
                for y in 0..cell.height {
                    let to = (cell.y - self.layout.board.y + y) * width + cell.x - self.layout.board.x;
                    let from = y * cell.width;
                    self.unlit[to..to + cell.width]
                        .copy_from_slice(&self.sprite.unlit[from..from + cell.width]);
                }
            }
        }
        self
    }

    fn draw_cells(&mut self, levels: &Levels, dirty: &[[bool; CELLS]; CELLS]) {
        let mut light = [[(0.0, 0.0); CELLS + 2]; CELLS + 2];
        for (row, leds) in levels.iter().enumerate() {
            for (column, led) in leds.iter().enumerate() {
                let (green, red) = color::emission(*led);
                light[row + 2][column + 2] = (green * GAIN, red * GAIN);
            }
        }
        let mut sums = Sums { green: vec![0.0; self.layout.pitch], red: vec![0.0; self.layout.pitch] };
        for row in 0..CELLS {
            for column in 0..CELLS {
                if dirty[row][column] {
                    let around = std::array::from_fn(|r| std::array::from_fn(|c| light[row + r][column + c]));
                    self.draw_cell(row, column, &around, &mut sums);
                }
            }
        }
    }

    /// Draws the cell `row`, `column`, counted from the ring, as far as it is on the board. `around` is the
    /// light of the nine LEDs that reach it.
    fn draw_cell(
        &mut self,
        row: usize,
        column: usize,
        around: &[[(f32, f32); NEIGHBOURS]; NEIGHBOURS],
        sums: &mut Sums,
    ) {
        let Layout { board, pitch, margin, .. } = self.layout;
        let on_board = |cell: usize| {
            // A cell of the ring is only as wide as the margin.
            let first = if cell == 0 { pitch - margin } else { 0 };
            let end = if cell == CELLS - 1 { margin } else { pitch };
            (first, end, (margin + cell * pitch + first) - pitch)
        };
        let (top, bottom, board_y) = on_board(row);
        let (left, right, board_x) = on_board(column);
        let has_lens = (1..=DISPLAY_SIZE).contains(&row) && (1..=DISPLAY_SIZE).contains(&column);
        let film = color::film();
        for y in top..bottom {
            sums.green.fill(0.0);
            sums.red.fill(0.0);
            for (glows, lights) in self.sprite.glow.iter().zip(around) {
                for (glow, light) in glows.iter().zip(lights) {
                    let (first, row) = glow.row(y);
                    add(&mut sums.green[first..], row, light.0);
                    add(&mut sums.red[first..], row, light.1);
                }
            }
            if has_lens {
                let own = around[1][1];
                let lens = &self.sprite.lens[y * pitch..][..pitch];
                let catches = &self.sprite.catches[y * pitch..][..pitch];
                for (sum, own) in [(&mut sums.green, own.0), (&mut sums.red, own.1)] {
                    for ((sum, lens), catches) in sum.iter_mut().zip(lens).zip(catches) {
                        *sum = *sum * catches + own * lens;
                    }
                }
            }
            let from = (board_y + y - top) * board.width + board_x;
            let to = (board.y + board_y + y - top) * self.width + board.x + board_x;
            let pixels = self.pixels[to..to + right - left].iter_mut().zip(&self.unlit[from..]);
            let lit = sums.green[left..right].iter().zip(&sums.red[left..right]);
            for ((pixel, unlit), (green, red)) in pixels.zip(lit) {
                let light = [
                    unlit[0] + green * GREEN[0] + red * RED[0],
                    unlit[1] + green * GREEN[1] + red * RED[1],
                    unlit[2] + green * GREEN[2] + red * RED[2],
                ];
                *pixel = film.screen(light);
            }
        }
    }

    fn draw_line(&mut self, line: &str) {
        let Area { x, y, width, height } = self.layout.status;
        if height == 0 {
            return;
        }
        for row in self.pixels.chunks_exact_mut(self.width).skip(y).take(height) {
            row[x..x + width].fill(color::screen(BACKGROUND));
        }
        let scale = self.layout.text_scale;
        draw_text(&mut self.pixels, self.width, (x, y), scale, line, color::screen(TEXT));
    }

    fn draw_help(&mut self, help: bool) {
        if help {
            self.helped.clone_from(&self.pixels);
            overlay::draw(&mut self.helped, self.width, self.height);
        } else {
            self.helped = Vec::new();
        }
    }
}

/// The light that falls on a row of a cell.
struct Sums {
    green: Vec<f32>,
    red: Vec<f32>,
}

fn add(sums: &mut [f32], glow: &[f32], light: f32) {
    if light > 0.0 {
        sums.iter_mut().zip(glow).for_each(|(sum, glow)| *sum += light * glow);
    }
}

/// Writes a line of text; what lies outside the picture is cut off.
pub(crate) fn draw_text(
    pixels: &mut [u32],
    width: usize,
    (left, top): (usize, usize),
    scale: usize,
    text: &str,
    ink: u32,
) {
    font::draw(text, |x, y| {
        let x = left + x * scale;
        for row in pixels.chunks_exact_mut(width.max(1)).skip(top + y * scale).take(scale) {
            row[x.min(width)..(x + scale).min(width)].fill(ink);
        }
    });
}

/// The cells that an LED which has changed throws light on.
fn touched(levels: &Levels, before: &Levels) -> [[bool; CELLS]; CELLS] {
    let mut dirty = [[false; CELLS]; CELLS];
    for row in 0..DISPLAY_SIZE {
        for column in 0..DISPLAY_SIZE {
            if levels[row][column] != before[row][column] {
                for cells in &mut dirty[row..row + NEIGHBOURS] {
                    cells[column..column + NEIGHBOURS].fill(true);
                }
            }
        }
    }
    dirty
}

/// The bare board, `side` pixels wide: round corners, and an upper edge that catches some light.
fn board(x: usize, y: usize, side: usize, pitch: usize) -> Linear {
    let corner = (pitch as f32 / 3.0).min(side as f32 / 2.0);
    let edge = (pitch as f32 / 40.0).max(1.0);
    let middle = side as f32 / 2.0;
    let (x, y) = (x as f32 + 0.5 - middle, y as f32 + 0.5 - middle);
    let straight = middle - corner;
    let outside = (x.abs() - straight).max(0.0).hypot((y.abs() - straight).max(0.0)) - corner;
    let inside = (0.5 - outside).clamp(0.0, 1.0);
    let bevel = (1.0 + (outside - 0.5) / edge).clamp(0.0, 1.0);
    let height = 0.5 - y / side as f32;
    std::array::from_fn(|channel| {
        let surface = BOARD[channel] * (1.0 + bevel * (0.25 + 1.6 * height));
        BACKGROUND[channel] * (1.0 - inside) + surface * inside
    })
}
