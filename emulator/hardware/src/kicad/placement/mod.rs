//! Places each component on its printed board: a chip with its filter and its capacitors as one tile, tiles in rows,
//! connectors along an edge, LEDs and pads as two matrices with the same pitch, so that they are in line when both boards
//! lie beside each other.
//!
//! Origins are on the grid of the router. Lengths are in thousandths of a millimetre.

mod lights;
mod rows;
mod tiles;

use crate::kicad::circuit::{Circuit, Kind, Part};
use crate::kicad::expression::Point;
use crate::kicad::footprints::{self, Footprint, Pad};
use crate::kit::Pin;
use thiserror::Error;
use tiles::{MAX_UPRIGHT, Shape, Tile, tiles};

/// The grid: the distance of pins is four steps.
pub const GRID: i32 = 635;
/// Maximum size of a board.
pub const MAX_SIZE: Point = (300_000, 200_000);
/// The space left free at the edges, around tiles, and inside them.
const EDGE: i32 = 9_000;
/// The same beside LEDs, where there is less room.
const SIDE: i32 = 7_600;
const CHANNEL: i32 = 6_000;
const GAP: i32 = 1_500;
/// The distance of screws from the edges, and the room that the head of one takes.
const INSET: i32 = 4_500;
const HEAD: i32 = 4_000;
/// Maximum distance of a hole from its ideal place, in steps of the grid.
const MAX_SHIFT: i32 = 48;
/// The distance of pads, and of LEDs, and how far both are from the upper edge.
const MATRIX_PITCH: i32 = 24 * GRID;
const MATRIX: i32 = 71 * GRID;
/// The distance between components that belong to no chip.
const BESIDE: i32 = 4_500;
/// Maximum number of capacitors in a stack beside LEDs.
const STACK: usize = 7;
/// The distance of the rows of chips beside LEDs.
const ROW_PITCH: i32 = 38 * GRID;

/// Why there is no printed board.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LayoutError {
    /// The footprint of a package is not known.
    #[error("nothing is known of the package {0}")]
    Package(String),
    /// The components do not fit on the largest board.
    #[error("it would take {width} x {height} mm, more than {} x {} mm", MAX_SIZE.0 / 1000, MAX_SIZE.1 / 1000)]
    #[allow(missing_docs)] // in millimetres
    TooLarge { width: i32, height: i32 },
}

/// A component in its place.
pub struct Placed<'a> {
    pub part: &'a Part<'a>,
    pub footprint: Footprint,
    pub at: Point,
    pub angle: i32,
}

/// A board with all components in their places.
pub struct Layout<'a> {
    pub size: Point,
    pub placed: Vec<Placed<'a>>,
    /// The middle of each hole for a screw.
    pub holes: Vec<Point>,
    /// Broad tracks for the supply: the net, and their ends.
    pub broad: Vec<(&'a str, [Point; 2])>,
}

