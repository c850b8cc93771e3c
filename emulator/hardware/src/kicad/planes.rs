//! The inner layers: a plane for each rail, with a hole around all copper of other nets, and four spokes to each pad of
//! the rail.
//!
//! The holes never touch each other, since vias keep their distance from pads and from each other, so a plane is always
//! contiguous. KiCad stores it as one outline, with a cut from each hole to the ring on its left.

use crate::kicad::expression::Point;
use crate::kicad::placement::GRID;
use std::f64::consts::TAU;

/// The diameter of vias, and the clearance around copper of other nets.
pub const VIA: i32 = 600;
pub const VIA_DRILL: i32 = 300;
const AROUND: f64 = 250.0;
/// Half of the width of a spoke.
const SPOKE: f64 = 250.0;
/// Number of corners that approximate a circle.
const CORNERS: usize = 24;
/// The distance of the edge of a plane from the edge of the board.
const INSET: i32 = 1_000;

/// A piece of copper that goes through all layers.
pub struct Through {
    pub at: Point,
    pub size: i32,
    pub is_square: bool,
    /// Whether it is connected to the plane.
    pub is_joined: bool,
}

/// The distance from the middle of a pad within which there is no other copper.
pub fn reach(size: i32, is_square: bool) -> f64 {
    // The corners of square pads are round.
    let half = f64::from(size) / 2.0;
    if is_square { half * 1.225 + 200.0 } else { half + AROUND }
}

/// The minimum distance of a via from a pad, so that the holes around them do not touch.
pub fn via_distance(size: i32, is_square: bool) -> i32 {
    (reach(size, is_square) + reach(VIA, false)) as i32 + 130
}

/// The outline of a plane of a board.
pub fn outline((width, height): Point, through: &[Through]) -> Vec<Point> {
    let (right, bottom) = (width - INSET, height - INSET);
    let mut rings = vec![Ring::new(vec![(INSET, INSET), (INSET, bottom), (right, bottom), (right, INSET)])];
    for item in through {
        let radius = reach(item.size, item.is_square);
        if item.is_joined {
            rings.extend((0..4).map(|quarter| Ring::new(sector(item, radius, quarter))));
        } else {
            rings.push(Ring::new(circle(item.at, radius)));
        }
    }
    let mut order: Vec<usize> = (1..rings.len()).collect();
    order.sort_by_key(|&ring| rings[ring].points[0]);
    for (place, &ring) in order.iter().enumerate() {
        let (x, y) = rings[ring].points[0];
        let left = order[..place].iter().copied().chain([0]);
        let hit = left.filter_map(|other| rings[other].hit((x, y)).map(|(at, edge)| (at, other, edge))).max();
        if let Some((at, other, edge)) = hit {
            rings[other].cuts.push((edge, (at, y), ring));
        }
    }
    let mut points = Vec::new();
    walk(&rings, 0, &mut points);
    points
}

/// The edge of the plane or of a hole, beginning with its leftmost point, and the cuts that end on it.
struct Ring {
    points: Vec<Point>,
    low: i32,
    high: i32,
    cuts: Vec<(usize, Point, usize)>,
}

impl Ring {
    fn new(mut points: Vec<Point>) -> Ring {
        let first = (0..points.len()).min_by_key(|&index| points[index]).unwrap_or(0);
        points.rotate_left(first);
        let ys = || points.iter().map(|point| point.1);
        Ring { low: ys().min().unwrap_or(0), high: ys().max().unwrap_or(0), points, cuts: Vec::new() }
    }

    /// The x position at which a cut to the left from a point meets this ring, and the edge of the ring there.
    fn hit(&self, (x, y): Point) -> Option<(i32, usize)> {
        if y < self.low || y > self.high || self.points[0].0 >= x {
            return None;
        }
        let edges = (0..self.points.len())
            .map(|edge| (edge, self.points[edge], self.points[(edge + 1) % self.points.len()]));
        let crossing = edges.filter(|(_, from, to)| (from.1 <= y) != (to.1 <= y));
        let at = crossing.map(|(edge, from, to)| {
            let share = f64::from(y - from.1) / f64::from(to.1 - from.1);
            (from.0 + (f64::from(to.0 - from.0) * share).round() as i32, edge)
        });
        at.filter(|(at, _)| *at < x).max()
    }
}

/// Collects the points of a ring; each cut is followed to its other ring and back.
fn walk(rings: &[Ring], ring: usize, points: &mut Vec<Point>) {
    let own = &rings[ring];
    for (edge, &from) in own.points.iter().enumerate() {
        points.push(from);
        let mut cuts: Vec<_> = own.cuts.iter().filter(|cut| cut.0 == edge).collect();
        let distance = |at: Point| (i64::from(at.0 - from.0)).pow(2) + i64::from(at.1 - from.1).pow(2);
        cuts.sort_by_key(|cut| distance(cut.1));
        for &&(_, at, child) in &cuts {
            points.push(at);
            walk(rings, child, points);
            points.push(rings[child].points[0]);
            points.push(at);
        }
    }
}

/// A circle with a point in the middle of its left edge, in the opposite direction to the outline.
fn circle(at: Point, radius: f64) -> Vec<Point> {
    let angle = |corner: usize| TAU * (corner as f64 + 0.5) / CORNERS as f64;
    let mut points: Vec<Point> = (0..CORNERS).map(|corner| on_circle(at, radius, angle(corner))).collect();
    let left = points[CORNERS / 2 - 1];
    points.insert(CORNERS / 2, (left.0, at.1));
    points
}

fn on_circle((x, y): Point, radius: f64, angle: f64) -> Point {
    (x + (radius * angle.cos()).round() as i32, y + (radius * angle.sin()).round() as i32)
}

/// A quarter of the ring around a pad, without the spokes on both sides of it.
fn sector(item: &Through, radius: f64, quarter: usize) -> Vec<Point> {
    let inner = f64::from(item.size) / 2.0;
    let start = quarter as f64 * TAU / 4.0;
    let arc = |radius: f64| {
        let skipped = (SPOKE / radius).asin();
        let angles =
            (0..=6).map(move |step| start + skipped + (TAU / 4.0 - 2.0 * skipped) * f64::from(step) / 6.0);
        angles.map(move |angle| on_circle(item.at, radius, angle))
    };
    arc(radius).chain(arc(inner).collect::<Vec<_>>().into_iter().rev()).collect()
}

/// Vias two steps of the grid apart do not touch; neighbouring steps are not allowed.
const _: () = assert!(2 * GRID > VIA + 2 * 250 + 130);
