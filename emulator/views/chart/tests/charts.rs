//! Charts are well-formed XML, show what the data say, and take any data.

use gray1_chart::{
    Axis, Bar, Bars, Block, Branch, Cell, Curve, Curves, Event, Heading, Kind, Labels, Lanes, Look, Map,
    Point, Tree, Wire, Wiring,
};
use proptest::prelude::*;
use roxmltree::{Document, Node};

fn bars(axis: Axis, values: &[f64]) -> Bars {
    let bar = |value: &f64| Bar { name: format!("bar {value}"), note: String::new(), value: *value };
    Bars { heading: Heading::titled("a title"), axis, bars: values.iter().map(bar).collect() }
}

fn curve(name: &str, points: &[(f64, f64)]) -> Curve {
    let points = points.iter().map(|(x, y)| Point::new(*x, *y)).collect();
    Curve { name: name.to_owned(), points }
}

fn curves(y: Axis, curves: Vec<Curve>) -> Curves {
    Curves { heading: Heading::titled("a title"), x: Axis::linear("N"), y, curves }
}

/// The elements of a class.
fn class<'a, 'input>(document: &'a Document<'input>, name: &str) -> Vec<Node<'a, 'input>> {
    document.descendants().filter(|node| node.attribute("class") == Some(name)).collect()
}

fn length(node: &Node, attribute: &str) -> f64 {
    node.attribute(attribute).and_then(|text| text.parse().ok()).expect("a number")
}

/// The points of a path.
fn places(node: &Node) -> Vec<(f64, f64)> {
    let steps = node.attribute("d").expect("a path");
    let numbers = steps.split(['M', 'L', 'Z', ' ']).filter_map(|number| number.parse::<f64>().ok());
    let numbers: Vec<f64> = numbers.collect();
    numbers.chunks(2).map(|pair| (pair[0], pair[1])).collect()
}

#[test]
fn bars_are_as_long_as_logarithms_and_in_order() {
    let values = [703_646_720.0, 361_249_344.0, 2_255_807.0, 134_963.0, 117_325.0];
    let svg = bars(Axis::log("cycles"), &values).svg();
    let document = Document::parse(&svg).expect("XML");
    let drawn = class(&document, "bar");
    let lengths: Vec<f64> = drawn.iter().map(|bar| length(bar, "width")).collect();
    let places: Vec<f64> = drawn.iter().map(|bar| length(bar, "y")).collect();
    assert!(places.is_sorted(), "{places:?}");
    let decade = (lengths[0] - lengths[4]) / (values[0] / values[4]).log10();
    for (length, value) in lengths.iter().zip(values) {
        // The axis begins at the last power of ten that is well below the shortest bar.
        assert!((length - decade * (value / 10_000.0).log10()).abs() < 0.2, "{value}: {length}");
    }
    for text in ["703,646,720", "117,325", "100,000", "cycles (logarithmic)"] {
        assert!(svg.contains(&format!(">{text}</text>")), "{text} is missing");
    }
}

#[test]
fn bars_of_a_linear_axis_begin_at_zero() {
    let svg = bars(Axis::linear("share"), &[10.0, 0.0, 40.0, f64::NAN]).svg();
    let document = Document::parse(&svg).expect("XML");
    let lengths: Vec<f64> = class(&document, "bar").iter().map(|bar| length(bar, "width")).collect();
    assert!((lengths[2] - 4.0 * lengths[0]).abs() < 0.3 && lengths[0] > 10.0, "{lengths:?}");
    assert_eq!((lengths[1], lengths[3]), (0.0, 0.0));
}

