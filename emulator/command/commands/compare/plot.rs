//! The results as a chart: bars if each program ran once, curves over N if some ran for several values of N.

use super::entry::Entry;
use super::table::{Results, Row, duration};
use gray1_chart::{Axis, Bar, Bars, Curve, Curves, Heading, Point};
use gray1_machine::Speed;
use gray1_text::grouped;

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
/// The reason why cycles are a fair measure.
const UNIT: &str = "Every instruction is one machine cycle.";

fn bars(results: &Results) -> Bars {
    let sizes = sizes(results);
    let title = match sizes[..] {
        [n] => format!("Machine cycles to find all solutions for N = {n}"),
        _ => "Machine cycles to find all solutions".to_owned(),
    };
    let same = match (&results.rows[..], &sizes[..]) {
        ([row, _, ..], [_]) if row.solutions > 0 => {
            format!("All find the same {} solutions. ", row.solutions)
        }
        _ => String::new(),
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
        heading: heading(title, same + UNIT, results),
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
        Curve { name: (*name).to_owned(), points: points.collect() }
    };
    let curves: Vec<Curve> = names.iter().map(curve).filter(|curve| !curve.points.is_empty()).collect();
    let single = if curves.iter().any(|curve| curve.points.len() == 1) {
        " A single mark is a program that is made for one N."
    } else {
        ""
    };
    Curves {
        heading: heading(title, UNIT.to_owned() + single, results),
        x: Axis::linear("N"),
        y: Axis::log(AXIS),
        curves,
    }
}

/// All values of N in the results, ascending.
fn sizes(results: &Results) -> Vec<u64> {
    let mut sizes: Vec<u64> = results.rows.iter().filter_map(|row| row.n).collect();
    sizes.dedup(); // the rows are sorted by them
    sizes
}

fn heading(title: String, subtitle: String, results: &Results) -> Heading {
    let times = || results.rows.iter().map(|row| row.seconds_emulated);
    let (least, most) = (times().fold(f64::MAX, f64::min), times().fold(0.0, f64::max));
    let clock = Speed::Hz(results.hz);
    let footnote = match results.rows.len() {
        1 => format!("At {clock} that takes {}.", duration(most)),
        _ => format!("At {clock} the fewest take {}, the most {}.", duration(least), duration(most)),
    };
    Heading { title, subtitle, footnote }
}
