//! Places every board without LEDs: chips in rows, and pads as a matrix on their left.
//!
//! The board with the pads lies in front, beside that of the LEDs; its connectors are along its upper edge. All others
//! lie behind these two, with their connectors along the lower edge.

use super::tiles::{MAX_UPRIGHT, Shape, Tile};
use super::{BESIDE, CHANNEL, EDGE, GRID, Layout, MATRIX, MATRIX_PITCH, MAX_SIZE, Placed, on_grid};
use crate::kicad::circuit::{Circuit, Kind};
use crate::kicad::expression::Point;
use std::cmp::Reverse;

/// The distance of connectors from the edge.
const CONNECTORS: i32 = 2_000;
/// Components that belong to no chip are placed beside the last chips if there is at least this much room.
const BAND: i32 = 100_000;
/// The distance of chips on a board without pads.
const BETWEEN: i32 = 4_000;
/// The distance of the fuse from its terminal.
const FUSE: i32 = 14 * GRID;

impl<'a> Layout<'a> {
    /// Places the components.
    pub(super) fn in_rows(&mut self, circuit: &Circuit<'_>, tiles: &[Tile<'a, '_>], rest: &[&Shape<'a>]) {
        let is_pad = |shape: &&Shape<'_>| shape.0.kind == Kind::Diode || shape.0.net("2").starts_with("PAD");
        let is_outside = |shape: &&Shape<'_>| {
            matches!(shape.0.kind, Kind::Header | Kind::Supply | Kind::Bulk | Kind::Fuse)
        };
        let (pads, rest): (Vec<&Shape<'_>>, Vec<&Shape<'_>>) = rest.iter().copied().partition(is_pad);
        let (mut outside, others): (Vec<&Shape<'_>>, Vec<&Shape<'_>>) =
            rest.into_iter().partition(is_outside);
        // The board of the LEDs, which is the last, lies on the left, even if it is not built.
        let connector = &circuit.assembly.hardware.uses.connector;
        outside.sort_by_key(|(part, _)| {
            let is_cable = part.item.part == *connector;
            let last = circuit.assembly.hardware.boards.len() - 1;
            Reverse(
                is_cable.then(|| circuit.other_end(part.item).and_then(|other| other.board).unwrap_or(last)),
            )
        });
        let (keys, others): (Vec<&Shape<'_>>, Vec<&Shape<'_>>) =
            others.into_iter().partition(|shape| shape.0.kind == Kind::Button && !pads.is_empty());
        let most = MAX_SIZE.0 - EDGE;
        let (mut left, mut top, mut widest, mut bottom) = (EDGE, EDGE, 0, 0);
        if !pads.is_empty() {
            let (right, lowest) = self.shelf(&outside, (left, CONNECTORS), most, 180);
            (widest, top) = (right, lowest + CHANNEL);
            let columns = left + MATRIX_PITCH * 8;
            self.shelf(&others, (left, top), columns, 0);
            bottom = self.pads(&pads, left);
            left = columns + CHANNEL;
        }
        // The chip that reads the clock is the last, beside what makes the clock.
        let is_last = |tile: &&Tile<'_, '_>| others.iter().any(|shape| tile.reads(shape));
        let mut order: Vec<&Tile<'_, '_>> = tiles.iter().collect();
        order.sort_by_key(|tile| (tile.height() > MAX_UPRIGHT, is_last(tile)));
        // Beside pads there is room to spare; elsewhere chips are closer, and where one does not fit into a row, the next
        // that does takes its place.
        let (gap, reach) = if pads.is_empty() { (BETWEEN, order.len()) } else { (CHANNEL, 1) };
        let (mut x, mut y, mut row) = (left, top, 0);
        while !order.is_empty() {
            let fits = |tile: &&Tile<'_, '_>| x + tile.width() <= most;
            let next = order.iter().take(reach).position(fits).unwrap_or_else(|| {
                (x, y, row) = (left, y + row + CHANNEL, 0);
                0
            });
            let (width, height) = self.tile(order.remove(next), (x, y));
            row = row.max(height);
            widest = widest.max(x + width);
            x += width + gap;
        }
        bottom = bottom.max(y + row);
        if pads.is_empty() {
            let at = if most - x < BAND { (left, bottom + CHANNEL) } else { (x, y) };
            let (right, lowest) = self.shelf(&others, at, most, 0);
            (widest, bottom) = (widest.max(right), bottom.max(lowest));
            let (right, lowest) = self.shelf(&outside, (left, bottom + 2 * CHANNEL), most, 0);
            self.size = (on_grid(widest.max(right) + EDGE), on_grid(lowest + CONNECTORS));
            return;
        }
        let (right, lowest) = self.shelf(&keys, (left, y + row + CHANNEL), most, 0);
        self.size = (on_grid(widest.max(right) + EDGE), on_grid(bottom.max(lowest) + EDGE));
    }

    /// Places components from left to right and in rows; returns where they end. Terminals are turned by `turn`, so that
    /// wires reach them from the edge, and pins by half of it, to lie.
    pub(super) fn shelf(
        &mut self,
        shapes: &[&Shape<'a>],
        (left, top): Point,
        right: i32,
        turn: i32,
    ) -> Point {
        let (mut x, mut y, mut row, mut widest) = (left, top, 0, left);
        for shape in shapes {
            if shape.0.kind == Kind::Fuse {
                self.fuse(shape);
                continue;
            }
            let angle = match shape.0.kind {
                Kind::Header | Kind::Oscillator => 90,
                Kind::Supply => turn,
                Kind::Pins => turn / 2,
                _ => 0,
            };
            let [low, high] = shape.1.courtyard;
            let width = if angle % 180 == 0 { high.0 - low.0 } else { high.1 - low.1 };
            if x > left && x + width > right {
                (x, y, row) = (left, y + row + BESIDE, 0);
            }
            let (width, height) = self.put(shape, (x, y), angle);
            (x, row) = (x + width + BESIDE, row.max(height));
            widest = widest.max(x - BESIDE);
        }
        (widest, y + row)
    }

    /// Places the fuse in line with its terminal, so that a broad track joins them.
    fn fuse(&mut self, (part, footprint): &Shape<'a>) {
        let input = part.net("1");
        let terminal = self
            .placed
            .iter()
            .find(|other| other.part.kind == Kind::Supply && other.part.net("PLUS") == input);
        let Some(from) = terminal.map(|terminal| terminal.at) else { return };
        let at = (from.0, from.1 - FUSE);
        self.placed.push(Placed { part, footprint: footprint.clone(), at, angle: 0 });
        self.broad.push((input, [at, from]));
    }

    /// Places pads with their diodes; returns where they end.
    fn pads(&mut self, pads: &[&Shape<'a>], left: i32) -> i32 {
        let mut bottom = 0;
        for (index, shape) in (0..).zip(pads.iter().filter(|shape| shape.0.kind == Kind::Button)) {
            let corner = (left + MATRIX_PITCH * (index % 8), MATRIX + MATRIX_PITCH * (index / 8));
            self.put(shape, corner, 0);
            let own =
                |other: &&&Shape<'_>| other.0.kind == Kind::Diode && other.0.net("A") == shape.0.net("2");
            for (diode, lower) in pads.iter().filter(own).zip([8_000, 11_000]) {
                self.put(diode, (corner.0, corner.1 + lower), 0);
            }
            bottom = bottom.max(corner.1 + MATRIX_PITCH);
        }
        bottom
    }
}
