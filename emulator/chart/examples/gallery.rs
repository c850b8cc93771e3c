//! One chart of each kind, with invented numbers, to look at while changing how they are drawn:
//! `cargo run -p gray1-chart --example gallery -- FOLDER`.

use gray1_chart::{Axis, Bar, Bars, Cell, Curve, Curves, Guide, Heading, Labels, Look, Map, Point};
use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    for (name, svg) in [
        ("bars", bars().svg()),
        ("counts", counts().svg()),
        ("growth", growth().svg()),
        ("survival", survival().svg()),
        ("map", map().svg()),
    ] {
        std::fs::write(folder.join(name).with_extension("svg"), svg)?;
    }
    Ok(())
}

fn heading(title: &str) -> Heading {
    Heading {
        title: title.to_owned(),
        subtitle: "Invented numbers; the words are long enough to need a second line, so that one sees what \
                   becomes of a subtitle that has much to say about what was measured, and how."
            .to_owned(),
        footnote: "Each program ran to its end on the fast engine; one instruction is one machine cycle."
            .to_owned(),
    }
}

fn bars() -> Bars {
    let bar = |name: &str, note: &str, value: f64| Bar { name: name.into(), note: note.into(), value };
    Bars {
        heading: heading("Eight queens: what each idea saves"),
        axis: Axis::log("machine cycles"),
        bars: vec![
            bar("queens-brute", "16,777,216 boards tried", 2_415_919_104.0),
            bar("queens-masks", "16,777,216 boards tried", 1_234_567_890.0),
            bar("queens-permute", "40,320 boards tried", 9_876_543.0),
            bar("queens-array", "15,720 positions tried", 1_876_543.0),
            bar("queens-bits", "2,057 positions tried", 151_234.0),
            bar("queens", "forward checking", 134_963.0),
        ],
    }
}

fn counts() -> Bars {
    let bars = [("LDA", 12.5), ("STA", 40.0), ("NOR", 0.0)];
    let bars = bars.map(|(name, value)| Bar { name: name.into(), note: String::new(), value });
    Bars { heading: Heading::titled("A linear axis"), axis: Axis::linear("share in %"), bars: bars.into() }
}

fn growth() -> Curves {
    let curve = |name: &str, factor: f64, base: f64, last: i32| Curve {
        name: name.to_owned(),
        look: Look::Both,
        points: (4..=last).map(|n| Point::new(f64::from(n), factor * base.powi(n))).collect(),
    };
    let one = |name: &str, cycles: f64| Curve {
        name: name.to_owned(),
        look: Look::Both,
        points: vec![Point::new(8.0, cycles)],
    };
    Curves {
        heading: heading("The cost of one more queen"),
        x: Axis::linear("queens on a board of as many rows (N)"),
        y: Axis::log("machine cycles"),
        curves: vec![
            curve("nqueens", 0.9, 5.9, 12),
            curve("queens-bits", 0.2, 5.6, 12),
            curve("queens-array", 0.3, 7.5, 10),
            one("queens-brute", 2.4e9),
            one("queens-masks", 1.2e9),
            one("queens-permute", 9.8e6),
            one("queens", 134_963.0),
        ],
        guides: Vec::new(),
    }
}

fn survival() -> Curves {
    let curve = |name: &str, middle: f64, look: Look| Curve {
        name: name.to_owned(),
        look,
        points: (0..=20)
            .map(|step| {
                let x = 10f64.powf(f64::from(step) / 5.0);
                let y = 1.0 / (1.0 + (-3.0 * (x / middle).log10() * 2.3).exp());
                let spread = 0.12 * (1.0 - (2.0 * y - 1.0).abs()) + 0.01;
                Point { x, y, between: Some(((y - spread).max(0.0), (y + spread).min(1.0))) }
            })
            .collect(),
    };
    Curves {
        heading: heading("Survival against capacitance"),
        x: Axis::log("capacitance at each data output in pF"),
        y: Axis::linear("share of runs that survive").between(0.0, 1.0),
        curves: vec![
            curve("one phase = 1 µs", 100.0, Look::Both),
            curve("one phase = 10 µs", 300.0, Look::Line),
            curve("measured on the bench", 30.0, Look::Marks),
        ],
        guides: vec![Guide { at: 1000.0, name: "1 nF, as in the original".to_owned() }],
    }
}

fn map() -> Map {
    let share = |x: usize, y: usize| ((x as f64 * 1.3 - y as f64 + 2.0) / 6.0).clamp(0.0, 1.0);
    let row = |y: usize| (0..12).map(|x| Cell::share(share(x, y))).collect();
    Map {
        heading: heading("Where the machine works"),
        x: Labels {
            title: "capacitance in pF".to_owned(),
            labels: (0..12).map(|step| gray1_chart::number((10.0 * 1.6f64.powi(step)).round())).collect(),
        },
        y: Labels {
            title: "spread of delays in ns".to_owned(),
            labels: (0..10).map(|step| (step * 5).to_string()).collect(),
        },
        cells: (0..9).map(row).collect(),
        ends: ["0 % survive".to_owned(), "100 %".to_owned()],
    }
}
