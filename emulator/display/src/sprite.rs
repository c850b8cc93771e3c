//! One LED at one size: the unlit lens, the light on it, and the glow on its neighbours.
//!
//! All LEDs look the same, so a picture is put together from these few tables, computed once for each size.

use std::ops::Range;

use crate::color::{BOARD, LENS, Linear};

/// A cell gets light from itself and its neighbours, three in each direction.
pub const NEIGHBOURS: usize = 3;

/// The tables of one cell, row by row, `pitch` pixels a row.
pub struct Sprite {
    /// The unlit lens and the board around it.
    pub unlit: Vec<Linear>,
    /// The light of the LED on its own lens, for each [`Lens`].
    pub lenses: [Vec<f32>; 3],
    /// The reflectance of each pixel for glow: the milky lens reflects more than the dark board.
    pub catches: Vec<f32>,
    /// The glow on this cell of an LED in the cell `[row][column]` of the nine.
    pub glow: [[Glow; NEIGHBOURS]; NEIGHBOURS],
}

/// Which part of a lens is lit.
#[derive(Clone, Copy)]
pub enum Lens {
    /// All of it.
    Disc,
    /// Its edge.
    Ring,
    /// Its middle.
    Dot,
}

/// The glow of one LED on a cell.
pub struct Glow {
    /// The pixels of a row that it reaches, for every row.
    reached: Vec<Range<usize>>,
    light: Vec<f32>,
    pitch: usize,
}

impl Glow {
    /// The light on row `y`: the first pixel that it reaches, and the light from there on.
    pub fn row(&self, y: usize) -> (usize, &[f32]) {
        let reached = self.reached[y].clone();
        (reached.start, &self.light[y * self.pitch..][reached])
    }

    fn new(pitch: usize, light: Vec<f32>) -> Self {
        let reached = light
            .chunks_exact(pitch.max(1))
            .map(|row| {
                let start = row.iter().position(|light| *light > 0.0).unwrap_or(0);
                start..row.iter().rposition(|light| *light > 0.0).map_or(start, |last| last + 1)
            })
            .collect();
        Self { reached, light, pitch }
    }
}

/// The brightness in the middle of a lit lens, on top of that of its body.
const HOT: f32 = 2.2;
const BODY: f32 = 0.62;
/// The brightness of a ring. Its hole, and a dot, as parts of the lens.
const RING: f32 = 1.3;
const HOLE: f32 = 0.62;
const DOT: f32 = 0.42;
/// The glow at the edge of the lens, and how many lens radii it reaches.
const GLOW: f32 = 0.03;
const REACH: f32 = 3.0;

impl Sprite {
    /// The sprite of an LED with a lens of this diameter in the middle of a cell of `pitch` pixels.
    pub fn new(pitch: usize, lens: usize, glows: bool) -> Self {
        let radius = lens as f32 / 2.0;
        let table =
            |dot: &dyn Fn(f32, f32) -> f32| -> Vec<f32> { offsets(pitch).map(|(x, y)| dot(x, y)).collect() };
        let unlit = offsets(pitch).map(|(x, y)| unlit(x, y, radius)).collect();
        let lens = |x: f32, y: f32| {
            let distance = x.hypot(y) / radius;
            let hot = (1.0 - distance / 0.85).clamp(0.0, 1.0);
            let limb = 1.0 - 0.5 * distance.min(1.0).powi(3);
            covered(x, y, radius) * (BODY * limb + HOT * smooth(hot))
        };
        let lenses = [
            table(&lens),
            table(&|x, y| covered(x, y, radius) * (1.0 - covered(x, y, HOLE * radius)) * RING),
            table(&|x, y| lens(x, y) * covered(x, y, DOT * radius)),
        ];
        let catches = table(&|x, y| 1.0 + 0.9 * covered(x, y, radius));
        let glow = std::array::from_fn(|row| {
            std::array::from_fn(|column| {
                let (down, right) = ((row as f32 - 1.0) * pitch as f32, (column as f32 - 1.0) * pitch as f32);
                let light = |x: f32, y: f32| {
                    if glows { glow((x - right).hypot(y - down) / radius) } else { 0.0 }
                };
                Glow::new(pitch, table(&light))
            })
        });
        Self { unlit, lenses, catches, glow }
    }
}

/// The pixels of a cell, as distances from its middle.
fn offsets(pitch: usize) -> impl Iterator<Item = (f32, f32)> {
    let middle = pitch as f32 / 2.0;
    (0..pitch * pitch)
        .map(move |index| ((index % pitch) as f32 + 0.5 - middle, (index / pitch) as f32 + 0.5 - middle))
}

/// The part of a pixel that a disc covers, which gives the disc a soft edge.
fn covered(x: f32, y: f32, radius: f32) -> f32 {
    (radius - x.hypot(y) + 0.5).clamp(0.0, 1.0)
}

fn glow(distance: f32) -> f32 {
    let left = (1.0 - (distance - 1.0).max(0.0) / (REACH - 1.0)).clamp(0.0, 1.0);
    GLOW * left * left * left
}

/// A dark dome in a socket, lit by the room: lighter at the upper left, with a small reflection and a faint lower rim.
fn unlit(x: f32, y: f32, radius: f32) -> Linear {
    let (x1, y1) = (x / radius, y / radius);
    let distance = x1.hypot(y1);
    let slope = (-x1 - y1) * 0.5;
    let reflection = smooth(1.0 - (x1 + 0.36).hypot(y1 + 0.40) / 0.34) * 0.045;
    let rim = smooth((distance - 0.62) / 0.38) * slope.max(-slope * 0.8).max(0.0) * 0.022;
    let dome = (0.72 + 0.42 * slope - 0.25 * distance * distance).max(0.2);
    let socket = 1.0 - 0.55 * smooth(1.0 - (distance - 1.0).abs() / 0.16);
    let inside = covered(x, y, radius);
    std::array::from_fn(|channel| {
        let lens = LENS[channel] * dome + reflection + rim;
        BOARD[channel] * socket * (1.0 - inside) + lens * inside
    })
}

fn smooth(part: f32) -> f32 {
    let part = part.clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}