impl<'a> Layout<'a> {
    /// Places the components of a board, or returns why that is not possible.
    pub fn new(circuit: &'a Circuit<'a>) -> Result<Layout<'a>, LayoutError> {
        let mut shapes = Vec::new();
        for part in &circuit.parts {
            let unknown = || LayoutError::Package(circuit.assembly.part(part.item).package.clone());
            shapes.push((part, footprints::of(circuit, part).ok_or_else(unknown)?));
        }
        let mut layout = Layout { size: (0, 0), placed: Vec::new(), holes: Vec::new(), broad: Vec::new() };
        let tiles = tiles(circuit, &shapes);
        let rest: Vec<&Shape<'_>> = {
            let used: Vec<&str> = tiles.iter().flat_map(Tile::references).collect();
            shapes.iter().filter(|(part, _)| !used.contains(&part.item.reference.as_str())).collect()
        };
        if rest.iter().any(|(part, _)| part.kind == Kind::Led) {
            layout.around_lights(&tiles, &rest);
        } else {
            layout.in_rows(circuit, &tiles, &rest);
        }
        let (width, height) = layout.size;
        if width > MAX_SIZE.0 || height > MAX_SIZE.1 {
            return Err(LayoutError::TooLarge { width: width / 1000, height: height / 1000 });
        }
        let (left, right, top, bottom) = (INSET, width - INSET, INSET, height - INSET);
        layout.holes = vec![(left, top), (right, top), (left, bottom), (right, bottom)];
        layout.support();
        Ok(layout)
    }

    /// Adds holes between the corners, where chips are pressed into their sockets: as near as there is room to six
    /// places that divide the board.
    fn support(&mut self) {
        let (width, height) = self.size;
        let ideal = (1..=2).flat_map(|row| (1..=3).map(move |column| (width * column / 4, height * row / 3)));
        for (x, y) in ideal {
            let steps = || (-MAX_SHIFT..=MAX_SHIFT).step_by(2);
            let near = steps().flat_map(|a| steps().map(move |b| (a, b)));
            let near = near.map(|(a, b)| (a * a + b * b, (on_grid(x) + a * GRID, on_grid(y) + b * GRID)));
            let hole = near.filter(|(_, hole)| self.is_free(*hole)).min();
            self.holes.extend(hole.map(|(_, hole)| hole));
        }
    }

    /// Whether there is room for the head of a screw.
    fn is_free(&self, (x, y): Point) -> bool {
        let inside = |value: i32, end: i32| (2 * HEAD..end - 2 * HEAD).contains(&value);
        let is_clear = |placed: &Placed<'_>| {
            let [low, high] = placed.courtyard();
            let beyond = |at: i32, low: i32, high: i32| (low - at).max(at - high).max(0);
            let (dx, dy) = (beyond(x, low.0, high.0), beyond(y, low.1, high.1));
            dx.max(dy) > HEAD || dx * dx + dy * dy > HEAD * HEAD
        };
        let is_far = |&(a, b): &Point| (a - x).abs().max((b - y).abs()) > 4 * HEAD;
        inside(x, self.size.0)
            && inside(y, self.size.1)
            && self.placed.iter().all(is_clear)
            && self.holes.iter().all(is_far)
    }

    /// Places a component so that the corner of its courtyard is at `corner`, rounded to the grid; returns its size.
    fn put(&mut self, (part, footprint): &Shape<'a>, corner: Point, angle: i32) -> Point {
        let [low, high] = extent(footprint.courtyard, angle);
        let on_grid = |value: i32| (value + GRID - 1).div_euclid(GRID) * GRID;
        let at = (on_grid(corner.0 - low.0), on_grid(corner.1 - low.1));
        self.placed.push(Placed { part, footprint: footprint.clone(), at, angle });
        (at.0 + high.0 - corner.0, at.1 + high.1 - corner.1)
    }

    /// Places a vertical tile: the capacitor above the chip, then the filter beside it; returns its size.
    fn tile(&mut self, tile: &Tile<'a, '_>, (x, y): Point) -> Point {
        let chip = tile.chip;
        let is_long = tile.height() > MAX_UPRIGHT;
        let mut top = y;
        if let Some(capacitor) = tile.decoupling {
            top += self.put(capacitor, (x + 4_000, y), 0).1 + GAP / 3;
        }
        let (width, height) = self.put(chip, (x, top), if is_long { 90 } else { 0 });
        let (mut x1, mut bottom) = (x + width, top + height);
        if let Some(network) = tile.filter {
            let (width, height) = self.put(network, (x1 + GAP, top + 8_000), 0);
            x1 += GAP + width;
            bottom = bottom.max(top + 8_000 + height);
        }
        let mut below = top + 6_000;
        let mut widest = 0;
        for capacitor in &tile.capacitors {
            let (width, height) = self.put(capacitor, (x1 + GAP, below), 0);
            widest = widest.max(width);
            below += height + 200;
        }
        if widest > 0 {
            x1 += GAP + widest;
        }
        (x1 - x, bottom.max(below) - y)
    }
}

fn on_grid(value: i32) -> i32 {
    (value + GRID - 1) / GRID * GRID
}

/// A point of a footprint that is turned counterclockwise.
pub fn turned((x, y): Point, angle: i32) -> Point {
    match angle {
        90 => (y, -x),
        180 => (-x, -y),
        270 => (-y, x),
        _ => (x, y),
    }
}

/// The lower and the upper corner of an area of a footprint that is turned.
fn extent(corners: [Point; 2], angle: i32) -> [Point; 2] {
    let [one, other] = corners.map(|corner| turned(corner, angle));
    [(one.0.min(other.0), one.1.min(other.1)), (one.0.max(other.0), one.1.max(other.1))]
}

impl Placed<'_> {
    /// The lower and the upper corner of the area that it takes up on the board.
    pub fn courtyard(&self) -> [Point; 2] {
        extent(self.footprint.courtyard, self.angle).map(|(x, y)| (x + self.at.0, y + self.at.1))
    }

    /// The pin of its component that a pad of its footprint is for.
    pub fn pin(&self, pad: &Pad) -> Option<&Pin> {
        self.part.item.pins.iter().find(|pin| pin.number == pad.number)
    }

    /// The position of a point of its footprint on the board.
    pub fn on_board(&self, point: Point) -> Point {
        let (x, y) = turned(point, self.angle);
        (self.at.0 + x, self.at.1 + y)
    }
}
