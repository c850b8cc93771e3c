//! What is printed of a part itself: its outline, the notch at pin 1, the plus of a capacitor, the cathode of a diode.
//!
//! The shapes and their sizes are those of KiCad's own footprints of the same names. Lines are wider than there, since
//! makers of boards ask for 0.15 mm.

use crate::expression::{Length, List, Point, id, layer, list};

/// The width of a printed line.
pub const LINE: i32 = 150;
/// The distance of pins.
const PITCH: i32 = 2540;

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
    pub fn list(&self, key: &str) -> List {
        let point = |name: &str, at: Point| list(name).point(at);
        let (shape, is_filled) = match self {
            Mark::Line(from, to) => {
                (list("fp_line").with(point("start", *from)).with(point("end", *to)), false)
            }
            Mark::Arc([from, through, to]) => {
                let arc = list("fp_arc").with(point("start", *from)).with(point("mid", *through));
                (arc.with(point("end", *to)), false)
            }
            Mark::Area(points) => {
                let points = list("pts").all(points.iter().map(|at| point("xy", *at)));
                (list("fp_poly").with(points), true)
            }
        };
        let stroke = list("stroke").with(list("width").with(Length(LINE))).with("(type solid)");
        shape.with(stroke).all(is_filled.then_some("(fill yes)")).with(layer("F.SilkS")).with(id(key))
    }
}

/// A line through these points.
fn path<const COUNT: usize>(points: [Point; COUNT]) -> Vec<Mark> {
    points.windows(2).map(|ends| Mark::Line(ends[0], ends[1])).collect()
}

fn rectangle([x0, y0, x1, y1]: [i32; 4]) -> Vec<Mark> {
    path([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])
}

/// Two rows of pins: an outline between them with a notch at pin 1, and one around a socket.
pub fn dual_in_line(width: i32, length: i32, is_socket: bool) -> Vec<Mark> {
    let (left, right, top, bottom, middle) = (1160, width - 1160, -1330, length + 1330, width / 2);
    let (from, to) = ((middle - 1000, top), (middle + 1000, top));
    let mut marks = path([from, (left, top), (left, bottom), (right, bottom), (right, top), to]);
    marks.push(Mark::Arc([to, (middle, top + 1000), from]));
    if is_socket {
        marks.extend(rectangle([-1330, -1390, width + 1330, length + 1390]));
    }
    marks
}

/// An oscillator in a metal can: all corners but that at pin 1 are round.
pub fn oscillator(width: i32, length: i32) -> Vec<Mark> {
    let (left, right, top, bottom, round) = (-2640, width + 2640, -2830, length + 2830, 750);
    let mut marks = path([(left, bottom - round), (left, top), (right - round, top)]);
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
    marks.extend(path([(PITCH / 2, -1310), (PITCH / 2, 1310)]));
    marks
}

