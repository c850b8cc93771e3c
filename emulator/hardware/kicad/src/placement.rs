//! Places each component on its printed board: a chip with its filter and its capacitors as one tile, tiles in rows,
//! connectors along the upper edge, LEDs and pads as a matrix.
//!
//! Origins are on the grid of the router. Lengths are in thousandths of a millimetre.

use crate::circuit::{Circuit, Kind, Part, pairs};
use crate::expression::Point;
use crate::footprints::{self, Footprint, Pad};
use gray1_kit::Pin;
use thiserror::Error;

/// The grid: the distance of pins is four steps.
pub const GRID: i32 = 635;
/// Maximum size of a board.
pub const LARGEST: Point = (250_000, 200_000);
/// The space left free at the edges, around tiles, and inside them.
const EDGE: i32 = 9_000;
/// The same beside LEDs, where there is less room.
const SIDE: i32 = 7_600;
const CHANNEL: i32 = 6_000;
const GAP: i32 = 1_500;
/// The distance of screws from the edges.
const INSET: i32 = 4_500;
/// Longer chips are placed horizontally.
const TALLEST: i32 = 45_000;
/// The distance of pads, and of LEDs.
const PAD_PITCH: i32 = 24 * GRID;
const LED_PITCH: i32 = 14 * GRID;
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
    #[error("it would take {width} x {height} mm, more than {} x {} mm", LARGEST.0 / 1000, LARGEST.1 / 1000)]
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
    /// Where holes for screws are.
    pub holes: Vec<Point>,
}

