//! Checks the printed boards: clearances and connections measured from the files, without KiCad; then by KiCad itself.

#![allow(clippy::unwrap_used)] // a test may panic

use crate::kicad::support;
use gray1_hardware::kit::Assembly;
use gray1_machine::board::Board;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};
use support::copper::{Copper, copper, numbers, reference};
use support::{BOARDS, Built, Node, built, written};
use test_support::tools::installed;
use test_support::{process, say};

/// The minimum distance of different nets, in millimetres.
const CLEARANCE: f64 = 0.2;

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

/// The components of the parts list of a board.
fn listed(assembly: &Assembly, bom: &str) -> Vec<String> {
    let mut rows = bom.lines();
    assert_eq!(rows.next(), Some("Comment,Designator,Footprint,Quantity"));
    let mut listed: Vec<String> = Vec::new();
    for row in rows.map(fields) {
        let references: Vec<&str> = row[1].split(',').collect();
        assert_eq!(row[3], references.len().to_string(), "{row:?}");
        for reference in &references {
            let part = &assembly.items.iter().find(|item| item.reference == *reference).unwrap().part;
            let is_socket = row[0].contains("socket, ");
            assert!(row[0].ends_with(part.as_str()) != is_socket, "{row:?} for {part}");
        }
        listed.extend(references.into_iter().map(str::to_owned));
    }
    listed
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
        let mut listed = listed(&assembly, &text(format!("factory/{name}-bom.csv")));
        listed.sort();
        let mut placed: Vec<String> = cpl.lines().skip(1).map(|row| fields(row).swap_remove(0)).collect();
        placed.sort();
        assert_eq!(listed, placed, "{name}");
    }
}

fn fabricated(kicad: &Path, name: &str) -> Output {
    let mut script = Command::new("sh");
    process::output(
        script
            .args(["fabricate.sh", name])
            .current_dir(kicad)
            .env("KICAD_CONFIG_HOME", kicad.join("settings")),
    )
}

/// A board that was changed, or one beside the wire list of another machine.
#[test]
fn nothing_is_made_of_a_board_of_another_pack() {
    if !installed(&["kicad-cli"]) {
        return;
    }
    let (_folder, path) = written(&built().files);
    let wires = gray1_hardware::kit::wires(&built().assembly);
    for (list, is_changed) in [(&wires, true), (&wires.replace("PC0,", "PC1,"), false)] {
        std::fs::write(path.join("../wires.csv"), list).unwrap();
        let pcb = path.join("io.kicad_pcb");
        let text = std::fs::read_to_string(&pcb).unwrap();
        if is_changed {
            std::fs::write(&pcb, text.replacen("(segment ", "(arc ", 1)).unwrap();
        }
        let output = fabricated(&path, "io");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("not those of ../factory/io.sha256: build the pack again"), "{output:?}");
        assert!(!output.status.success() && !path.join("fabrication/io/io-PTH.drl").exists());
        std::fs::write(&pcb, text).unwrap();
    }
}

/// What is to be ordered: all parts of the list, and as many of each.
#[test]
fn the_page_for_orders_has_all_parts() {
    let Built { assembly, files, .. } = built();
    let page = files.iter().find(|file| file.name == "factory/build.md").unwrap();
    let page = String::from_utf8(page.bytes.clone()).unwrap();
    let rows = page.lines().filter(|line| {
        line.starts_with("| ") && (line.contains("| listed |") || line.contains("| from memory |"))
    });
    let mut pieces = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let own = assembly.items.iter().filter(|item| item.part == cells[1]).count();
        assert_eq!(cells[5], own.to_string(), "{row}");
        pieces += own;
    }
    assert_eq!(pieces, assembly.items.len());
    assert!(page.contains("`display.zip`") && !page.contains("not known"), "{page}");
}

/// Lets KiCad check a board and make the production files for it.
fn made(name: &str) {
    if !installed(&["kicad-cli"]) {
        return;
    }
    let (_folder, path) = written(&built().files);
    std::fs::write(path.join("../wires.csv"), gray1_hardware::kit::wires(&built().assembly)).unwrap();
    let output = fabricated(&path, name);
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
        let sums = format!("{name}.sha256");
        assert!(zip.windows(sums.len()).any(|bytes| bytes == sums.as_bytes()), "{name}: no checksums");
    }
}

#[test]
#[ignore = "takes KiCad minutes: `cargo test --release -p gray1-hardware --test it -- --ignored`"]
fn kicad_finds_no_fault_in_the_cpu() {
    made("cpu");
}

#[test]
#[ignore = "takes KiCad minutes: `cargo test --release -p gray1-hardware --test it -- --ignored`"]
fn kicad_finds_no_fault_in_inputs_and_outputs() {
    made("io");
}

#[test]
#[ignore = "takes KiCad minutes: `cargo test --release -p gray1-hardware --test it -- --ignored`"]
fn kicad_finds_no_fault_in_the_display() {
    made("display");
}

/// The boards of the machine without its display are those of the whole machine.
#[test]
fn the_small_machine_has_the_same_tracks() {
    let lengths = |board: &Board| gray1_hardware::kicad::track_lengths(board, &Assembly::new(board).unwrap());
    let [whole, small] = [Board::built(), Board::small()].map(|board| lengths(&board));
    assert!(small.len() > 100 && small.contains_key("W0") && small.contains_key("PADROW0"));
    assert!(small.iter().all(|(net, length)| length <= &whole[net]));
    let files = gray1_hardware::kicad::files(&Board::small(), &Assembly::new(&Board::small()).unwrap());
    let readme = files.iter().find(|file| file.name == "kicad/README.md").unwrap();
    assert_eq!(str::from_utf8(&readme.bytes).unwrap().matches(" mm, routed |").count(), 2);
}
