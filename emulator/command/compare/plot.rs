//! The results as a chart: bars where each program ran once, curves over N where some ran for several.

use super::entry::Entry;
use super::table::{Results, Row, duration};
use gray1_chart::{Axis, Bar, Bars, Curve, Curves, Heading, Look, Point};
use gray1_display::Speed;
use gray1_display::status::grouped;

/// The chart. The colours of curves follow the order in which the programs were named.
pub fn svg(results: &Results, entries: &[Entry]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for entry in entries {
        if !names.contains(&entry.name.as_str()) {
            names.push(&entry.name);
        }
    }
    let ran_twice = names.len() < entries.len();
    if ran_twice { curves(results, &names).svg() } else { bars(results).svg() }
}

const AXIS: &str = "machine cycles";

fn bars(results: &Results) -> Bars {
    let sizes = sizes(results);
    let title = match sizes[..] {
        [n] => format!("Machine cycles to find all solutions for N = {n}"),
        _ => "Machine cycles to find all solutions".to_owned(),
    };
    let bar = |row: &Row| {
        let mut notes = Vec::new();
        if sizes.len() > 1 {
            notes.extend(row.n.map(|n| format!("N = {n}")));
        }
        notes.extend(row.positions.map(|positions| format!("{} positions", grouped(positions))));
        notes.extend(row.words.map(|words| format!("{} words", grouped(words as u64))));
        Bar { name: row.program.clone(), note: notes.join(", "), value: row.cycles as f64 }
    };
    Bars {
        heading: heading(title, results),
        axis: Axis::log(AXIS),
        bars: results.rows.iter().map(bar).collect(),
    }
}

fn curves(results: &Results, names: &[&str]) -> Curves {
    let sizes = sizes(results);
    let title = match sizes[..] {
        [first, .., last] => format!("Machine cycles to find all solutions, N = {first} to {last}"),
        _ => "Machine cycles to find all solutions".to_owned(),
    };
    let curve = |name: &&str| {
        let rows = results.rows.iter().filter(|row| row.program == **name);
        let points = rows.filter_map(|row| Some(Point::new(row.n? as f64, row.cycles as f64)));
        Curve { name: (*name).to_owned(), look: Look::Both, points: points.collect() }
    };
    Curves {
        heading: heading(title, results),
        x: Axis::linear("N"),
        y: Axis::log(AXIS),
        curves: names.iter().map(curve).filter(|curve| !curve.points.is_empty()).collect(),
        guides: Vec::new(),
    }
}

/// The values of N there are, ascending.
fn sizes(results: &Results) -> Vec<u64> {
    let mut sizes: Vec<u64> = results.rows.iter().filter_map(|row| row.n).collect();
    sizes.dedup(); // the rows are sorted by them
    sizes
}

fn heading(title: String, results: &Results) -> Heading {
    let cycles = || results.rows.iter().map(|row| row.cycles as f64 / results.hz as f64);
    let (least, most) = (cycles().fold(f64::MAX, f64::min), cycles().fold(0.0, f64::max));
    Heading {
        title,
        subtitle: "Every instruction is one machine cycle.".to_owned(),
        footnote: format!(
            "At {} a second, the least takes {} and the most {}.",
            Speed::Hz(results.hz),
            duration(least),
            duration(most)
        ),
    }
}
