//! The tracks of a board, and the files in which they are kept.
//!
//! Routing takes longer than everything else, so its result is kept in the repository, with a hash of all its inputs:
//! the nets, the places of the pads, and the rules. `cargo run --release -p gray1-hardware --example route` routes the
//! boards again.

use crate::kicad::expression::Point;
use crate::kicad::placement::GRID;
use crate::kicad::problem::Problem;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The kept results.
const KEPT: [&str; 3] =
    [include_str!("kept/cpu.ron"), include_str!("kept/io.ron"), include_str!("kept/display.ron")];

/// The tracks of a board, as they are kept.
#[derive(Debug, Deserialize, Serialize)]
pub struct Kept {
    /// The [number](Problem::number) of the board's problem.
    pub number: String,
    /// The tracks of each net.
    pub nets: BTreeMap<String, Tracks>,
}

/// The tracks of a net, in steps of the grid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
pub struct Tracks {
    /// Lines on layers: 0 is the top, 1 the bottom.
    pub lines: Vec<(usize, Point, Point)>,
    /// The places at which the layers are joined.
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
    let text = KEPT.iter().find(|text| text.contains(&number))?;
    ron::from_str::<Kept>(text).ok().map(|kept| kept.nets)
}
