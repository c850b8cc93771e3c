//! The routing problem of a board: which nets have to be connected, and where there is room for tracks and vias.

use crate::circuit::Circuit;
use crate::expression::{Point, uuid};
use crate::placement::{GRID, Layout};
use crate::planes;
use gray1_kit::RAILS;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The width of a track, and its clearance from other nets.
pub const WIDTH: i32 = 250;
const CLEARANCE: i32 = 200;
/// The width of a broad track, for the whole current.
pub const BROAD: i32 = 2_000;
/// Tolerance for pads that are not on the grid: they may be nearer to the middle of a step than to its ends.
const SLACK: i32 = 45;
/// The space kept free at the edge, and around a screw.
const EDGE: i32 = 1_500;
const SCREW: i32 = 3_600;
/// Any net may pass.
pub const FREE: i32 = -1;
/// No net may pass.
pub const BLOCKED: i32 = -2;

/// The routing problem of a board, on a grid whose nodes are numbered row by row.
pub struct Problem<'a> {
    /// The names of the nets.
    pub names: Vec<&'a str>,
    /// Number of nodes in a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// The only net that may pass a node, [`FREE`] or [`BLOCKED`].
    pub owner: Vec<i32>,
    /// The nodes at which vias are allowed.
    pub takes_via: Vec<bool>,
    /// For each net, the nodes of its pads. Pads are on both layers.
    pub nets: Vec<Vec<usize>>,
}

impl<'a> Problem<'a> {
    /// The nets and the obstacles of a board.
    pub(crate) fn new(circuit: &Circuit<'a>, layout: &Layout<'_>) -> Problem<'a> {
        let (width, height) = ((layout.size.0 / GRID + 1) as usize, (layout.size.1 / GRID + 1) as usize);
        let mut pads: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut through = Vec::new();
        for placed in &layout.placed {
            for pad in &placed.footprint.pads {
                let net =
                    placed.pin(pad).and_then(|pin| pin.net.as_deref()).filter(|net| !RAILS.contains(net));
                let at = placed.on_board(pad.at);
                through.push((at, pad.size, pad.is_square, net));
                if let Some(net) = net {
                    let near = |value: i32| ((value + GRID / 2) / GRID) as usize;
                    pads.entry(net).or_default().push(near(at.1) * width + near(at.0));
                }
            }
        }
        // What has a broad track needs no other.
        let broad: Vec<&str> = layout.broad.iter().map(|(net, _)| *net).collect();
        pads.retain(|net, pads| pads.len() > 1 && !broad.contains(net));
        let names: Vec<&str> =
            circuit.assembly.nets.iter().map(String::as_str).filter(|net| pads.contains_key(net)).collect();
        let (mut owner, mut takes_via) = (vec![FREE; width * height], vec![true; width * height]);
        let place = |node: usize| ((node % width) as i32 * GRID, (node / width) as i32 * GRID);
        for node in 0..width * height {
            let (x, y) = place(node);
            let inside = |margin: i32| {
                x >= margin && y >= margin && x <= layout.size.0 - margin && y <= layout.size.1 - margin
            };
            let is_screw = layout.holes.iter().any(|&hole| distance((x, y), hole) < SCREW);
            let from_broad =
                layout.broad.iter().map(|&(_, ends)| beside((x, y), ends)).min().unwrap_or(i32::MAX);
            if !inside(EDGE) || is_screw || from_broad < BROAD / 2 + CLEARANCE + WIDTH / 2 + SLACK {
                owner[node] = BLOCKED;
            }
            takes_via[node] = inside(EDGE + GRID)
                && !layout.holes.iter().any(|&hole| distance((x, y), hole) < SCREW + GRID)
                && from_broad > BROAD / 2 + CLEARANCE + planes::VIA / 2 + SLACK;
        }
        for (at, size, is_square, net) in through {
            let id = net
                .and_then(|net| names.iter().position(|name| *name == net))
                .map_or(BLOCKED, |id| id as i32);
            let steps = 4_500 / GRID;
            let (column, row) = (at.0 / GRID, at.1 / GRID);
            for y in row - steps..=row + steps {
                for x in column - steps..=column + steps {
                    let Ok(node) = usize::try_from(y * width as i32 + x) else { continue };
                    if x < 0 || x >= width as i32 || node >= owner.len() {
                        continue;
                    }
                    let from = (x * GRID - at.0, y * GRID - at.1);
                    if to_pad(from, size, is_square) < CLEARANCE + WIDTH / 2 + SLACK {
                        owner[node] = if owner[node] == FREE || owner[node] == id { id } else { BLOCKED };
                    }
                    if distance((x * GRID, y * GRID), at) < planes::via_distance(size, is_square) {
                        takes_via[node] = false;
                    }
                }
            }
        }
        let nets = names.iter().map(|name| {
            let mut pads = pads[name].clone();
            pads.sort_unstable();
            pads.dedup();
            pads
        });
        let nets = nets.collect();
        Problem { names, width, height, owner, takes_via, nets }
    }

    /// A hash of everything that the tracks of a board depend on.
    pub fn number(&self) -> String {
        let mut text = format!("{} {} {WIDTH} {CLEARANCE}", self.width, self.height);
        for (name, pads) in self.names.iter().zip(&self.nets) {
            let _ = write!(text, " {name} {pads:?}");
        }
        let _ = write!(text, "{:?}", self.owner);
        text.extend(self.takes_via.iter().map(|takes| if *takes { '1' } else { '0' }));
        uuid(&text)
    }
}

/// The distance of a point from a line parallel to an axis.
fn beside((x, y): Point, [(x0, y0), (x1, y1)]: [Point; 2]) -> i32 {
    distance((x, y), (x.clamp(x0.min(x1), x0.max(x1)), y.clamp(y0.min(y1), y0.max(y1))))
}

fn distance(one: Point, other: Point) -> i32 {
    f64::from(one.0 - other.0).hypot(f64::from(one.1 - other.1)) as i32
}

/// The distance from a point, relative to a pad's middle, to the pad's edge. Square pads have rounded corners.
fn to_pad(from: Point, size: i32, is_square: bool) -> i32 {
    if !is_square {
        return distance(from, (0, 0)) - size / 2;
    }
    let beyond = |value: i32| (value.abs() - size / 4).max(0);
    distance((beyond(from.0), beyond(from.1)), (0, 0)) - size / 4
}
