//! Checks what is printed on the boards: the marks of parts against KiCad's own library, and the texts that a builder
//! needs. That nothing printed lies on anything else is checked by KiCad, in `printed.rs`.

#![allow(clippy::unwrap_used)] // a test may panic

use crate::kicad::support;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use support::{BOARDS, Built, Node, built};
use test_support::say;

type Point = [f64; 2];

/// Where Debian's package `kicad-footprints` puts the library.
const LIBRARY: &str = "/usr/share/kicad/footprints";
/// How far a printed mark may be from that of the library, in millimetres.
const NEAR: f64 = 0.06;

fn is_printed(node: &Node) -> bool {
    node.get("layer").is_some_and(|layer| layer.word(1) == "F.SilkS")
}

fn point(node: &Node) -> Point {
    [1, 2].map(|place| node.word(place).parse().unwrap())
}

/// The corners of what is printed of a footprint, as lines; curves are lines through some of their points.
fn lines(footprint: &Node) -> Vec<[Point; 2]> {
    let mut lines = Vec::new();
    for mark in footprint.list().iter().filter(|mark| is_printed(mark)) {
        let end = |name: &str| mark.get(name).map(point);
        let ends = || [end("start").unwrap(), end("end").unwrap()];
        match mark.word(0) {
            "fp_line" => lines.push(ends()),
            "fp_rect" => {
                let [[x0, y0], [x1, y1]] = ends();
                let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]];
                lines.extend(corners.windows(2).map(|ends| [ends[0], ends[1]]));
            }
            "fp_poly" => {
                let corners: Vec<Point> = mark.get("pts").unwrap().all("xy").map(point).collect();
                lines.extend(corners.windows(2).map(|ends| [ends[0], ends[1]]));
            }
            "fp_circle" => {
                let ([x, y], [ex, ey]) = (end("center").unwrap(), end("end").unwrap());
                lines.extend(round([x, y], (ex - x).hypot(ey - y), 0.0, 360.0));
            }
            "fp_arc" => lines.extend(arc(end("start").unwrap(), end("mid").unwrap(), end("end").unwrap())),
            _ => {}
        }
    }
    lines
}

/// A part of a circle, in degrees.
fn round([x, y]: Point, radius: f64, from: f64, to: f64) -> Vec<[Point; 2]> {
    let at = |step: i32| {
        let angle = (from + (to - from) * f64::from(step) / 32.0).to_radians();
        [x + radius * angle.cos(), y + radius * angle.sin()]
    };
    (0..32).map(|step| [at(step), at(step + 1)]).collect()
}

/// An arc through three points.
fn arc(a: Point, b: Point, c: Point) -> Vec<[Point; 2]> {
    let square = |[x, y]: Point| x * x + y * y;
    let d = 2.0 * (a[0] * (b[1] - c[1]) + b[0] * (c[1] - a[1]) + c[0] * (a[1] - b[1]));
    let x = (square(a) * (b[1] - c[1]) + square(b) * (c[1] - a[1]) + square(c) * (a[1] - b[1])) / d;
    let y = (square(a) * (c[0] - b[0]) + square(b) * (a[0] - c[0]) + square(c) * (b[0] - a[0])) / d;
    let angle = |p: Point| (p[1] - y).atan2(p[0] - x).to_degrees();
    let turn = |from: f64, to: f64| (to - from).rem_euclid(360.0);
    let (start, middle, end) = (angle(a), angle(b), angle(c));
    let length = turn(start, end);
    let sweep = if turn(start, middle) < length { length } else { length - 360.0 };
    round([x, y], (a[0] - x).hypot(a[1] - y), start, start + sweep)
}

/// The distance from a point to the nearest of these lines.
fn distance([x, y]: Point, lines: &[[Point; 2]]) -> f64 {
    let to = |[[x0, y0], [x1, y1]]: &[Point; 2]| {
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = dx * dx + dy * dy;
        let share =
            if length == 0.0 { 0.0 } else { (((x - x0) * dx + (y - y0) * dy) / length).clamp(0.0, 1.0) };
        (x - x0 - share * dx).hypot(y - y0 - share * dy)
    };
    lines.iter().map(to).fold(f64::MAX, f64::min)
}

