//! Writes the tracks of a board as the text that `gray1_kicad` keeps.

use crate::grid::Grid;
use crate::router::Route;
use gray1_kicad::{Problem, Tracks};
use std::fmt::Write;

type Point = (i32, i32);

/// The tracks of a board as the text that is kept.
pub fn text(problem: &Problem<'_>, grid: &Grid, routes: &[Route]) -> String {
    let mut text = format!("{}\n", problem.number());
    for (name, route) in problem.nets.iter().zip(routes) {
        let tracks = drawn(grid, route);
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

/// The tracks of a route, with consecutive steps merged into lines.
fn drawn(grid: &Grid, route: &Route) -> Tracks {
    let point = |node: usize| ((node % grid.width) as i32, (node / grid.width) as i32);
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
