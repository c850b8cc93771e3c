//! The tracks of a board, and the format in which they are kept.
//!
//! Routing takes longer than everything else, so its result is kept in the repository, with a hash of all its inputs:
//! the nets, the places of the pads, and the rules. `cargo run --release -p gray1-kicad --example route` routes the
//! boards again.

use crate::expression::Point;
use crate::placement::GRID;
use crate::problem::Problem;
use std::collections::BTreeMap;

/// The kept results.
const KEPT: [&str; 3] =
    [include_str!("kept/cpu.txt"), include_str!("kept/io.txt"), include_str!("kept/display.txt")];

/// The tracks of a net, in steps of the grid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tracks {
    /// Lines on layers: 0 is the top, 1 the bottom.
    pub lines: Vec<(usize, Point, Point)>,
    /// Where the layers are joined.
    pub vias: Vec<Point>,
}

impl Tracks {
    /// The length of all lines, in thousandths of a millimetre.
    pub fn length(&self) -> u64 {
        let length =
            |&(_, (x0, y0), (x1, y1)): &(usize, Point, Point)| f64::from(x1 - x0).hypot(f64::from(y1 - y0));
        (self.lines.iter().map(length).sum::<f64>() * f64::from(GRID)) as u64
    }
}

/// The kept tracks, by net, if they were made for exactly this board.
pub fn kept(problem: &Problem<'_>) -> Option<BTreeMap<String, Tracks>> {
    let number = problem.number();
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