#[test]
fn curves_go_where_the_numbers_are() {
    let chart = curves(
        Axis::log("cycles"),
        vec![
            curve("three", &[(4.0, 1e3), (8.0, 1e5), (12.0, 1e9)]),
            curve("level", &[(4.0, 1e4), (12.0, 1e4)]),
            curve("single", &[(8.0, 1e6), (9.0, 0.0), (f64::NAN, 1e6)]),
        ],
    );
    let svg = chart.svg();
    let document = Document::parse(&svg).expect("XML");
    let drawn: Vec<_> = class(&document, "curve").iter().map(places).collect();
    assert_eq!(drawn.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2]);
    let [low, middle, high] = drawn[0][..] else { panic!("three points") };
    assert!(((high.0 - low.0) - 2.0 * (middle.0 - low.0)).abs() < 0.2, "N is in the middle");
    assert!(((low.1 - high.1) - 3.0 * (low.1 - middle.1)).abs() < 0.2, "two decades of six");
    assert_eq!(drawn[1][0].1, drawn[1][1].1, "as many cycles everywhere");
    // All points that can be shown, and three names.
    assert_eq!(class(&document, "mark").len(), 3 + 2 + 1 + 3);
    for name in ["three", "level", "single"] {
        assert!(svg.contains(&format!(">{name}</text>")), "{name} is missing");
    }
}

#[test]
fn what_is_uncertain_has_a_bar() {
    let points = (0..4).map(|x| Point { x: f64::from(x), y: 0.5, between: Some((0.25, 0.75)) });
    let survival = Curve { name: "survival".to_owned(), points: points.collect() };
    let svg =
        curves(Axis::linear("share").between(0.0, 1.0), vec![survival, curve("sure", &[(1.0, 0.1)])]).svg();
    let document = Document::parse(&svg).expect("XML");
    let lines = class(&document, "uncertain");
    assert_eq!(lines.len(), 4 * 3, "a bar and its two ends for each point");
    let height = |node: &Node| length(node, "y1") - length(node, "y2");
    assert!((height(&lines[0]) - 200.0).abs() < 0.2, "half of the field");
    assert!(lines[1..3].iter().all(|end| height(end).abs() < 1e-9));
}

#[test]
fn a_map_has_its_first_row_at_the_bottom() {
    let labels = |title: &str, labels: &[&str]| Labels {
        title: title.to_owned(),
        labels: labels.iter().map(|label| (*label).to_owned()).collect(),
    };
    let cell = |share: f64, text: &str| Cell { share, text: text.to_owned() };
    let map = Map {
        heading: Heading::titled("a title"),
        x: labels("capacitance", &["10", "20", "30"]),
        y: labels("delay", &["1", "2"]),
        cells: vec![vec![cell(0.0, ""), cell(0.5, "50"), cell(1.0, "")]],
        ends: ["fails".to_owned(), "holds".to_owned()],
    };
    let svg = map.svg();
    let document = Document::parse(&svg).expect("XML");
    let cells: Vec<(String, String)> = class(&document, "cell")
        .iter()
        .map(|cell| {
            let title = cell.first_element_child().and_then(|title| title.text()).unwrap_or("");
            (title.to_owned(), cell.attribute("fill").unwrap_or("").to_owned())
        })
        .collect();
    let titles: Vec<&str> = cells.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "10, 1: fails",
            "20, 1: 50",
            "30, 1: holds",
            "10, 2: not measured",
            "20, 2: not measured",
            "30, 2: not measured"
        ]
    );
    let places: Vec<f64> = class(&document, "cell").iter().map(|cell| length(cell, "y")).collect();
    assert!(places[0] > places[3], "upward");
    assert_eq!(cells[0].1, "#d55e00");
    assert_eq!(cells[2].1, "#0072b2");
}

#[test]
fn text_does_not_break_the_xml() {
    let text = "<&\"'>\u{1}\u{fffe} \u{10ffff} ]]> -- é 中";
    let chart = Bars {
        heading: Heading { title: text.into(), subtitle: text.into(), footnote: text.into() },
        axis: Axis::log(text),
        bars: vec![Bar { name: text.into(), note: text.into(), value: 5.0 }],
    };
    Document::parse(&chart.svg()).expect("XML");
}

/// Any number, including infinities and NaN.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        1.0..1e10,
        -10.0..10.0,
        any::<f64>(),
        prop::sample::select(vec![
            0.0,
            -0.0,
            1.0,
            f64::MIN_POSITIVE,
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NAN
        ]),
    ]
}

fn any_axis() -> impl Strategy<Value = Axis> {
    let ends = prop::option::of((any_number(), any_number()));
    (any::<bool>(), ends).prop_map(|(is_log, ends)| {
        let axis = if is_log { Axis::log("an axis") } else { Axis::linear("an axis") };
        match ends {
            Some((low, high)) => axis.between(low, high),
            None => axis,
        }
    })
}

