//! The tables that a factory asks for, for each board: the components and their places. The columns are those that
//! makers of printed boards read.

use crate::kicad::circuit::Circuit;
use crate::kicad::expression::Point;
use crate::kicad::placement::{Layout, Placed};
use crate::kit::row;
use std::collections::BTreeMap;

/// The parts list of a board: a row for each part that is soldered, which is the socket of a chip that has one.
pub fn bill(circuit: &Circuit, layout: &Layout) -> String {
    let hardware = &circuit.assembly.hardware;
    let mut rows: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for placed in &layout.placed {
        let item = placed.part.item;
        let soldered = circuit.assembly.socket(item).unwrap_or(&item.part);
        rows.entry((soldered, &placed.footprint.name)).or_default().push(&item.reference);
    }
    let mut text = row(&["Comment", "Designator", "Footprint", "Quantity"]);
    for ((part, footprint), references) in rows {
        let value = &hardware.parts[part].value;
        let (comment, quantity) = (format!("{value}, {part}"), references.len().to_string());
        text += &row(&[&comment, &references.join(","), footprint, &quantity]);
    }
    text
}

/// The middle of each component in millimetres from the lower left corner of the board, as in its Gerbers, and its
/// rotation.
pub fn places(layout: &Layout) -> String {
    let mut text = row(&["Designator", "Mid X", "Mid Y", "Layer", "Rotation"]);
    for placed in &layout.placed {
        let (x, y) = middle(placed);
        let [x, y] = [x, layout.size.1 - y].map(|length| format!("{:.3}", f64::from(length) / 1000.0));
        text += &row(&[&placed.part.item.reference, &x, &y, "Top", &placed.angle.to_string()]);
    }
    text
}

/// The middle between the outermost pads.
fn middle(placed: &Placed) -> Point {
    let points: Vec<Point> = placed.footprint.pads.iter().map(|pad| placed.on_board(pad.at)).collect();
    let between = |coordinate: fn(&Point) -> i32| {
        let (least, most) = (points.iter().map(coordinate).min(), points.iter().map(coordinate).max());
        (least.unwrap_or_default() + most.unwrap_or_default()) / 2
    };
    (between(|point| point.0), between(|point| point.1))
}
