//! Draws one chart of each kind, to be viewed while changing how charts are drawn:
//! `cargo run -p gray1-chart --example gallery -- FOLDER`.

use gray1_chart::{Axis, Bar, Bars, Cell, Curve, Curves, Event, Heading, Labels, Lanes, Map, Point};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_default());
    let bar = |(name, value)| Bar { name: String::from(name), note: "cycles of one run".into(), value };
    let bars = Bars {
        heading: Heading::titled("Eight queens: what each idea saves"),
        axis: Axis::log("machine cycles"),
        bars: [("queens-brute", 2.4e9), ("queens-array", 1_876_543.0), ("queens", 134_963.0)].map(bar).into(),
    };
    let survival = |name: &str, middle: f64| {
        let share = |x: f64| 1.0 / (1.0 + (middle / x).powi(3));
        let point = |x: f64| Point { x, y: share(x), between: Some((share(x * 0.8), share(x * 1.25))) };
        Curve { name: name.into(), points: (1..20).map(|x| point(f64::from(x) * 60.0)).collect() }
    };
    let curves = Curves {
        heading: Heading { footnote: "Invented numbers.".into(), ..Heading::titled("Survival") },
        x: Axis::log("capacitance at each data output in pF"),
        y: Axis::linear("share of runs that survive").between(0.0, 1.0),
        curves: vec![survival("slow", 300.0), survival("fast", 100.0)],
    };
    let numbers = || (1..9).map(|number| number.to_string()).collect();
    let cell = |x: i32, y: i32| Cell { share: f64::from(8 * x - 7 * y) / 49.0, text: String::new() };
    let map = Map {
        heading: Heading::titled("Where the machine works"),
        x: Labels { title: "filter in ns".into(), labels: numbers() },
        y: Labels { title: "frequency in MHz".into(), labels: numbers() },
        cells: (0..7).map(|y| (0..8).map(|x| cell(x, y)).collect()).collect(),
        ends: ["0 % survive".into(), "100 %".into()],
    };
    let event = |(time, lane, cause): (&str, usize, usize)| Event {
        time: time.into(),
        lane,
        text: "1".into(),
        causes: vec![(cause, true)],
        ..Event::default()
    };
    let lanes = Lanes {
        heading: Heading::titled("Why it is lit"),
        lanes: ["latch", "decoder", "memory"].map(String::from).into(),
        events: [("today", 0, 1), ("yesterday", 1, 2), ("long ago", 2, 3)].map(event).into(),
    };
    for (name, svg) in
        [("bars", bars.svg()), ("curves", curves.svg()), ("map", map.svg()), ("lanes", lanes.svg())]
    {
        std::fs::write(folder.join(name).with_extension("svg"), svg)?;
    }
    Ok(())
}
