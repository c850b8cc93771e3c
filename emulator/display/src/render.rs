//! The picture: a board with 64 two-colour LEDs, and two lines of text under it.
//!
//! A frame costs as much as has changed: when the brightness of an LED changes, its cell is drawn again, and so are the
//! eight cells around it, on which its glow falls.

use std::io::Write;

use gray1_isa::memory_map::DISPLAY_SIZE;

use crate::color::{self, BACKGROUND, BOARD, GREEN, Linear, RED, TEXT, film};
use crate::exposure::Light;
use crate::font::{self, CELL_WIDTH};
use crate::layout::{Area, LINE, Layout, Pad, caption_columns};
use crate::legend::{LegendLine, legend};
use crate::overlay::{self, Help};
use crate::sprite::{Lens, NEIGHBOURS, Sprite};
use crate::status::Status;

/// The cells of the LEDs, and a ring of board around them.
const CELLS: usize = DISPLAY_SIZE + 2;

/// The light of a fully lit LED, as a multiple of the middle tones of the screen.
const GAIN: f32 = 1.55;

/// The green and the red light of the LEDs, with two rings of darkness around them, so that every cell has neighbours.
type Lights = [[(f32, f32); CELLS + 2]; CELLS + 2];
/// The light of the LEDs that reach a cell.
type Around = [[(f32, f32); NEIGHBOURS]; NEIGHBOURS];

/// Draws into a buffer of pixels, 0RGB, row by row.
pub struct Renderer {
    width: usize,
    height: usize,
    layout: Layout,
    sprite: Sprite,
    /// The board with all LEDs dark.
    unlit: Vec<Linear>,
    pixels: Vec<u32>,
    /// The picture with the help over it, while that is shown.
    helped: Option<Vec<u32>>,
    has_shapes: bool,
    /// The meaning of the LEDs.
    caption: Vec<LegendLine>,
    drawn: Option<Drawn>,
}

/// The contents of the pixels.
#[derive(PartialEq)]
struct Drawn {
    lights: Lights,
    rows: [String; 2],
    help: Option<(String, usize)>,
}

impl Renderer {
    /// A renderer for pictures of this size, with status lines if there is room for them.
    pub fn new(width: usize, height: usize) -> Self {
        Self::with_layout(width, height, Layout::new(width, height), true)
    }

    /// A renderer with the legend in `about` below the status lines.
    pub fn captioned(width: usize, height: usize, about: &str) -> Self {
        let caption = legend(about, caption_columns(width, height));
        let longest = caption.iter().map(|line| line.text.chars().count()).max().unwrap_or(0);
        let layout = Layout::captioned(width, height, caption.len(), longest);
        Self { caption, ..Self::with_layout(width, height, layout, true) }
    }

    /// A renderer for pictures of the board alone.
    pub fn board(width: usize, height: usize) -> Self {
        Self::with_layout(width, height, Layout::without_status(width, height), true)
    }

    /// A renderer for pictures of the board alone, without any glow between the LEDs: for few pixels, and for pictures
    /// that must compress well.
    pub fn plain(width: usize, height: usize) -> Self {
        Self::with_layout(width, height, Layout::without_status(width, height), false)
    }

    fn with_layout(width: usize, height: usize, layout: Layout, glows: bool) -> Self {
        let sprite = Sprite::new(layout.pitch, layout.lens, glows);
        let Area { x: left, y: top, width: side, .. } = layout.board;
        let mut unlit: Vec<Linear> =
            (0..side * side).map(|index| board(index % side, index / side, side, layout.pitch)).collect();
        for row in 0..DISPLAY_SIZE as u8 {
            for column in 0..DISPLAY_SIZE as u8 {
                let cell = layout.cell(Pad { row, column });
                for (y, lens) in sprite.unlit.chunks_exact(layout.pitch.max(1)).enumerate() {
                    let start = (cell.y - top + y) * side + cell.x - left;
                    unlit[start..start + cell.width].copy_from_slice(lens);
                }
            }
        }
        let pixels = vec![film().screen(BACKGROUND); width * height];
        Self {
            width,
            height,
            layout,
            sprite,
            unlit,
            pixels,
            helped: None,
            has_shapes: false,
            caption: Vec::new(),
            drawn: None,
        }
    }

    /// The layout of the picture.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The picture, as far as it has been drawn.
    pub fn pixels(&self) -> &[u32] {
        self.helped.as_ref().unwrap_or(&self.pixels)
    }

    /// From now on LEDs show their colour by a shape too, or not: green a ring, red a disc, both a ring with a dot.
    pub fn set_shapes(&mut self, has_shapes: bool) {
        if self.has_shapes != has_shapes {
            (self.has_shapes, self.drawn) = (has_shapes, None);
        }
    }

