//! Checks the printed boards: clearances and connections measured from the files, without KiCad; then by KiCad itself.

#![allow(clippy::unwrap_used)] // a test may panic

mod support;

use std::collections::{BTreeMap, HashMap};
use std::process::Command;
use support::{BOARDS, Built, Node, built, kicad, written};
use test_support::tools::installed;
use test_support::{process, say};

/// Copper: a line with round ends on one of the outer layers or both, and its net.
#[derive(Clone, Debug)]
struct Copper {
    ends: [[f64; 2]; 2],
    radius: f64,
    /// For a square pad, whose corners are rounded: the distance from its middle to the beginning of a corner.
    square: f64,
    layers: u8,
    net: String,
    what: String,
}

/// The minimum distance of different nets, in millimetres.
const CLEARANCE: f64 = 0.2;

fn numbers(node: &Node) -> Vec<f64> {
    (1..node.list().len()).filter_map(|place| node.word(place).parse().ok()).collect()
}

/// The name of a footprint's component.
fn reference(footprint: &Node) -> &str {
    footprint.all("property").find(|field| field.word(1) == "Reference").unwrap().word(2)
}

/// All copper on the outer layers of a board, and its size.
fn copper(board: &Node) -> (Vec<Copper>, [f64; 2]) {
    let nets: HashMap<&str, &str> = board.all("net").map(|net| (net.word(1), net.word(2))).collect();
    let point = |node: &Node, part: &str| {
        let numbers = numbers(node.get(part).unwrap());
        [numbers[0], numbers[1]]
    };
    let size = |node: &Node, part: &str| numbers(node.get(part).unwrap())[0];
    let mut all = Vec::new();
    for footprint in board.all("footprint") {
        let place = numbers(footprint.get("at").unwrap());
        let turn = place.get(2).copied().unwrap_or(0.0).to_radians();
        let name = reference(footprint);
        for pad in footprint.all("pad") {
            let [x, y] = point(pad, "at");
            let at = [place[0] + x * turn.cos() + y * turn.sin(), place[1] - x * turn.sin() + y * turn.cos()];
            let radius = size(pad, "size") / 2.0;
            let square = if pad.word(3) == "roundrect" { radius / 2.0 } else { 0.0 };
            let net = pad.get("net").map_or(String::new(), |net| net.word(2).to_owned());
            let what = format!("{name} pad {}", pad.word(1));
            all.push(Copper { ends: [at, at], radius: radius - square, square, layers: 3, net, what });
        }
    }
    for (kind, is_via) in [("segment", false), ("via", true)] {
        for track in board.all(kind) {
            let ends =
                if is_via { [point(track, "at"); 2] } else { ["start", "end"].map(|end| point(track, end)) };
            let radius = size(track, if is_via { "size" } else { "width" }) / 2.0;
            let layers = if is_via { 3 } else { 1 + u8::from(track.get("layer").unwrap().word(1) == "B.Cu") };
            let net = nets[track.get("net").unwrap().word(1)].to_owned();
            all.push(Copper {
                ends,
                radius,
                square: 0.0,
                layers,
                what: format!("{kind} at {:?}", ends[0]),
                net,
            });
        }
    }
    let edge = board.get("gr_rect").unwrap();
    let ([x0, y0], [x1, y1]) = (point(edge, "start"), point(edge, "end"));
    (all, [x1 - x0, y1 - y0])
}

/// The distance from a point to a line segment.
fn to_line([x, y]: [f64; 2], [[x0, y0], [x1, y1]]: [[f64; 2]; 2]) -> f64 {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let length = dx * dx + dy * dy;
    let share = if length == 0.0 { 0.0 } else { (((x - x0) * dx + (y - y0) * dy) / length).clamp(0.0, 1.0) };
    (x - x0 - share * dx).hypot(y - y0 - share * dy)
}

