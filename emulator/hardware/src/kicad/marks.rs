//! The printed marks of a part: its outline, the notch at pin 1, the plus of a capacitor, the cathode of a diode.
//!
//! The shapes and their sizes are those of KiCad's own footprints of the same names. Lines are wider than there, since
//! makers of boards ask for 0.15 mm.

use crate::kicad::expression::{Length, Point, ends, id, layer, points, xy};
use serde::Deserialize;

/// The width of a printed line.
pub const LINE: i32 = 150;
/// The distance of pins.
const PITCH: i32 = 2540;

/// Printed lines of a package, as `packages.ron` lists them.
#[derive(Clone, Debug, Deserialize)]
pub enum Drawing {
    Path(Vec<Point>),
    /// The left, upper, right and lower ends.
    Rectangle(i32, i32, i32, i32),
    Arc([Point; 3]),
    Area(Vec<Point>),
    /// The right half of a circle, filled except around a pad.
    RightHalf {
        middle: i32,
        radius: i32,
        pad: i32,
        clear: i32,
    },
}

impl Drawing {
    /// The marks that the shape consists of.
    pub fn marks(&self) -> Vec<Mark> {
        match *self {
            Drawing::Path(ref points) => path(points),
            Drawing::Rectangle(x0, y0, x1, y1) => rectangle([x0, y0, x1, y1]),
            Drawing::Arc(points) => vec![Mark::Arc(points)],
            Drawing::Area(ref points) => vec![Mark::Area(points.clone())],
            Drawing::RightHalf { middle, radius, pad, clear } => right_half(middle, radius, pad, clear),
        }
    }
}

/// A printed mark, relative to pin 1.
#[derive(Clone, Debug)]
pub enum Mark {
    Line(Point, Point),
    /// From the first point through the second to the third.
    Arc([Point; 3]),
    /// A filled area.
    Area(Vec<Point>),
}

impl Mark {
    /// The points between which it extends.
    pub fn points(&self) -> Vec<Point> {
        match self {
            Mark::Line(from, to) => vec![*from, *to],
            Mark::Arc(points) => points.to_vec(),
            Mark::Area(points) => points.clone(),
        }
    }

    /// The mark in KiCad's format; `key` identifies it.
    pub fn text(&self, key: &str) -> String {
        let (shape, fill) = match self {
            Mark::Line(from, to) => (format!("fp_line {}", ends(*from, *to)), ""),
            Mark::Arc([from, through, to]) => {
                let [from, through, to] = [from, through, to].map(|point| xy(*point));
                (format!("fp_arc (start {from}) (mid {through}) (end {to})"), "")
            }
            Mark::Area(corners) => (format!("fp_poly {}", points(corners)), " (fill yes)"),
        };
        let (width, layer, id) = (Length(LINE), layer("F.SilkS"), id(key));
        format!("({shape} (stroke (width {width}) (type solid)){fill} {layer} {id})")
    }
}

/// A line through these points.
fn path(points: &[Point]) -> Vec<Mark> {
    points.windows(2).map(|ends| Mark::Line(ends[0], ends[1])).collect()
}

fn rectangle([x0, y0, x1, y1]: [i32; 4]) -> Vec<Mark> {
    path(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])
}

/// Vertical lines that fill the right half of a circle, except around a pad.
fn right_half(middle: i32, radius: i32, pad: i32, clear: i32) -> Vec<Mark> {
    let half = |x: i32, radius: i32| f64::from(radius * radius - x * x).max(0.0).sqrt() as i32;
    let columns = (middle..middle + radius - 60).step_by(100);
    let column = |x: i32| {
        let high = half(x - middle, radius);
        let beside = x - pad;
        if beside.abs() < clear {
            let low = half(beside, clear);
            vec![Mark::Line((x, -high), (x, -low)), Mark::Line((x, low), (x, high))]
        } else {
            vec![Mark::Line((x, -high), (x, high))]
        }
    };
    columns.flat_map(column).collect()
}

/// Two rows of pins: an outline between them with a notch at pin 1, and one around a socket.
pub fn dual_in_line(width: i32, length: i32, is_socket: bool) -> Vec<Mark> {
    let (left, right, top, bottom, middle) = (1160, width - 1160, -1330, length + 1330, width / 2);
    let (from, to) = ((middle - 1000, top), (middle + 1000, top));
    let mut marks = path(&[from, (left, top), (left, bottom), (right, bottom), (right, top), to]);
    marks.push(Mark::Arc([to, (middle, top + 1000), from]));
    if is_socket {
        marks.extend(rectangle([-1330, -1390, width + 1330, length + 1390]));
    }
    marks
}

/// An oscillator in a metal can: all corners but that at pin 1 are round.
pub fn oscillator(width: i32, length: i32) -> Vec<Mark> {
    let (left, right, top, bottom, round) = (-2640, width + 2640, -2830, length + 2830, 750);
    let mut marks = path(&[(left, bottom - round), (left, top), (right - round, top)]);
    marks.push(Mark::Line((right, top + round), (right, bottom - round)));
    marks.push(Mark::Line((right - round, bottom), (left + round, bottom)));
    let mut corner = |(x, y): Point, (dx, dy): Point| {
        let through = round * 293 / 1000;
        let ends = [(x + dx * round, y), (x + dx * through, y + dy * through), (x, y + dy * round)];
        marks.push(Mark::Arc(ends));
    };
    corner((right, top), (-1, 1));
    corner((right, bottom), (-1, -1));
    corner((left, bottom), (1, -1));
    marks
}

/// A row of pins, with a line beside pin 1.
pub fn in_line(length: i32) -> Vec<Mark> {
    let mut marks = rectangle([-1350, -1310, length + 1350, 1310]);
    marks.extend(path(&[(PITCH / 2, -1310), (PITCH / 2, 1310)]));
    marks
}

/// A boxed header with two columns of pins: a gap for the key, and an arrow at pin 1.
pub fn header(end: i32) -> Vec<Mark> {
    let (top, bottom, key) = (-5210, end + 5210, end / 2);
    let mut marks = path(&[(-4680, -500), (-4680, 500), (-3680, 0), (-4680, -500)]);
    marks.extend(rectangle([-3290, top, 5830, bottom]));
    marks.extend(path(&[
        (-3290, key - 2050),
        (-1980, key - 2050),
        (-1980, top + 1300),
        (4520, top + 1300),
        (4520, bottom - 1300),
        (-1980, bottom - 1300),
        (-1980, key + 2050),
        (-3290, key + 2050),
    ]));
    marks
}

/// Pins without a box: pin 1 is in a separate corner.
pub fn pins(columns: i32, rows: i32) -> Vec<Mark> {
    let (right, end) = ((columns - 1) * PITCH + 1_380, (rows - 1) * PITCH + 1_380);
    let mut marks = path(&[(0, -1_380), (-1_380, -1_380), (-1_380, 0)]);
    if columns == 1 {
        marks.extend(rectangle([-1_380, PITCH / 2, right, end]));
    } else {
        let half = PITCH / 2;
        marks.extend(path(&[(half, half), (-1_380, half), (-1_380, end), (right, end)]));
        marks.extend(path(&[(right, end), (right, -1_380), (half, -1_380), (half, half)]));
    }
    marks
}
