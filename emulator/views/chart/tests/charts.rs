//! Charts are well-formed XML, show what the data say, and take any data.

use gray1_chart::{Block, Branch, Event, Heading, Kind, Lanes, Look, Tree, Wire, Wiring};
use roxmltree::{Document, Node};

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
fn text_does_not_break_the_xml() {
    let text = "<&\"'>\u{1}\u{fffe} \u{10ffff} ]]> -- é 中";
    let chart = Lanes {
        heading: Heading { title: text.into(), subtitle: text.into(), footnote: text.into() },
        lanes: vec![text.into()],
        ..Lanes::default()
    };
    Document::parse(&chart.svg()).expect("XML");
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
