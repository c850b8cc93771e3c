//! Merges the steps of routes into the tracks that `gray1_hardware::kicad` keeps.

use crate::grid::Grid;
use crate::router::Route;
use gray1_hardware::kicad::{Kept, Problem, Tracks};
use ron::ser::{PrettyConfig, to_string_pretty};

type Point = (i32, i32);

/// The tracks of a board as the text that is kept.
pub fn text(problem: &Problem<'_>, grid: &Grid, routes: &[Route]) -> Result<String, ron::Error> {
    let nets = problem.nets.iter().zip(routes).map(|(name, route)| ((*name).to_owned(), drawn(grid, route)));
    let kept = Kept { number: problem.number(), nets: nets.collect() };
    Ok(to_string_pretty(&kept, PrettyConfig::new().depth_limit(2))? + "\n")
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
