//! The routing problem of a board: which pads tracks have to connect, and what they have to keep away from. The example
//! `route` solves it on a grid.

use crate::kicad::circuit::Circuit;
use crate::kicad::expression::{Point, uuid};
use crate::kicad::footprints::Pad;
use crate::kicad::placement::{Layout, Placed};
use crate::kicad::planes::VIA;
use std::collections::BTreeMap;

/// The width of a track.
pub const WIDTH: i32 = 250;
/// The width of a broad track, for the whole current.
pub const BROAD: i32 = 2_000;

/// The routing problem of a board. Lengths are in thousandths of a millimetre from its upper left corner.
#[derive(Debug)]
pub struct Problem<'a> {
    /// The width and the height of the board.
    pub size: Point,
    /// The names of the nets that need tracks.
    pub nets: Vec<&'a str>,
    /// All pads.
    pub pads: Vec<Obstacle>,
    /// The middle of each hole for a screw.
    pub screws: Vec<Point>,
    /// The ends of each broad track.
    pub broad: Vec<[Point; 2]>,
}

/// A pad, on both outer layers.
#[derive(Debug)]
pub struct Obstacle {
    /// Its middle.
    pub at: Point,
    /// Its width and height.
    pub size: i32,
    /// Whether it is a square with rounded corners; otherwise it is a circle.
    pub is_square: bool,
    /// The index of the net that tracks have to connect it to.
    pub net: Option<usize>,
}

impl<'a> Problem<'a> {
    /// The routing problem of a board with this layout.
    pub(crate) fn new(circuit: &Circuit<'a>, layout: &Layout<'_>) -> Problem<'a> {
        let pads = || {
            layout.placed.iter().flat_map(|placed| placed.footprint.pads.iter().map(move |pad| (placed, pad)))
        };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for net in pads().filter_map(|(placed, pad)| placed.pin(pad)?.net.as_deref()) {
            *counts.entry(net).or_default() += 1;
        }
        let is_broad = |net: &str| layout.broad.iter().any(|(other, _)| *other == net);
        // The assembly lists no rails: they are planes.
        let nets = circuit.assembly.nets.iter().map(String::as_str);
        let nets: Vec<&str> =
            nets.filter(|net| counts.get(net).is_some_and(|count| *count > 1) && !is_broad(net)).collect();
        let obstacle = |(placed, pad): (&Placed<'_>, &Pad)| Obstacle {
            at: placed.on_board(pad.at),
            size: pad.size,
            is_square: pad.is_square,
            net: placed.pin(pad).and_then(|pin| nets.iter().position(|net| pin.net.as_deref() == Some(net))),
        };
        Problem {
            size: layout.size,
            pads: pads().map(obstacle).collect(),
            screws: layout.holes.clone(),
            broad: layout.broad.iter().map(|(_, ends)| *ends).collect(),
            nets,
        }
    }

    /// A hash of everything that the tracks of a board depend on.
    pub fn number(&self) -> String {
        uuid(&format!("{WIDTH} {BROAD} {VIA} {self:?}"))
    }
}