    /// Writes the picture as a PNG.
    ///
    /// # Errors
    /// If the picture has no pixels or cannot be written.
    pub fn write_png(&self, to: impl Write) -> Result<(), png::EncodingError> {
        let size = |pixels| u32::try_from(pixels).map_err(|_| png::EncodingError::LimitsExceeded);
        let mut encoder = png::Encoder::new(to, size(self.width)?, size(self.height)?);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let bytes: Vec<u8> =
            self.pixels().iter().flat_map(|pixel| pixel.to_be_bytes().into_iter().skip(1)).collect();
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&bytes)?;
        writer.finish()
    }

    /// The last scroll position of the help.
    pub fn help_end(&self, about: &str) -> usize {
        overlay::end(self.width, self.height, about)
    }

    /// Removes the help from the picture, until it is drawn again.
    pub fn put_help_aside(&mut self) {
        (self.helped, self.drawn) = (None, None);
    }

    /// Brings the picture up to date, with the help over it while that is shown.
    /// Returns false if nothing had to change.
    pub fn draw(&mut self, light: &Light, status: &Status, help: Option<Help>) -> bool {
        let rows = status.rows(self.layout.status.width / (CELL_WIDTH * self.layout.text_scale));
        let shown = help.map(|help| (help.about.to_owned(), help.from));
        let drawn = Drawn { lights: lights(light), rows, help: shown };
        if self.drawn.as_ref() == Some(&drawn) {
            return false;
        }
        let before = self.drawn.take();
        let mut sums = [vec![0.0; self.layout.pitch], vec![0.0; self.layout.pitch]];
        for row in 0..CELLS {
            for column in 0..CELLS {
                let now = around(&drawn.lights, row, column);
                if before.as_ref().is_none_or(|before| around(&before.lights, row, column) != now) {
                    self.draw_cell(row, column, &now, &mut sums);
                }
            }
        }
        self.draw_rows(&drawn.rows);
        self.helped = help.map(|help| {
            let mut pixels = self.pixels.clone();
            overlay::draw(&mut pixels, self.width, self.height, help);
            pixels
        });
        self.drawn = Some(drawn);
        true
    }

    /// Draws the part of a cell that is on the board. `row` and `column` count from the ring, and the last argument is
    /// room for the green and the red light on one row of pixels.
    fn draw_cell(&mut self, row: usize, column: usize, around: &Around, [green, red]: &mut [Vec<f32>; 2]) {
        let Layout { board, pitch, margin, .. } = self.layout;
        let on_board = |cell: usize| {
            // A cell of the ring is only as wide as the margin.
            let first = if cell == 0 { pitch - margin } else { 0 };
            let end = if cell == CELLS - 1 { margin } else { pitch };
            (first, end, margin + cell * pitch + first - pitch)
        };
        let (top, bottom, board_y) = on_board(row);
        let (left, right, board_x) = on_board(column);
        let has_lens = (1..=DISPLAY_SIZE).contains(&row) && (1..=DISPLAY_SIZE).contains(&column);
        let film = film();
        for y in top..bottom {
            green.fill(0.0);
            red.fill(0.0);
            for (glow, light) in self.sprite.glow.as_flattened().iter().zip(around.as_flattened()) {
                let (first, row) = glow.row(y);
                add(&mut green[first..], row, light.0);
                add(&mut red[first..], row, light.1);
            }
            if has_lens {
                let own = around[1][1];
                let lenses = match (self.has_shapes, own.0 > 0.0, own.1 > 0.0) {
                    (true, true, true) => [Lens::Ring, Lens::Dot],
                    (true, true, false) => [Lens::Ring, Lens::Disc],
                    _ => [Lens::Disc, Lens::Disc],
                };
                let [green_lens, red_lens] =
                    lenses.map(|lens| &self.sprite.lenses[lens as usize][y * pitch..]);
                let catches = &self.sprite.catches[y * pitch..][..pitch];
                for (sums, own, lens) in [(&mut *green, own.0, green_lens), (&mut *red, own.1, red_lens)] {
                    for ((sum, lens), catches) in sums.iter_mut().zip(lens).zip(catches) {
                        *sum = *sum * catches + own * lens;
                    }
                }
            }
            let from = (board_y + y - top) * board.width + board_x;
            let to = (board.y + board_y + y - top) * self.width + board.x + board_x;
            let pixels = self.pixels[to..to + right - left].iter_mut().zip(&self.unlit[from..]);
            let lit = green[left..right].iter().zip(&red[left..right]);
            for ((pixel, unlit), (green, red)) in pixels.zip(lit) {
                *pixel = film.screen([
                    unlit[0] + green * GREEN[0] + red * RED[0],
                    unlit[1] + green * GREEN[1] + red * RED[1],
                    unlit[2] + green * GREEN[2] + red * RED[2],
                ]);
            }
        }
    }

    fn draw_rows(&mut self, rows: &[String; 2]) {
        let Area { x, y, width, height } = self.layout.status;
        if height == 0 {
            return;
        }
        for row in self.pixels.chunks_exact_mut(self.width).skip(y).take(height) {
            row[x..x + width].fill(film().screen(BACKGROUND));
        }
        let scale = self.layout.text_scale;
        for (row, y) in rows.iter().zip([y, y + scale * LINE]) {
            font::draw(&mut self.pixels, self.width, (x, y), scale, row, film().screen(TEXT));
        }
        let (Area { x, y, height, .. }, scale) = (self.layout.caption, self.layout.caption_scale);
        if height > 0 {
            for (row, line) in self.caption.iter().enumerate() {
                overlay::write(&mut self.pixels, self.width, (x, y + row * scale * LINE), scale, line);
            }
        }
    }
}

fn add(sums: &mut [f32], glow: &[f32], light: f32) {
    if light > 0.0 {
        sums.iter_mut().zip(glow).for_each(|(sum, glow)| *sum += light * glow);
    }
}

fn lights(light: &Light) -> Lights {
    let mut lights = [[(0.0, 0.0); CELLS + 2]; CELLS + 2];
    for (row, leds) in light.leds.iter().enumerate() {
        for (column, led) in leds.iter().enumerate() {
            let (green, red) = color::emission(*led);
            lights[row + 2][column + 2] = (green * GAIN, red * GAIN);
        }
    }
    lights
}

fn around(lights: &Lights, row: usize, column: usize) -> Around {
    std::array::from_fn(|y| std::array::from_fn(|x| lights[row + y][column + x]))
}

/// A pixel of the bare board, which is `side` pixels wide: round corners, and an upper edge that catches some light.
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