/// The distance between two pieces of copper. Lines are parallel to an axis or points; squares count as lines.
fn gap(one: &Copper, other: &Copper) -> f64 {
    // Lines parallel to an axis are boxes without width, squares are boxes.
    let bounds = |copper: &Copper, axis: usize| {
        let (a, b) = (copper.ends[0][axis], copper.ends[1][axis]);
        (a.min(b) - copper.square, a.max(b) + copper.square)
    };
    let between = |axis: usize| {
        let ((low, high), (other_low, other_high)) = (bounds(one, axis), bounds(other, axis));
        (other_low - high).max(low - other_high).max(0.0)
    };
    between(0).hypot(between(1)) - one.radius - other.radius
}

/// The pairs of copper that may be near each other, found with a grid of 5 mm.
fn pairs(all: &[Copper]) -> Vec<(usize, usize)> {
    let mut squares: BTreeMap<(i32, i32), Vec<usize>> = BTreeMap::new();
    for (index, copper) in all.iter().enumerate() {
        let range = |axis: usize| {
            let (a, b) = (copper.ends[0][axis], copper.ends[1][axis]);
            let more = copper.radius + copper.square + CLEARANCE;
            ((a.min(b) - more) / 5.0).floor() as i32..=((a.max(b) + more) / 5.0).floor() as i32
        };
        for x in range(0) {
            for y in range(1) {
                squares.entry((x, y)).or_default().push(index);
            }
        }
    }
    let pairs = |near: &Vec<usize>| {
        let near = near.clone();
        (0..near.len())
            .flat_map(move |a| (0..a).map(|b| (near[b], near[a])).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, usize)> = squares.values().flat_map(pairs).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The faults of a board: copper of different nets that is too near, and nets in several pieces.
fn faults(all: &[Copper]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut piece: Vec<usize> = (0..all.len()).collect();
    fn root(piece: &mut [usize], mut index: usize) -> usize {
        while piece[index] != index {
            piece[index] = piece[piece[index]];
            index = piece[index];
        }
        index
    }
    for (one, other) in pairs(all) {
        let (a, b) = (&all[one], &all[other]);
        if a.layers & b.layers == 0 {
            continue;
        }
        let gap = gap(a, b);
        if a.net != b.net && gap < CLEARANCE - 1e-6 {
            faults.push(format!("{} ({}) and {} ({}) are {gap:.3} mm apart", a.what, a.net, b.what, b.net));
        }
        if a.net == b.net && !a.net.is_empty() && gap < 0.0 {
            let roots = [root(&mut piece, one), root(&mut piece, other)];
            piece[roots[0]] = roots[1];
        }
    }
    let mut pieces: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, copper) in all.iter().enumerate() {
        // The rails are connected by the planes.
        if !["", "VCC", "GND"].contains(&copper.net.as_str()) {
            let root = root(&mut piece, index);
            pieces.entry(&copper.net).or_default().push(root);
        }
    }
    for (net, mut roots) in pieces {
        roots.sort_unstable();
        roots.dedup();
        // The legs of a button are connected inside the button, but have to be connected by tracks as well.
        if roots.len() > 1 {
            faults.push(format!("{net} is in {} pieces", roots.len()));
        }
    }
    faults
}

#[test]
fn every_connection_is_made_and_nothing_else() {
    let Built { assembly, files, .. } = built();
    for name in BOARDS {
        let file = files.iter().find(|file| file.name == format!("kicad/{name}.kicad_pcb")).unwrap();
        let board = Node::read(str::from_utf8(&file.bytes).unwrap());
        let (all, [width, height]) = copper(&board);
        assert!(width <= 300.0 && height <= 200.0, "{name}: {width} x {height} mm");
        assert_eq!(faults(&all), Vec::<String>::new(), "{name}");
        for rail in ["VCC", "GND"] {
            assert!(
                board.all("zone").any(|zone| zone.get("net_name").unwrap().word(1) == rail),
                "{name}: {rail}"
            );
        }
        // Each pin of the assembly is there, on its net, and nothing but holes beside them.
        let mut footprints: BTreeMap<&str, &Node> = BTreeMap::new();
        for footprint in board.all("footprint") {
            assert!(footprints.insert(reference(footprint), footprint).is_none(), "{}", reference(footprint));
        }
        let is_it = |board: &String| board.to_lowercase().replace('/', "") == name;
        let number = assembly.boards.iter().position(is_it);
        assert!(number.is_some(), "{name}: {:?}", assembly.boards);
        // A socket has no pins of its own: its chip has them.
        let items: Vec<_> =
            assembly.items.iter().filter(|item| item.board == number && !item.pins.is_empty()).collect();
        let holes = footprints.keys().filter(|reference| reference.starts_with('H')).count();
        assert_eq!(footprints.len(), items.len() + holes, "{name}");
        for item in items {
            let reference = item.reference.as_str();
            let footprint = footprints.get(reference).unwrap_or_else(|| panic!("{name} has no {reference}"));
            for pin in &item.pins {
                let pads = footprint.all("pad").filter(|pad| pad.word(1) == pin.number.to_string());
                let nets: Vec<&str> =
                    pads.map(|pad| pad.get("net").unwrap().word(2).rsplit('/').next().unwrap()).collect();
                let is_right = |net: &&str| {
                    pin.net.as_deref().map_or(net.starts_with("unconnected-"), |own| own == *net)
                };
                assert!(
                    !nets.is_empty() && nets.iter().all(is_right),
                    "{reference} pin {}: {nets:?}",
                    pin.number
                );
            }
        }
        let tracks = all.iter().filter(|copper| copper.what.starts_with("segment"));
        let length: f64 = tracks.map(|line| to_line(line.ends[0], [line.ends[1]; 2])).sum();
        let vias = board.all("via").count();
        say(&format!("{name}: {width:.1} x {height:.1} mm, {:.1} m of tracks, {vias} vias", length / 1000.0));

        // Planted faults are found: a missing track, and two nets connected.
        let without = all.iter().rposition(|copper| copper.what.starts_with("segment")).unwrap();
        let mut broken = all.clone();
        broken.remove(without);
        assert!(faults(&broken).iter().any(|fault| fault.contains("pieces")), "{name}");
        let mut joined = all.clone();
        joined[without].net = "another".to_owned();
        assert!(faults(&joined).iter().any(|fault| fault.contains("apart")), "{name}");
    }
}

/// The boards on a table, in millimetres: the display on the left, inputs and outputs 10 mm to its right, the CPU 10 mm
/// behind both, so far to the right of the display's left edge.
const BEHIND: f64 = 180.0;
const APART: f64 = 10.0;
/// What a ribbon cable needs to rise from a connector, and its shortest length: see the parts list.
const RISE: f64 = 15.0;
const CABLE: f64 = 150.0;
const WIRE: f64 = 500.0;

/// As the boards lie on a table, every cable is long enough, and rows of pads are in line with rows of LEDs.
#[test]
fn cables_reach_and_pads_are_beside_their_lights() {
    let Built { assembly, files, .. } = built();
    let boards = ["cpu", "io", "display"].map(|name| {
        let file = files.iter().find(|file| file.name == format!("kicad/{name}.kicad_pcb")).unwrap();
        Node::read(str::from_utf8(&file.bytes).unwrap())
    });
    let sizes = boards.each_ref().map(|board| copper(board).1);
    let origins = [[BEHIND, -sizes[0][1] - APART], [sizes[2][0] + APART, 0.0], [0.0, 0.0]];
    let place = |board: usize, name: &str, pad: &str| {
        let (all, _) = copper(&boards[board]);
        let edge = boards[board].get("gr_rect").unwrap().get("start").unwrap().clone();
        let own = format!("{name} pad {pad}");
        let at = all.iter().find(|copper| copper.what == own).unwrap_or_else(|| panic!("no {own}")).ends[0];
        let corner = numbers(&edge);
        [0, 1].map(|axis| at[axis] - corner[axis] + origins[board][axis])
    };
    let mut longest: f64 = 0.0;
    let mut count = 0;
    for cable in assembly.items.windows(3).filter(|items| items[2].board.is_none()) {
        let is_ribbon = cable[2].part == assembly.hardware.uses.cable;
        for pad in if is_ribbon { ["1", "40"] } else { ["1", "2"] } {
            let [one, other] = [0, 1].map(|end| place(cable[end].board.unwrap(), &cable[end].reference, pad));
            // A cable is folded, so it goes along both directions.
            let length = (one[0] - other[0]).abs() + (one[1] - other[1]).abs() + 2.0 * RISE;
            assert!(length < if is_ribbon { CABLE } else { WIRE }, "{}: {length:.0} mm", cable[2].reference);
            longest = if is_ribbon { longest.max(length) } else { longest };
        }
        count += 1;
    }
    assert_eq!(count, 5, "three cables and two wires");
    say(&format!("the longest way of a ribbon cable is {longest:.0} mm"));
    // Rows of pads and of LEDs: the middle of a button, and of a green and a red LED.
    let middle = |board: usize, name: &str, pads: &[&str]| {
        let at: Vec<f64> = pads.iter().map(|pad| place(board, name, pad)[1]).collect();
        at.iter().sum::<f64>() / at.len() as f64
    };
    for row in 0..8 {
        let net = |wanted: &str| {
            let has =
                |item: &&gray1_kit::Item| item.pins.iter().any(|pin| pin.net.as_deref() == Some(wanted));
            let of = |letter: char| move |item: &&gray1_kit::Item| item.reference.starts_with(letter);
            let letter = if wanted.starts_with("PAD") { 'S' } else { 'D' };
            assembly.items.iter().filter(of(letter)).find(has).unwrap().reference.clone()
        };
        let pad = middle(1, &net(&format!("PAD{row}_0")), &["1", "2"]);
        let lights = ["GREEN", "RED"].map(|colour| middle(2, &net(&format!("{colour}{row}_0_LED")), &["1"]));
        let lights = (lights[0] + lights[1]) / 2.0;
        assert!((pad - lights).abs() < 2.0, "row {row}: {pad:.1} and {lights:.1} mm");
    }
}

/// The fields of a row; none of these tables has a quote inside a field.
fn fields(row: &str) -> Vec<String> {
    let mut is_quoted = false;
    let mut fields = vec![String::new()];
    for c in row.chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            c => fields.last_mut().unwrap().push(c),
        }
    }
    fields
}

