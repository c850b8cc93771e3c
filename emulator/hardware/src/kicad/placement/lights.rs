//! Places the board of the LEDs.

use super::tiles::{Shape, Tile};
use super::{CHANNEL, GAP, GRID, Layout, MATRIX, MATRIX_PITCH, ROW_PITCH, SIDE, STACK, on_grid};
use crate::kicad::circuit::Kind;
use crate::kicad::expression::Point;

/// The length of a connector, which is on the right, towards the other boards.
const HEADER: i32 = 60_000;

impl<'a> Layout<'a> {
    /// Places a horizontal tile beside LEDs, with everything in one row.
    fn lying(&mut self, tile: &Tile<'a, '_>, (x, y): Point) -> Point {
        let mut x1 = x;
        let middle = |height: i32| y + (24_000 - height) / 2;
        x1 += self.put(tile.chip, (x1, middle(18_300)), 90).0 + GAP;
        // Vertical, beside the chip: the capacitor between the rails, and those of the filter that do not fit into the
        // stack.
        let upright = tile.capacitors.get(STACK..).unwrap_or_default();
        let mut beside = 0;
        for (index, capacitor) in (0..).zip(tile.decoupling.into_iter().chain(upright.iter().copied())) {
            beside = beside.max(self.put(capacitor, (x1, y + 3_800 + 9_000 * index), 90).0);
        }
        x1 += beside + GAP / 3;
        if let Some(network) = tile.filter {
            x1 += self.put(network, (x1, middle(20_820)), 0).0 + GAP;
        }
        let mut widest = 0;
        let mut below = y;
        for capacitor in tile.capacitors.iter().take(STACK) {
            let (width, height) = self.put(capacitor, (x1, below), 0);
            widest = widest.max(width);
            below += height;
        }
        x1 += widest + GAP;
        if let Some(network) = tile.lights {
            x1 += self.put(network, (x1, middle(20_820)), 0).0;
        }
        (x1 - x, 24_000)
    }

    /// Places the board of the LEDs: the chips of half of the rows on the left, of the others on the right, the LEDs in
    /// between.
    pub(super) fn around_lights(&mut self, tiles: &[Tile<'a, '_>], rest: &[&Shape<'a>]) {
        let (rows, others): (Vec<&Tile<'_, '_>>, Vec<&Tile<'_, '_>>) =
            tiles.iter().partition(|tile| tile.lights.is_some());
        let half = rows.len().div_ceil(2);
        let top = 4_000;
        let mut width = 0;
        for (row, tile) in (0..).zip(&rows[..half]) {
            width = width.max(self.lying(tile, (SIDE, top + ROW_PITCH * row)).0);
        }
        let center = SIDE + width + CHANNEL;
        let is_light = |shape: &&&Shape<'_>| shape.0.kind == Kind::Led;
        let lights: Vec<&&Shape<'_>> = rest.iter().filter(is_light).collect();
        let columns = 8;
        let colour = lights.len().div_ceil(2).max(1);
        let side = MATRIX_PITCH * (colour.div_ceil(columns) as i32);
        let height = top + ROW_PITCH * half as i32 + 1_000;
        // A green LED above a red one, in line with the middle of a pad.
        let upper = MATRIX - 4 * GRID;
        for (index, light) in lights.iter().enumerate() {
            let (second, index) = (index / colour, index % colour);
            let x = center + MATRIX_PITCH * (index % columns) as i32;
            let y = upper + MATRIX_PITCH * (index / columns) as i32 + second as i32 * MATRIX_PITCH / 2;
            self.put(light, (x, y), 0);
        }
        let inside = MATRIX_PITCH * (columns as i32 - 1) + 4_840;
        let right = center + inside + CHANNEL;
        let mut below = 0;
        for (row, tile) in (0..).zip(&rows[half..]) {
            below = below.max(self.lying(tile, (right, top + ROW_PITCH * row)).0);
        }
        // Decoders are placed above and below the LEDs, connectors and the supply above them.
        let (outside, low) = (2_000, upper + side + GAP);
        let others_of = |is_header: bool| {
            let shapes = rest.iter().filter(move |shape| shape.0.kind != Kind::Led);
            shapes.filter(move |shape| (shape.0.kind == Kind::Header) == is_header).copied()
        };
        let headers: Vec<&Shape<'_>> = others_of(true).collect();
        let (_, y) = self.shelf(&headers, (right - CHANNEL - HEADER, outside), right, 180);
        let (mut ends, above) = (center, y + CHANNEL);
        for (index, tile) in others.iter().enumerate() {
            let at = if index == 0 { (center, above) } else { (center, low) };
            ends = ends.max(at.0 + self.lying(tile, at).0);
        }
        let small: Vec<&Shape<'_>> = others_of(false).collect();
        self.shelf(&small, (ends + CHANNEL, above), right - CHANNEL, 180);
        self.size = (on_grid(right + below + SIDE), height);
    }
}
