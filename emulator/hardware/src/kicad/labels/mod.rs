//! Places the texts that are printed on a board: names, values, polarity, the functions of keys.
//!
//! Each request has an anchor: a part, a pin, or a point inside a part. A text gets the first place there that is free of
//! holes, other parts and other printed marks. If there is none, it becomes narrower, and then shorter.

mod room;
mod words;

use crate::kicad::circuit::Circuit;
use crate::kicad::expression::Point;
use crate::kicad::marks::LINE;
use crate::kicad::placement::{Layout, Placed};
pub use room::Area;
use room::Room;
use words::{Anchor, LabelRequest};

/// A text in its place on the board.
#[derive(Clone, Debug)]
pub struct Label {
    pub words: String,
    /// Its middle.
    pub at: Point,
    /// 0, or 90 if it is read from below to above.
    pub angle: i32,
    /// The width and the height of its letters.
    pub size: Point,
    /// Whether it is the name of its part.
    pub is_name: bool,
}

/// The widths of letters that are tried, in percent of their height.
const NARROW: [i32; 3] = [100, 85, 70];
/// The distance of a text from its part: at first just enough, then with room for another between them.
const AWAY: [i32; 3] = [250, 700, 1_700];
/// The steps in which places are tried.
const STEP: i32 = 400;

/// The texts of each component, in the order of `layout.placed`.
pub fn labels(circuit: &Circuit<'_>, layout: &Layout<'_>, edge_text: Area) -> Vec<Vec<Label>> {
    let requests = layout.placed.iter().enumerate().flat_map(|(index, placed)| {
        words::requests(circuit, placed).into_iter().map(move |request| (index, placed, request))
    });
    let mut requests: Vec<(usize, &Placed<'_>, LabelRequest)> = requests.collect();
    // Texts with the fewest possible places come first.
    requests.sort_by_key(|(.., request)| request.anchor.turn());
    let mut room = Room::new(layout, edge_text);
    let mut labels: Vec<Vec<Label>> = vec![Vec::new(); layout.placed.len()];
    for (index, placed, request) in &requests {
        if let Some(label) = found(&room, *index, placed, request) {
            room.take(area(&label));
            labels[*index].push(label);
        }
    }
    labels
}

/// The first free place for a text.
fn found(room: &Room, index: usize, placed: &Placed<'_>, request: &LabelRequest) -> Option<Label> {
    let near = room.near(index);
    let sizes = request.words.iter().flat_map(|words| NARROW.map(|width| (words, width)));
    sizes.into_iter().find_map(|(words, width)| {
        let size = (request.height * width / 100, request.height);
        let label = |(at, angle): (Point, i32)| Label {
            words: words.clone(),
            at,
            angle,
            size,
            is_name: request.is_name,
        };
        let high = area(&label(((0, 0), 0))).high;
        let (length, height) = (2 * high.0, 2 * high.1);
        let mut places = match request.anchor {
            Anchor::Fixed(at) => {
                let along = if placed.footprint.is_tall() { placed.angle + 90 } else { placed.angle };
                vec![(placed.on_board(at), along % 180)]
            }
            Anchor::Pin(number) => {
                // Texts under the part are hidden later, so such places come last.
                let mut places = beside_pin(placed, number, length, height);
                places.sort_by_key(|place| area(&label(*place)).touches(room.extent(index)));
                places
            }
            Anchor::Part | Anchor::Remark => around(room.extent(index), length, height),
        };
        places.retain(|place| near.is_free(area(&label(*place))));
        places.first().map(|place| label(*place))
    })
}

/// Places beside a pin: on the sides on which there is nothing else of the part first.
fn beside_pin(placed: &Placed<'_>, number: usize, length: i32, height: i32) -> Vec<(Point, i32)> {
    let Some(pad) = placed.footprint.pads.iter().find(|pad| pad.number == number) else { return Vec::new() };
    let ((x, y), pins) = (placed.on_board(pad.at), &placed.footprint.pads);
    let middle = placed.on_board(placed.footprint.middle());
    let (dx, dy) = ((x - middle.0).signum(), (y - middle.1).signum());
    let is_row = pins.iter().all(|pin| placed.on_board(pin.at).1 == y);
    let (right, down) = (if dx == 0 { 1 } else { dx }, if dy == 0 { 1 } else { dy });
    let sides = if is_row {
        [(right, 0), (0, -1), (0, 1), (right, -1), (right, 1), (-right, -1), (-right, 1), (-right, 0)]
    } else {
        [
            (0, down),
            (right, 0),
            (right, down),
            (-right, down),
            (-right, 0),
            (right, -down),
            (-right, -down),
            (0, -down),
        ]
    };
    let away = |more: i32| {
        let (right, down) = (pad.size / 2 + length / 2 + more, pad.size / 2 + height / 2 + more);
        sides.map(|(a, b)| ((x + a * right, y + b * down), 0))
    };
    [250, 450, 1_000, 1_600, 2_600, 3_600, 4_600, 5_600].into_iter().flat_map(away).collect()
}

/// Places around a part, the nearest to the middle of a side first, and then those inside it.
fn around(own: Area, length: i32, height: i32) -> Vec<(Point, i32)> {
    let middle = own.middle();
    let (width, tall) = (own.high.0 - own.low.0, own.high.1 - own.low.1);
    let mut places = Vec::new();
    let shifts = |side: i32, text: i32| {
        let most = ((side - text) / 2).max(0) + 2 * STEP;
        (0..=most / STEP).flat_map(|step| [step * STEP, -step * STEP])
    };
    let sides: [(i32, i32); 4] =
        if width > tall { [(0, -1), (0, 1), (1, 0), (-1, 0)] } else { [(1, 0), (-1, 0), (0, -1), (0, 1)] };
    for away in AWAY {
        for angle in [0, 90] {
            let (x, y) = if angle == 0 { (length, height) } else { (height, length) };
            for (dx, dy) in sides {
                let at = (middle.0 + dx * ((width + x) / 2 + away), middle.1 + dy * ((tall + y) / 2 + away));
                let shifts: Vec<i32> =
                    if dx == 0 { shifts(width, x).collect() } else { shifts(tall, y).collect() };
                places.extend(
                    shifts
                        .into_iter()
                        .map(|shift| ((at.0 + shift * dy.abs(), at.1 + shift * dx.abs()), angle)),
                );
            }
        }
    }
    let mut inside: Vec<(Point, i32)> = Vec::new();
    for x in (own.low.0..own.high.0).step_by(STEP as usize) {
        for y in (own.low.1..own.high.1).step_by(STEP as usize) {
            inside.extend([((x, y), 0), ((x, y), 90)]);
        }
    }
    let far = |at: Point| (at.0 - middle.0).abs() + (at.1 - middle.1).abs();
    inside.sort_by_key(|&(at, angle)| ((angle == 0) == (tall > width), far(at), at));
    places.extend(inside);
    places
}

/// The area of a text. Some letters reach below its line.
fn area(label: &Label) -> Area {
    let long = words::length(&label.words, label.size);
    let is_deep = label.words.contains(|c: char| "gjpqy,;_Q/".contains(c));
    let high = label.size.1 + LINE + if is_deep { label.size.1 * 7 / 10 } else { 0 };
    Area::around(label.at, if label.angle == 0 { (long, high) } else { (high, long) })
}