/// A point that is not on the page, if there is one.
fn off_the_paper(document: &Document) -> Option<String> {
    let paper = document.root_element();
    let (width, height) = (length(&paper, "width"), length(&paper, "height"));
    let is_on = |(x, y): (f64, f64)| (0.0..=width).contains(&x) && (0.0..=height).contains(&y);
    let corners = |node: &Node| -> Vec<(f64, f64)> {
        let number = |attribute: &str| length(node, attribute);
        match node.tag_name().name() {
            "text" => vec![(number("x"), number("y"))],
            "circle" => vec![(number("cx"), number("cy"))],
            "line" => vec![(number("x1"), number("y1")), (number("x2"), number("y2"))],
            "rect" if node.has_attribute("x") => {
                let (x, y) = (number("x"), number("y"));
                vec![(x, y), (x + number("width"), y + number("height"))]
            }
            "path" => places(node),
            _ => Vec::new(),
        }
    };
    let mut elements = document.descendants().filter(Node::is_element);
    elements.find(|node| !corners(node).into_iter().all(is_on)).map(|node| format!("{node:?}"))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_data_are_too_odd(
        axes in (any_axis(), any_axis()),
        points in prop::collection::vec((any_number(), any_number(), prop::option::of((any_number(), any_number()))), 0..8),
        name in ".{0,60}",
    ) {
        let values: Vec<f64> = points.iter().map(|(x, _, _)| *x).collect();
        let charts = [
            bars(axes.0.clone(), &values).svg(),
            Curves {
                heading: Heading::titled(&name),
                x: axes.0,
                y: axes.1,
                curves: vec![
                    Curve {
                        name: name.clone(),
                        points: points.iter().map(|(x, y, between)| Point { x: *x, y: *y, between: *between }).collect(),
                    },
                    curve("another", &[]),
                ],
            }
            .svg(),
            Map {
                heading: Heading::titled(&name),
                x: Labels { title: name.clone(), labels: values.iter().map(f64::to_string).collect() },
                y: Labels { title: name.clone(), labels: vec![name.clone()] },
                cells: vec![values.iter().map(|&share| Cell { share, text: share.to_string() }).collect()],
                ends: [name.clone(), name],
            }
            .svg(),
        ];
        for svg in charts {
            let document = Document::parse(&svg);
            prop_assert!(document.is_ok(), "{}", svg);
            let fault = document.ok().and_then(|document| off_the_paper(&document));
            prop_assert!(fault.is_none(), "{:?} in {}", fault, svg);
            prop_assert!(svg.len() < 2_000_000);
        }
    }
}

/// Each node is one ring further out than its parent, and no node hides another.
#[test]
fn a_tree_has_a_ring_for_each_level() {
    let branch = |parent, kind, name: &str| Branch { parent, kind, name: name.to_owned() };
    let nodes = vec![
        branch(None, Kind::Way, "a"),
        branch(Some(0), Kind::Dead, "b"),
        branch(Some(0), Kind::Goal, "c"),
        branch(None, Kind::Cut, "d"),
        branch(Some(9), Kind::Cut, "of nobody"),
    ];
    let names = ["goal", "way", "dead", "cut", "open"].map(str::to_owned);
    let svg = Tree { heading: Heading::titled("a tree"), nodes, names }.svg();
    let document = Document::parse(&svg).expect("XML");
    let root = document.descendants().rfind(|node| node.has_tag_name("circle")).expect("the root");
    let place = |node: &Node| (length(node, "cx"), length(node, "cy"));
    let middle = place(&root);
    let mut rings = Vec::new();
    for node in document.descendants().filter(|node| node.has_tag_name("title")) {
        let Some(circle) = node.parent().filter(|parent| parent.has_tag_name("circle")) else { continue };
        let (x, y) = place(&circle);
        rings.push((node.text().unwrap_or("").to_owned(), (x - middle.0).hypot(y - middle.1).round()));
    }
    rings.sort_by(|one, other| one.0.cmp(&other.0));
    let outer = rings[1].1;
    let expected =
        [("a", outer / 2.0), ("b", outer), ("c", outer), ("d", outer / 2.0), ("of nobody", outer / 2.0)];
    for ((name, radius), (expected, ring)) in rings.iter().zip(expected) {
        assert!(name == expected && (radius - ring).abs() <= 1.0, "{rings:?}");
    }
    for text in ["goal", "way", "dead", "cut"] {
        assert!(svg.contains(&format!(">{text}</text>")), "{text} is missing");
    }
}

