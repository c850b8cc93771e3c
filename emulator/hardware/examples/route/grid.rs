//! The grid on which a board is routed: where there is room for tracks and vias, and for which nets.

use gray1_hardware::kicad::{BROAD, GRID, Problem, VIA, WIDTH, via_distance};

type Point = (i32, i32);

/// The clearance of a track from other nets.
const CLEARANCE: i32 = 200;
/// Tolerance for pads that are not on the grid: they may be nearer to the middle of a step than to its ends.
const SLACK: i32 = 45;
/// The space kept free at the edge, and around a screw.
const EDGE: i32 = 1_500;
const SCREW: i32 = 3_600;
/// The distance around a pad within which nodes are examined.
const AROUND: i32 = 4_500;
/// Any net may pass.
pub const FREE: i32 = -1;
/// No net may pass.
pub const BLOCKED: i32 = -2;

/// A grid whose nodes are numbered row by row.
pub struct Grid {
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

impl Grid {
    pub fn new(problem: &Problem<'_>) -> Grid {
        let [width, height] = [problem.size.0, problem.size.1].map(|length| (length / GRID + 1) as usize);
        let nodes = width * height;
        let mut grid = Grid {
            width,
            height,
            owner: vec![FREE; nodes],
            takes_via: vec![true; nodes],
            nets: vec![Vec::new(); problem.nets.len()],
        };
        for node in 0..nodes {
            grid.begin(problem, node);
        }
        for pad in &problem.pads {
            if let Some(net) = pad.net {
                let near = |value: i32| ((value + GRID / 2) / GRID) as usize;
                grid.nets[net].push(near(pad.at.1) * width + near(pad.at.0));
            }
            grid.block(pad.at, pad.size, pad.is_square, pad.net.map_or(BLOCKED, |net| net as i32));
        }
        for pads in &mut grid.nets {
            pads.sort_unstable();
            pads.dedup();
        }
        grid
    }

    /// Blocks a node that is near the edge, a screw or a broad track.
    fn begin(&mut self, problem: &Problem<'_>, node: usize) {
        let (x, y) = ((node % self.width) as i32 * GRID, (node / self.width) as i32 * GRID);
        let inside = |margin: i32| {
            x >= margin && y >= margin && x <= problem.size.0 - margin && y <= problem.size.1 - margin
        };
        let is_screw = |around: i32| problem.screws.iter().any(|&screw| distance((x, y), screw) < around);
        let from_broad = problem.broad.iter().map(|&ends| beside((x, y), ends)).min().unwrap_or(i32::MAX);
        if !inside(EDGE) || is_screw(SCREW) || from_broad < BROAD / 2 + CLEARANCE + WIDTH / 2 + SLACK {
            self.owner[node] = BLOCKED;
        }
        self.takes_via[node] = inside(EDGE + GRID)
            && !is_screw(SCREW + GRID)
            && from_broad > BROAD / 2 + CLEARANCE + VIA / 2 + SLACK;
    }

    /// Reserves the nodes around a pad for its net, or blocks them.
    fn block(&mut self, at: Point, size: i32, is_square: bool, net: i32) {
        let steps = AROUND / GRID;
        let (column, row) = (at.0 / GRID, at.1 / GRID);
        for y in row - steps..=row + steps {
            for x in column - steps..=column + steps {
                if x < 0 || y < 0 || x >= self.width as i32 || y >= self.height as i32 {
                    continue;
                }
                let node = y as usize * self.width + x as usize;
                let from = (x * GRID - at.0, y * GRID - at.1);
                if to_pad(from, size, is_square) < CLEARANCE + WIDTH / 2 + SLACK {
                    let owner = self.owner[node];
                    self.owner[node] = if owner == FREE || owner == net { net } else { BLOCKED };
                }
                if distance(from, (0, 0)) < via_distance(size, is_square) {
                    self.takes_via[node] = false;
                }
            }
        }
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
