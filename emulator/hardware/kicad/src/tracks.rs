//! The tracks of a board: the routing problem, its result, and the format in which the result is kept.
//!
//! Routing takes longer than everything else, so its result is kept in the repository, with a hash of all its inputs:
//! the nets, the places of the pads, and the rules. `cargo run --release -p gray1-kicad --example route` routes the
//! boards again.

use crate::circuit::Circuit;
use crate::footprints::Point;
use crate::placement::{GRID, Layout};
use crate::planes;
use crate::router::{BLOCKED, FREE, Problem, Route};
use gray1_kit::RAILS;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The width of a track, and its clearance from other nets.
pub const WIDTH: i32 = 250;
const CLEARANCE: i32 = 200;
/// Tolerance for pads that are not on the grid: they may be nearer to the middle of a step than to its ends.
const SLACK: i32 = 45;
/// The space kept free at the edge, and around a screw.
const EDGE: i32 = 1_500;
const SCREW: i32 = 3_600;
/// The kept results.
const KEPT: [&str; 3] =
    [include_str!("kept/cpu.txt"), include_str!("kept/io.txt"), include_str!("kept/display.txt")];

/// The tracks of a net: lines on layers (0 is the top, 1 the bottom) and vias, in steps of the grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracks {
    pub lines: Vec<(usize, Point, Point)>,
    pub vias: Vec<Point>,
}

/// The nets that are routed, and the problem.
pub fn problem<'a>(circuit: &Circuit<'a>, layout: &Layout<'a>) -> (Vec<&'a str>, Problem) {
    let (width, height) = ((layout.size.0 / GRID + 1) as usize, (layout.size.1 / GRID + 1) as usize);
    let mut pads: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut through = Vec::new();
    for placed in &layout.placed {
        for pad in &placed.footprint.pads {
            let pin = placed.part.item.pins.iter().find(|pin| pin.number == pad.number);
            let net = pin.and_then(|pin| pin.net.as_deref()).filter(|net| !RAILS.contains(net));
            let at = placed.on_board(pad.at);
            through.push((at, pad.size, pad.is_square, net));
            if let Some(net) = net {
                let near = |value: i32| ((value + GRID / 2) / GRID) as usize;
                pads.entry(net).or_default().push(near(at.1) * width + near(at.0));
            }
        }
    }
    pads.retain(|_, pads| pads.len() > 1);
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
        if !inside(EDGE) || is_screw {
            owner[node] = BLOCKED;
        }
        takes_via[node] =
            inside(EDGE + GRID) && !layout.holes.iter().any(|&hole| distance((x, y), hole) < SCREW + GRID);
    }
    for (at, size, is_square, net) in through {
        let id =
            net.and_then(|net| names.iter().position(|name| *name == net)).map_or(BLOCKED, |id| id as i32);
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
    (names, Problem { width, height, owner, takes_via, nets })
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

/// The tracks of a route, with consecutive steps merged into lines.
pub fn drawn(problem: &Problem, route: &Route) -> Tracks {
    let point = |node: usize| ((node % problem.width) as i32, (node / problem.width) as i32);
    let mut steps: Vec<(usize, Point, Point)> = Vec::new();
    for &(layer, from, to) in &route.steps {
        let (from, to) = (point(from.min(to)), point(from.max(to)));
        // Rows are sorted by row, columns by column.
        steps.push((layer, from, to));
    }
    steps.sort_unstable_by_key(|&(layer, from, to)| {
        let is_row = from.1 == to.1;
        (layer, is_row, if is_row { (from.1, from.0) } else { from })
    });
    steps.dedup();
    let mut lines: Vec<(usize, Point, Point)> = Vec::new();
    for (layer, from, to) in steps {
        match lines.last_mut() {
            Some(last) if last.0 == layer && last.2 == from && (last.1.0 == to.0 || last.1.1 == to.1) => {
                last.2 = to;
            }
            _ => lines.push((layer, from, to)),
        }
    }
    let mut vias: Vec<Point> = route.vias.iter().map(|&via| point(via)).collect();
    vias.sort_unstable();
    vias.dedup();
    Tracks { lines, vias }
}

/// A hash of everything that the tracks of a board depend on.
fn number(names: &[&str], problem: &Problem) -> String {
    let mut text = format!("{} {} {WIDTH} {CLEARANCE}", problem.width, problem.height);
    for (name, pads) in names.iter().zip(&problem.nets) {
        let _ = write!(text, " {name} {pads:?}");
    }
    let _ = write!(text, "{:?}", problem.owner);
    text.extend(problem.takes_via.iter().map(|takes| if *takes { '1' } else { '0' }));
    crate::format::uuid(&text)
}

/// The tracks of a board as the text that is kept.
pub fn kept_text(names: &[&str], problem: &Problem, tracks: &[Tracks]) -> String {
    let mut text = format!("{}\n", number(names, problem));
    for (name, tracks) in names.iter().zip(tracks) {
        text += name;
        for (layer, from, to) in &tracks.lines {
            let _ = write!(text, " {},{},{},{},{}", ["F", "B"][*layer], from.0, from.1, to.0, to.1);
        }
        for via in &tracks.vias {
            let _ = write!(text, " V,{},{}", via.0, via.1);
        }
        text.push('\n');
    }
    text
}

/// The kept tracks, by net, if they were made for exactly this board.
pub fn kept(names: &[&str], problem: &Problem) -> Option<BTreeMap<String, Tracks>> {
    let number = number(names, problem);
    let text = KEPT.iter().find(|text| text.lines().next() == Some(&number))?;
    text.lines().skip(1).map(read).collect()
}

/// Reads the tracks of a net from a line of the kept text.
fn read(line: &str) -> Option<(String, Tracks)> {
    let mut words = line.split(' ');
    let name = words.next()?.to_owned();
    let mut tracks = Tracks::default();
    for word in words {
        let (kind, numbers) = word.split_once(',')?;
        let numbers: Vec<i32> =
            numbers.split(',').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        match (kind, numbers.as_slice()) {
            ("V", &[x, y]) => tracks.vias.push((x, y)),
            ("F" | "B", &[x0, y0, x1, y1]) => {
                tracks.lines.push((usize::from(kind == "B"), (x0, y0), (x1, y1)));
            }
            _ => return None,
        }
    }
    Some((name, tracks))
}