/// A boxed header with two columns of pins: a gap for the key, and an arrow at pin 1.
pub fn header(end: i32) -> Vec<Mark> {
    let (top, bottom, key) = (-5210, end + 5210, end / 2);
    let mut marks = path([(-4680, -500), (-4680, 500), (-3680, 0), (-4680, -500)]);
    marks.extend(rectangle([-3290, top, 5830, bottom]));
    marks.extend(path([
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

/// A capacitor that is a disc on edge.
pub fn disc(pitch: i32) -> Vec<Mark> {
    let (left, right) = (-120, pitch + 120);
    let mut marks = path([(left, -1033), (left, -1370), (right, -1370), (right, -1033)]);
    marks.extend(path([(left, 1033), (left, 1370), (right, 1370), (right, 1033)]));
    marks
}

/// An electrolytic capacitor: a circle whose half at the negative pin is filled, and a plus beside the other pin.
pub fn electrolytic(pitch: i32) -> Vec<Mark> {
    let (middle, radius, clear) = (pitch / 2, 4_120, 1_040);
    let half = |x: i32, radius: i32| f64::from(radius * radius - x * x).max(0.0).sqrt() as i32;
    let mut marks = Vec::new();
    for side in [-1, 1] {
        marks.push(Mark::Arc([(middle, -radius), (middle + side * radius, 0), (middle, radius)]));
    }
    for x in (middle..middle + radius - 100).step_by(100) {
        let high = half(x - middle, radius - 40);
        let beside = x - pitch;
        if beside.abs() < clear {
            let low = half(beside, clear);
            marks.extend([Mark::Line((x, -high), (x, -low)), Mark::Line((x, low), (x, high))]);
        } else {
            marks.push(Mark::Line((x, -high), (x, high)));
        }
    }
    marks.extend(path([(-2_660, -2_315), (-1_860, -2_315)]));
    marks.extend(path([(-2_260, -2_715), (-2_260, -1_915)]));
    marks
}

/// An LED: an open circle, flat at the cathode, which is pin 1.
pub fn led() -> Vec<Mark> {
    let mut marks = path([(-290, -1236), (-290, -1080)]);
    marks.extend(path([(-290, 1080), (-290, 1236)]));
    for side in [-1, 1] {
        let mirrored = |points: [Point; 3]| Mark::Arc(points.map(|(x, y)| (x, y * side)));
        marks.push(mirrored([(-290, 1236), (1366, 1988), (2941, 1080)]));
        marks.push(mirrored([(229, 1080), (1270, 1500), (2311, 1080)]));
    }
    marks
}

/// A body between two leads: its length, half of its width, where the leads begin, and lines across it.
fn axial(pitch: i32, [length, half, lead]: [i32; 3], across: &[i32]) -> Vec<Mark> {
    let (left, right) = ((pitch - length) / 2, (pitch + length) / 2);
    let mut marks = rectangle([left, -half, right, half]);
    marks.extend(across.iter().map(|x| Mark::Line((left + x, -half), (left + x, half))));
    marks.extend([Mark::Line((lead, 0), (left, 0)), Mark::Line((pitch - lead, 0), (right, 0))]);
    marks
}

/// A small diode, with a broad line at the cathode, which is pin 1.
pub fn diode(pitch: i32) -> Vec<Mark> {
    axial(pitch, [4_240, 1_120, 1_060], &[600, 720, 840])
}

/// A large one.
pub fn large_diode(pitch: i32) -> Vec<Mark> {
    axial(pitch, [7_840, 1_920, 1_440], &[1_140, 1_260, 1_380])
}

/// A resistor.
pub fn resistor(pitch: i32) -> Vec<Mark> {
    axial(pitch, [6_540, 1_370, 1_040], &[])
}

/// A fuse whose leads are not in line.
pub fn fuse(_: i32) -> Vec<Mark> {
    let mut marks = path([(-838, -1_000), (-1_100, -1_000), (-1_100, -702)]);
    marks.extend(path([(-1_100, 702), (-1_100, 2_200), (4_262, 2_200)]));
    marks.extend(path([(838, -1_000), (6_200, -1_000), (6_200, 498)]));
    marks.extend(path([(6_200, 1_902), (6_200, 2_200), (5_938, 2_200)]));
    marks
}

/// Pins without a box: pin 1 is in a corner of its own.
pub fn pins(columns: i32, rows: i32) -> Vec<Mark> {
    let (right, end) = ((columns - 1) * PITCH + 1_380, (rows - 1) * PITCH + 1_380);
    let mut marks = path([(0, -1_380), (-1_380, -1_380), (-1_380, 0)]);
    if columns == 1 {
        marks.extend(rectangle([-1_380, PITCH / 2, right, end]));
    } else {
        let half = PITCH / 2;
        marks.extend(path([(half, half), (-1_380, half), (-1_380, end), (right, end)]));
        marks.extend(path([(right, end), (right, -1_380), (half, -1_380), (half, half)]));
    }
    marks
}

/// Three pins in a row under a round body with a flat side.
pub fn three_pins() -> Vec<Mark> {
    let arcs = [
        [(184, -1_099), (1_143, -2_193), (2_540, -2_600)],
        [(740, 1_850), (446, 1_510), (216, 1_123)],
        [(2_540, -2_600), (3_937, -2_193), (4_896, -1_099)],
        [(4_864, 1_123), (4_634, 1_510), (4_340, 1_850)],
    ];
    path([(740, 1_850), (4_340, 1_850)]).into_iter().chain(arcs.map(Mark::Arc)).collect()
}

/// A terminal with two screws: the lines of its housing, the opening for wires below, an arrow at pin 1.
pub fn terminal(pitch: i32) -> Vec<Mark> {
    let (left, right) = (-2_660, pitch + 2_660);
    let mut marks = path([(-300, 4_720), (left, 4_720), (left, -5_320)]);
    marks.extend(path([(left, -5_320), (right, -5_320), (right, 4_720), (300, 4_720)]));
    for y in [-2_300, 2_600, 4_100] {
        marks.extend(path([(left, y), (right, y)]));
    }
    marks.push(Mark::Area(vec![(0, 4_720), (440, 5_330), (-440, 5_330)]));
    marks
}

/// A push button of 6 mm: the parts of its edges between the legs.
pub fn button() -> Vec<Mark> {
    let mut marks = path([(-250, 1_500), (-250, 3_000)]);
    marks.extend(path([(6_750, 1_500), (6_750, 3_000)]));
    marks.extend(path([(1_000, -1_000), (5_500, -1_000)]));
    marks.extend(path([(1_000, 5_500), (5_500, 5_500)]));
    marks
}