/// The file of the library for a footprint of this name.
fn in_library(name: &str) -> Option<String> {
    let folders = fs::read_dir(LIBRARY).unwrap().map(|folder| folder.unwrap().path());
    let mut files = folders.map(|folder| folder.join(format!("{name}.kicad_mod")));
    files.find(|file| file.exists()).map(|file| fs::read_to_string(file).unwrap())
}

#[test]
fn what_kicad_prints_of_a_part_is_printed() {
    if !Path::new(LIBRARY).exists() {
        say("SKIPPED: KiCad's library of footprints is not installed");
        return;
    }
    let mut compared = 0;
    for file in built().files.iter().filter(|file| file.name.ends_with(".kicad_mod")) {
        let name = Path::new(&file.name).file_stem().unwrap().to_str().unwrap();
        if name == "screw" {
            continue;
        }
        let theirs = Node::read(&in_library(name).unwrap_or_else(|| panic!("KiCad has no {name}")));
        let own = Node::read(str::from_utf8(&file.bytes).unwrap());
        let model = |footprint: &Node| footprint.get("model").unwrap().word(1).to_owned();
        assert_eq!(model(&own), model(&theirs));
        let own = lines(&own);
        // The oscillator stands upright here and lies there.
        let turned = |[x, y]: Point| if name.starts_with("Oscillator") { [-y, x] } else { [x, y] };
        for line in lines(&theirs) {
            for end in line.map(turned) {
                let gap = distance(end, &own);
                assert!(gap < NEAR, "{name}: KiCad prints {end:?}, {gap:.2} mm from what is printed here");
            }
        }
        // A mark that is missing is noticed.
        let few = &own[..1];
        assert!(lines(&theirs).iter().flatten().any(|end| distance(turned(*end), few) >= NEAR), "{name}");
        compared += 1;
    }
    assert!(compared > 10, "{compared} footprints");
}

/// Each component has its name and what else a builder needs: values of networks, pins, colours, names of keys.
#[test]
fn every_part_says_what_it_is() {
    let Built { assembly, files, .. } = built();
    for name in BOARDS {
        let file = files.iter().find(|file| file.name == format!("kicad/{name}.kicad_pcb")).unwrap();
        let board = Node::read(str::from_utf8(&file.bytes).unwrap());
        let mut texts: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for footprint in board.all("footprint") {
            let reference = footprint.all("property").find(|field| field.word(1) == "Reference").unwrap();
            let printed = footprint.all("fp_text").chain([reference]).filter(|text| is_printed(text));
            for text in printed {
                let size = text.get("effects").unwrap().get("font").unwrap();
                let [height, _] = point(size.get("size").unwrap());
                let thickness: f64 = size.get("thickness").unwrap().word(1).parse().unwrap();
                assert!(height >= 1.0 && thickness >= 0.15, "{name}: {text:?}");
                texts.entry(reference.word(2)).or_default().push(text.word(2));
            }
        }
        for item in assembly.items.iter().filter(|item| texts.contains_key(item.reference.as_str())) {
            let said = &texts[item.reference.as_str()];
            let says = |words: &str| said.contains(&words);
            assert!(says(&item.reference), "{name}: {} has no name: {said:?}", item.reference);
            let uses = &assembly.hardware.uses;
            let expected: &[&str] = match &item.part {
                part if *part == uses.filter_resistors => &["100R"],
                part if *part == uses.led_resistors => &["1k5"],
                part if *part == uses.pull_downs => &["47k"],
                part if *part == uses.oscillator => &["1MHz"],
                part if *part == uses.supply => &["+", "-"],
                part if *part == uses.port || *part == uses.connector => &["1"],
                part if *part == uses.green || *part == uses.red => &["K", "A"],
                part if *part == uses.diode => &["K"],
                _ => &[],
            };
            for words in expected {
                assert!(says(words), "{name}: {} does not say {words}: {said:?}", item.reference);
            }
            // Keys say what they are for, connectors where they lead, LEDs their colour.
            let more =
                [&uses.button, &uses.port, &uses.connector, &uses.green, &uses.red].contains(&&item.part);
            assert!(said.len() > expected.len() + usize::from(more), "{name}: {}: {said:?}", item.reference);
        }
        let parts = assembly.items.iter().filter(|item| {
            item.board.is_some_and(|board| assembly.boards[board].to_lowercase().replace('/', "") == name)
                && !item.pins.is_empty()
        });
        assert_eq!(texts.len(), parts.count(), "{name}");
    }
}