/// What a factory is told agrees with the board: each component once, and its place is the middle of its pads.
#[test]
fn tables_for_a_factory_are_those_of_the_boards() {
    let Built { assembly, files, .. } = built();
    for name in BOARDS {
        let text = |name: String| {
            let file = files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no {name}"));
            String::from_utf8(file.bytes.clone()).unwrap()
        };
        let board = Node::read(&text(format!("kicad/{name}.kicad_pcb")));
        let (all, [_, height]) = copper(&board);
        let origin = numbers(board.get("setup").unwrap().get("aux_axis_origin").unwrap());
        let mut places: BTreeMap<String, [f64; 3]> = BTreeMap::new();
        for footprint in board.all("footprint").filter(|footprint| !reference(footprint).starts_with('H')) {
            let own = format!("{} pad ", reference(footprint));
            let pads = all.iter().filter(|copper| copper.what.starts_with(&own)).map(|copper| copper.ends[0]);
            let middle = |axis: usize| {
                let (least, most) = pads.clone().fold((f64::MAX, f64::MIN), |(least, most), pad| {
                    (least.min(pad[axis]), most.max(pad[axis]))
                });
                (least + most) / 2.0
            };
            let angle = numbers(footprint.get("at").unwrap()).get(2).copied().unwrap_or(0.0);
            places.insert(
                reference(footprint).to_owned(),
                [middle(0) - origin[0], origin[1] - middle(1), angle],
            );
        }
        let cpl = text(format!("factory/{name}-cpl.csv"));
        let mut rows = cpl.lines();
        assert_eq!(rows.next(), Some("Designator,Mid X,Mid Y,Layer,Rotation"));
        for row in rows {
            let row = fields(row);
            let expected =
                places.remove(&row[0]).unwrap_or_else(|| panic!("{name}: {row:?} twice, or nowhere"));
            for (told, expected) in [&row[1], &row[2], &row[4]].into_iter().zip(expected) {
                assert!(
                    (told.parse::<f64>().unwrap() - expected).abs() < 0.0011,
                    "{name}: {row:?}, {expected:?}"
                );
            }
            assert!(row[3] == "Top" && row[2].parse::<f64>().unwrap() < height, "{row:?}");
        }
        assert!(places.is_empty(), "{name}: {places:?} are missing");
        let bom = text(format!("factory/{name}-bom.csv"));
        let mut rows = bom.lines();
        assert_eq!(rows.next(), Some("Comment,Designator,Footprint,Quantity"));
        let mut listed: Vec<String> = Vec::new();
        for row in rows.map(fields) {
            let references: Vec<&str> = row[1].split(',').collect();
            assert_eq!(row[3], references.len().to_string(), "{row:?}");
            for reference in &references {
                let part = &assembly.items.iter().find(|item| item.reference == *reference).unwrap().part;
                let is_socket = row[0].contains("socket, ");
                assert!(row[0].ends_with(part.as_str()) != is_socket, "{name}: {row:?} for {part}");
            }
            listed.extend(references.into_iter().map(str::to_owned));
        }
        listed.sort();
        let mut placed: Vec<String> = cpl.lines().skip(1).map(|row| fields(row).swap_remove(0)).collect();
        placed.sort();
        assert_eq!(listed, placed, "{name}");
    }
}