/// Blocks are on the diagonal, and a wire goes from its block to the one that reads it.
#[test]
fn wires_lead_from_block_to_block() {
    let block = |name: &str, look| Block {
        name: [name.to_owned(), String::new()],
        value: format!("value of {name}"),
        note: name.to_owned(),
        is_loop: name == "b",
        look,
    };
    let wire = |from, to| Wire { from, to, note: format!("{from} to {to}"), look: Look::Lit };
    let svg = Wiring {
        heading: Heading::titled("a board"),
        blocks: vec![block("a", Look::Plain), block("b", Look::Lit), block("c", Look::Dim)],
        wires: vec![wire(0, 2), wire(2, 1), wire(1, 7)],
        names: ["idle", "", "moved"].map(str::to_owned),
    }
    .svg();
    let document = Document::parse(&svg).expect("XML");
    let centres: Vec<(f64, f64)> = class(&document, "block")
        .iter()
        .map(|block| {
            let middle = |start, size| length(block, start) + length(block, size) / 2.0;
            (middle("x", "width"), middle("y", "height"))
        })
        .collect();
    assert_eq!(centres.len(), 3);
    let wires = class(&document, "wire");
    assert_eq!(wires.len(), 2, "a wire to nowhere is left out");
    for (wire, (from, to)) in wires.iter().zip([(0, 2), (2, 1)]) {
        let corner = (centres[to].0, centres[from].1);
        for (place, expected) in places(wire).into_iter().zip([centres[from], corner, centres[to]]) {
            assert!((place.0 - expected.0).abs() < 0.2 && (place.1 - expected.1).abs() < 0.2, "{place:?}");
        }
    }
    assert!(svg.contains(">value of c</text>") && svg.contains(">moved</text>"));
}

/// Each event is in its lane, below the events that it led to, and joined to them; references to missing events are
/// left out.
#[test]
fn events_are_in_their_lanes_below_what_they_led_to() {
    let event = |lane, causes: &[(usize, bool)]| Event {
        time: "now".to_owned(),
        lane,
        text: format!("lane {lane}"),
        causes: causes.to_vec(),
        ..Event::default()
    };
    let mut first = event(0, &[(1, true), (2, false), (9, true)]);
    first.group = "a <group>".to_owned();
    let lanes = Lanes {
        heading: Heading::titled("a title"),
        lanes: ["one", "two", "three"].map(str::to_owned).into(),
        events: vec![first, event(2, &[(2, true)]), event(1, &[]), event(7, &[])],
    };
    let svg = lanes.svg();
    let document = Document::parse(&svg).expect("XML");
    assert_eq!(off_the_paper(&document), None);
    let boxes = class(&document, "event");
    let middle = |node: &Node| length(node, "x") + length(node, "width") / 2.0;
    let drawn: Vec<(f64, f64)> = boxes.iter().map(|node| (middle(node), length(node, "y"))).collect();
    assert!(drawn.iter().map(|place| place.1).is_sorted(), "{drawn:?}");
    assert!(drawn[0].0 < drawn[2].0 && drawn[2].0 < drawn[1].0, "{drawn:?}");
    let causes = class(&document, "cause");
    assert_eq!(causes.len(), 3);
    let is_dashed: Vec<bool> = causes.iter().map(|line| line.has_attribute("stroke-dasharray")).collect();
    assert_eq!(is_dashed, [false, true, false]);
    for (line, (cause, effect)) in causes.iter().zip([(1, 0), (2, 0), (2, 1)]) {
        assert!(
            (length(line, "x1") - drawn[cause].0).abs() < 0.2
                && (length(line, "x2") - drawn[effect].0).abs() < 0.2
        );
    }
    assert!(svg.contains("a &lt;group&gt;"));
    assert!(Document::parse(&Lanes::default().svg()).is_ok());
}
