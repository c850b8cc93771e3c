//! The occupied areas of a board: parts, their printed marks, texts.

use crate::kicad::expression::Point;
use crate::kicad::footprints::SCREW;
use crate::kicad::marks::LINE;
use crate::kicad::placement::{Layout, Placed};

/// The least distance between two things that are printed, and of those from holes.
const CLEARANCE: i32 = 130;
/// The distance from the edge of the board, and the radius around the middle of a screw.
const EDGE: i32 = 600;
const HEAD: i32 = SCREW + 200;
/// Obstacles farther away than this from a part do not affect its texts.
const FAR: i32 = 16_000;

/// An area between two corners.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    pub low: Point,
    pub high: Point,
}

impl Area {
    /// The area around a point.
    pub fn around((x, y): Point, (width, height): Point) -> Area {
        Area { low: (x - width / 2, y - height / 2), high: (x + width / 2, y + height / 2) }
    }

    /// The area in which points are.
    fn of(points: impl IntoIterator<Item = Point>) -> Area {
        let ends = Area { low: (i32::MAX, i32::MAX), high: (i32::MIN, i32::MIN) };
        points.into_iter().fold(ends, |ends, (x, y)| Area {
            low: (ends.low.0.min(x), ends.low.1.min(y)),
            high: (ends.high.0.max(x), ends.high.1.max(y)),
        })
    }

    fn wider(self, by: i32) -> Area {
        let (low, high) = (self.low, self.high);
        Area { low: (low.0 - by, low.1 - by), high: (high.0 + by, high.1 + by) }
    }

    /// Whether two areas have points in common.
    pub fn touches(self, other: Area) -> bool {
        self.low.0 < other.high.0
            && other.low.0 < self.high.0
            && self.low.1 < other.high.1
            && other.low.1 < self.high.1
    }

    /// The point in its middle.
    pub fn middle(self) -> Point {
        (i32::midpoint(self.low.0, self.high.0), i32::midpoint(self.low.1, self.high.1))
    }
}

/// The occupied areas of a board.
pub struct Room {
    size: Point,
    /// Each part as a whole, and its pads and marks one by one.
    parts: Vec<(Area, Vec<Area>)>,
    /// Texts and screws.
    others: Vec<Area>,
}

/// The occupied areas near a part.
pub struct Surroundings {
    taken: Vec<Area>,
    size: Point,
}

impl Room {
    /// A board with its parts, its screws, and the text along its edge.
    pub fn new(layout: &Layout<'_>, edge_text: Area) -> Room {
        let parts = layout.placed.iter().map(|placed| {
            let details = details(placed);
            let corners = details.iter().flat_map(|part| [part.low, part.high]);
            (Area::of(corners.collect::<Vec<_>>()), details)
        });
        let screws = layout.holes.iter().map(|&hole| Area::around(hole, (2 * HEAD, 2 * HEAD)));
        Room { size: layout.size, parts: parts.collect(), others: screws.chain([edge_text]).collect() }
    }

    /// The area of a part with all that is printed of it.
    pub fn extent(&self, part: usize) -> Area {
        self.parts[part].0
    }

    /// The obstacles for texts of a part: other parts as a whole, its own pads and marks one by one.
    pub fn near(&self, part: usize) -> Surroundings {
        let around = self.extent(part).wider(FAR);
        let parts =
            self.parts.iter().enumerate().filter(|(other, _)| *other != part).map(|(_, (extent, _))| *extent);
        let taken = parts.chain(self.others.iter().copied()).filter(|other| other.touches(around));
        Surroundings { taken: taken.chain(self.parts[part].1.iter().copied()).collect(), size: self.size }
    }

    /// Takes an area.
    pub fn take(&mut self, area: Area) {
        self.others.push(area);
    }
}

impl Surroundings {
    /// Whether an area is free.
    pub fn is_free(&self, area: Area) -> bool {
        let inside = area.wider(EDGE);
        inside.low.0 >= 0
            && inside.low.1 >= 0
            && inside.high.0 <= self.size.0
            && inside.high.1 <= self.size.1
            && !self.taken.iter().any(|taken| taken.touches(area.wider(CLEARANCE)))
    }
}

/// The pads of a part and its marks, on the board.
fn details(placed: &Placed<'_>) -> Vec<Area> {
    let pads =
        placed.footprint.pads.iter().map(|pad| Area::around(placed.on_board(pad.at), (pad.size, pad.size)));
    let marks = placed.footprint.marks.iter().map(|mark| {
        let points = mark.points().into_iter().map(|point| placed.on_board(point));
        Area::of(points.collect::<Vec<_>>()).wider(LINE / 2)
    });
    pads.chain(marks).collect()
}