/// Lets KiCad check a board and make the production files for it.
fn made(name: &str) {
    if !installed(&["kicad-cli"]) {
        return;
    }
    let (_folder, path) = written(&built().files);
    let mut script = Command::new("sh");
    script.args(["fabricate.sh", name]).current_dir(&path).env("KICAD_CONFIG_HOME", path.join("settings"));
    let output = process::output(&mut script);
    assert!(output.status.success(), "{output:?}");
    let file = |end: &str| std::fs::read_to_string(path.join("fabrication").join(name).join(end)).unwrap();
    let report = file("drc.txt");
    for line in
        ["** Found 0 DRC violations **", "** Found 0 unconnected pads **", "** Found 0 Footprint errors **"]
    {
        assert!(report.contains(line), "{name}: {report}");
    }
    assert!(file(&format!("{name}-In1_Cu.g1")).len() > 10_000);
    assert!(file(&format!("{name}-PTH.drl")).starts_with("M48"));
    if installed(&["python3"]) {
        let zip = std::fs::read(path.join(format!("../factory/{name}.zip"))).unwrap();
        assert!(zip.starts_with(b"PK") && zip.len() > 100_000, "{name}: {} bytes", zip.len());
    }
}

#[test]
fn kicad_finds_no_fault_in_the_cpu() {
    made("cpu");
}

#[test]
fn kicad_finds_no_fault_in_inputs_and_outputs() {
    made("io");
}

#[test]
fn kicad_finds_no_fault_in_the_display() {
    made("display");
}

#[test]
fn kicad_sees_tracks_that_are_missing() {
    if !installed(&["kicad-cli"]) {
        return;
    }
    let (_folder, path) = written(&built().files);
    let pcb = path.join("cpu.kicad_pcb");
    let text = std::fs::read_to_string(&pcb).unwrap();
    let is_track = |line: &&str| line.starts_with("(segment ");
    let net =
        text.lines().find(is_track).and_then(|line| line.split("(net ").nth(1)?.split(')').next()).unwrap();
    let without = |line: &&str| !(is_track(line) && line.contains(&format!("(net {net})")));
    std::fs::write(&pcb, text.lines().filter(without).collect::<Vec<_>>().join("\n")).unwrap();
    let output = kicad(&path, &["pcb", "drc", "--exit-code-violations", "cpu.kicad_pcb", "-o", "report"]);
    assert!(!output.status.success());
}
