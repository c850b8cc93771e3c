//! The copper on the outer layers of a board, read from its file.

use super::Node;
use std::collections::HashMap;

/// Copper: a line with round ends on one of the outer layers or both, and its net.
#[derive(Clone, Debug)]
pub struct Copper {
    pub ends: [[f64; 2]; 2],
    pub radius: f64,
    /// For a square pad, whose corners are rounded: the distance from its middle to the beginning of a corner.
    pub square: f64,
    pub layers: u8,
    pub net: String,
    pub what: String,
}

/// The numbers in a list.
pub fn numbers(node: &Node) -> Vec<f64> {
    (1..node.list().len()).filter_map(|place| node.word(place).parse().ok()).collect()
}

/// The name of a footprint's component.
pub fn reference(footprint: &Node) -> &str {
    footprint.all("property").find(|field| field.word(1) == "Reference").unwrap().word(2)
}

/// All copper on the outer layers of a board, and its size.
pub fn copper(board: &Node) -> (Vec<Copper>, [f64; 2]) {
    let nets: HashMap<&str, &str> = board.all("net").map(|net| (net.word(1), net.word(2))).collect();
    let point = |node: &Node, part: &str| {
        let numbers = numbers(node.get(part).unwrap());
        [numbers[0], numbers[1]]
    };
    let size = |node: &Node, part: &str| numbers(node.get(part).unwrap())[0];
    let mut all = Vec::new();
    for footprint in board.all("footprint") {
        let place = numbers(footprint.get("at").unwrap());
        let turn = place.get(2).copied().unwrap_or(0.0).to_radians();
        let name = reference(footprint);
        for pad in footprint.all("pad") {
            let [x, y] = point(pad, "at");
            let at = [place[0] + x * turn.cos() + y * turn.sin(), place[1] - x * turn.sin() + y * turn.cos()];
            let radius = size(pad, "size") / 2.0;
            let square = if pad.word(3) == "roundrect" { radius / 2.0 } else { 0.0 };
            let net = pad.get("net").map_or(String::new(), |net| net.word(2).to_owned());
            let what = format!("{name} pad {}", pad.word(1));
            all.push(Copper { ends: [at, at], radius: radius - square, square, layers: 3, net, what });
        }
    }
    for (kind, is_via) in [("segment", false), ("via", true)] {
        for track in board.all(kind) {
            let ends =
                if is_via { [point(track, "at"); 2] } else { ["start", "end"].map(|end| point(track, end)) };
            let radius = size(track, if is_via { "size" } else { "width" }) / 2.0;
            let layers = if is_via { 3 } else { 1 + u8::from(track.get("layer").unwrap().word(1) == "B.Cu") };
            let net = nets[track.get("net").unwrap().word(1)].to_owned();
            all.push(Copper {
                ends,
                radius,
                square: 0.0,
                layers,
                what: format!("{kind} at {:?}", ends[0]),
                net,
            });
        }
    }
    let edge = board.get("gr_rect").unwrap();
    let ([x0, y0], [x1, y1]) = (point(edge, "start"), point(edge, "end"));
    (all, [x1 - x0, y1 - y0])
}