impl<'a> Layout<'a> {
    /// Places the components of a board, or returns why that is not possible.
    pub fn new(circuit: &'a Circuit<'a>) -> Result<Layout<'a>, LayoutError> {
        let mut shapes = Vec::new();
        for part in &circuit.parts {
            let unknown = || LayoutError::Package(circuit.assembly.part(part.item).package.clone());
            shapes.push((part, footprints::of(circuit, part).ok_or_else(unknown)?));
        }
        let mut layout = Layout { size: (0, 0), placed: Vec::new(), holes: Vec::new() };
        let tiles = tiles(circuit, &shapes);
        let rest: Vec<&Shape<'_>> = {
            let used: Vec<&str> = tiles.iter().flat_map(Tile::references).collect();
            shapes.iter().filter(|(part, _)| !used.contains(&part.item.reference.as_str())).collect()
        };
        if rest.iter().any(|(part, _)| part.kind == Kind::Led) {
            layout.around_lights(&tiles, &rest);
        } else {
            layout.in_rows(&tiles, &rest);
        }
        let (width, height) = layout.size;
        if width > LARGEST.0 || height > LARGEST.1 {
            return Err(LayoutError::TooLarge { width: width / 1000, height: height / 1000 });
        }
        let (left, right, top, bottom) = (INSET, width - INSET, INSET, height - INSET);
        layout.holes = vec![(left, top), (right, top), (left, bottom), (right, bottom)];
        Ok(layout)
    }

    /// Places a component so that the corner of its courtyard is at `corner`, rounded to the grid; returns its size.
    fn put(&mut self, (part, footprint): &Shape<'a>, corner: Point, angle: i32) -> Point {
        let ends = footprint.courtyard.map(|point| turned(point, angle));
        let low = (ends[0].0.min(ends[1].0), ends[0].1.min(ends[1].1));
        let high = (ends[0].0.max(ends[1].0), ends[0].1.max(ends[1].1));
        let on_grid = |value: i32| (value + GRID - 1).div_euclid(GRID) * GRID;
        let at = (on_grid(corner.0 - low.0), on_grid(corner.1 - low.1));
        self.placed.push(Placed { part, footprint: footprint.clone(), at, angle });
        (at.0 + high.0 - corner.0, at.1 + high.1 - corner.1)
    }

    /// Places a vertical tile: the capacitor above the chip, then the filter beside it; returns its size.
    fn tile(&mut self, tile: &Tile<'a, '_>, (x, y): Point) -> Point {
        let chip = tile.chip;
        let is_long = tile.height() > TALLEST;
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
    fn around_lights(&mut self, tiles: &[Tile<'a, '_>], rest: &[&Shape<'a>]) {
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
        let side = LED_PITCH * (colour.div_ceil(columns) as i32);
        let height = top + ROW_PITCH * half as i32 + 1_000;
        let upper = (height - side) / 2;
        for (index, light) in lights.iter().enumerate() {
            let (second, index) = (index / colour, index % colour);
            let x = center + LED_PITCH * (index % columns) as i32;
            let y = upper + LED_PITCH * (index / columns) as i32 + second as i32 * LED_PITCH / 2;
            self.put(light, (x, y), 0);
        }
        let inside = LED_PITCH * (columns as i32 - 1) + 4_840;
        let right = center + inside + CHANNEL;
        let mut below = 0;
        for (row, tile) in (0..).zip(&rows[half..]) {
            below = below.max(self.lying(tile, (right, top + ROW_PITCH * row)).0);
        }
        // Decoders and connectors are placed above and below the LEDs.
        let mut y = 2_000;
        for shape in rest.iter().filter(|shape| shape.0.kind == Kind::Header) {
            y += self.put(shape, (center + 2_000, y), 90).1 + GAP;
        }
        y += CHANNEL;
        let mut x = center;
        let low = upper + side + CHANNEL;
        for (index, tile) in others.iter().enumerate() {
            let at = if index == 0 { (center + 8_000, y) } else { (center + 8_000, low) };
            self.tile_lying(tile, at);
        }
        for shape in rest.iter().filter(|shape| !matches!(shape.0.kind, Kind::Led | Kind::Header)) {
            x += self.put(shape, (x, height - 14_000), 0).0 + CHANNEL;
        }
        self.size = (on_grid(right + below + SIDE), height);
    }

    /// Places a horizontal chip, with its capacitor beside it.
    fn tile_lying(&mut self, tile: &Tile<'a, '_>, (x, y): Point) {
        let (width, _) = self.put(tile.chip, (x, y), 90);
        if let Some(capacitor) = tile.decoupling {
            self.put(capacitor, (x + width + GAP, y + 5_000), 90);
        }
    }

    /// Places any other board: connectors along the upper edge, pads below them on the left, chips in rows beside or
    /// below.
    fn in_rows(&mut self, tiles: &[Tile<'a, '_>], rest: &[&Shape<'a>]) {
        let is_pad =
            |shape: &Shape<'_>| matches!(shape.0.kind, Kind::Diode) || shape.0.net("2").starts_with("PAD");
        let (mut x, mut y, mut lowest) = (EDGE, 2_000, 0);
        let mut keys = Vec::new();
        for shape in rest.iter().filter(|shape| !is_pad(shape)) {
            let angle = match shape.0.kind {
                Kind::Header | Kind::Oscillator => 90,
                Kind::Button => {
                    keys.push(*shape);
                    continue;
                }
                _ => 0,
            };
            if shape.0.kind == Kind::PullDowns && y > 2_000 && y + 3_500 < 14_000 {
                // These are placed below each other.
                let (_, height) = self.put(shape, (x, y), angle);
                y += height + GAP / 2;
                continue;
            }
            if y > 2_000 {
                (x, y) = (x + 24_000 + GAP, 2_000);
            }
            let (width, height) = self.put(shape, (x, y), angle);
            lowest = lowest.max(y + height);
            if shape.0.kind == Kind::PullDowns {
                y += height + GAP / 2;
            } else {
                x += width + CHANNEL / 2;
            }
        }
        if y > 2_000 {
            x += 24_000 + GAP;
        }
        let top = lowest + CHANNEL;
        let mut widest = x;
        let pads: Vec<&&Shape<'_>> = rest.iter().filter(|shape| is_pad(shape)).collect();
        let mut left = EDGE;
        let mut bottom = top;
        if !pads.is_empty() {
            let columns = 8;
            for (index, shape) in pads.iter().filter(|shape| shape.0.kind == Kind::Button).enumerate() {
                let (row, column) = ((index / columns) as i32, (index % columns) as i32);
                let corner = (left + PAD_PITCH * column, top + PAD_PITCH * row);
                self.put(shape, corner, 0);
                let diodes = pads
                    .iter()
                    .filter(|other| other.0.kind == Kind::Diode && other.0.net("A") == shape.0.net("2"));
                for (diode, shift) in diodes.zip([(0, 8_000), (0, 11_000)]) {
                    self.put(diode, (corner.0 + shift.0, corner.1 + shift.1), 0);
                }
                bottom = bottom.max(corner.1 + PAD_PITCH);
                widest = widest.max(corner.0 + PAD_PITCH);
            }
            left += PAD_PITCH * columns as i32 + CHANNEL;
        }
        let (mut x, mut y, mut row) = (left, top, 0);
        let most = LARGEST.0 - EDGE;
        let mut order: Vec<&Tile<'_, '_>> = tiles.iter().collect();
        order.sort_by_key(|tile| tile.height() > TALLEST);
        for tile in order {
            if x + tile.width() > most {
                (x, y, row) = (left, y + row + CHANNEL, 0);
            }
            let (width, height) = self.tile(tile, (x, y));
            row = row.max(height);
            widest = widest.max(x + width);
            x += width + CHANNEL;
        }
        bottom = bottom.max(y + row);
        if !keys.is_empty() {
            (x, y) = (left, y + row + CHANNEL);
            for key in keys {
                let (width, height) = self.put(key, (x, y), 0);
                x += width + GAP;
                widest = widest.max(x);
                bottom = bottom.max(y + height);
            }
        }
        self.size = (on_grid(widest + EDGE), on_grid(bottom + EDGE));
    }
}

/// A component and its footprint.
type Shape<'a> = (&'a Part<'a>, Footprint);

/// A chip with the components beside it.
struct Tile<'a, 's> {
    chip: &'s Shape<'a>,
    decoupling: Option<&'s Shape<'a>>,
    filter: Option<&'s Shape<'a>>,
    capacitors: Vec<&'s Shape<'a>>,
    lights: Option<&'s Shape<'a>>,
}

impl Tile<'_, '_> {
    fn references(&self) -> impl Iterator<Item = &str> {
        let all = [Some(self.chip), self.decoupling, self.filter, self.lights];
        all.into_iter()
            .flatten()
            .chain(self.capacitors.iter().copied())
            .map(|(part, _)| part.item.reference.as_str())
    }

    fn height(&self) -> i32 {
        let [low, high] = self.chip.1.courtyard;
        high.1 - low.1
    }

    /// The approximate width of the vertical tile.
    fn width(&self) -> i32 {
        let [low, high] = self.chip.1.courtyard;
        let own = if self.height() > TALLEST { high.1 - low.1 } else { high.0 - low.0 };
        own + if self.filter.is_some() { 22_000 } else { 0 }
    }
}

/// A tile for each chip.
fn tiles<'a, 's>(circuit: &Circuit<'_>, shapes: &'s [Shape<'a>]) -> Vec<Tile<'a, 's>> {
    let chips = shapes.iter().enumerate().filter(|(_, (part, _))| part.kind == Kind::Chip);
    chips
        .map(|(index, chip)| {
            let nets: Vec<&str> = chip.0.item.pins.iter().filter_map(|pin| pin.net.as_deref()).collect();
            let network = |is_filter: bool| {
                shapes.iter().find(|(part, _)| {
                    part.kind == Kind::Resistors
                        && circuit.lights(part) != is_filter
                        && pairs(part.item).any(|(front, back)| {
                            nets.contains(&front) && (!is_filter || circuit.is_line(back))
                        })
                })
            };
            let filter = network(true);
            let lines: Vec<&str> =
                filter.map_or_else(Vec::new, |(part, _)| pairs(part.item).map(|(_, net)| net).collect());
            let capacitor = |part: &Part<'_>| part.kind == Kind::Capacitor;
            Tile {
                chip,
                decoupling: shapes[index..].iter().find(|(part, _)| capacitor(part)),
                filter,
                capacitors: shapes
                    .iter()
                    .filter(|(part, _)| capacitor(part) && lines.contains(&part.net("1")))
                    .collect(),
                lights: network(false),
            }
        })
        .collect()
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

impl Placed<'_> {
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
