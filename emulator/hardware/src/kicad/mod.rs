//! The boards of a Gray-1 as KiCad projects: schematics by function, and printed boards.
//!
//! Everything is derived from the assembly, which says which net is on which pin of which component. It does no
//! I/O: files are names and text, and the same board always gives the same files.

mod circuit;
mod expression;
mod factory;
mod footprints;
mod guide;
mod labels;
mod marks;
mod order;
mod packages;
mod placement;
mod planes;
mod printed;
mod problem;
mod schematic;
mod symbols;
mod tracks;

pub use guide::guide;
pub use placement::{GRID, LayoutError};
pub use planes::{VIA, via_distance};
pub use problem::{BROAD, Obstacle, Problem, WIDTH};
pub use tracks::{Kept, Tracks};

use crate::kit::{Assembly, File, filled, markdown};
use circuit::Circuit;
use footprints::Footprint;
use gray1_machine::board::Board;
use placement::Layout;
use std::collections::BTreeMap;
use symbols::LIBRARY;

/// The project file of a board.
const PROJECT: &str = r#"{
  "meta": { "filename": "BOARD.kicad_pro", "version": 3 }
}
"#;

/// The files of the folders `kicad` and `factory`: a project for each board of an assembly, and the libraries that they share.
pub fn files(board: &Board, assembly: &Assembly) -> Vec<File> {
    let circuits = Circuit::all(board, assembly);
    let (mut files, mut boards, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |name: &str, text: String| {
        let name = name.strip_prefix("../").map_or_else(|| format!("kicad/{name}"), str::to_owned);
        files.push(File { name, bytes: text.into_bytes() });
    };
    for circuit in &circuits {
        for (name, text) in schematic::files(circuit) {
            add(&name, text);
        }
        let printed = match Layout::new(circuit) {
            Ok(layout) => {
                let kept = tracks::kept(&Problem::new(circuit, &layout));
                let tracks = kept
                    .as_ref()
                    .map_or("placed, with planes, but no tracks: none are kept for it", |_| "routed");
                let text = printed::text(circuit, &layout, &kept.unwrap_or_default());
                add(&format!("../factory/{}.sha256", circuit.stem), order::checksums(circuit, &text));
                add(&format!("{}.kicad_pcb", circuit.stem), text);
                sizes.push((circuit.stem.as_str(), layout.size));
                add(&format!("../factory/{}-bom.csv", circuit.stem), factory::bill(circuit, &layout));
                add(&format!("../factory/{}-cpl.csv", circuit.stem), factory::places(&layout));
                format!("{} x {} mm, {tracks}", layout.size.0 / 1000, layout.size.1 / 1000)
            }
            Err(reason) => format!("no printed board: {reason}"),
        };
        boards.push([format!("`{}`", circuit.stem), (circuit.sheets.len() + 1).to_string(), printed]);
        add(&format!("{}.kicad_pro", circuit.stem), PROJECT.replace("BOARD", &circuit.stem));
    }
    add("../factory/build.md", order::page(&board.name, assembly, &sizes));
    let boards = markdown(["project", "pages of the schematic", "printed board"], boards);
    add("README.md", filled(include_str!("readme.md"), &[("boards", &boards)]));
    let stems: Vec<&str> = circuits.iter().map(|circuit| circuit.stem.as_str()).collect();
    add("fabricate.sh", include_str!("fabricate.sh").replace("BOARDS", &stems.join(" ")));
    let parts = circuits.iter().flat_map(|circuit| circuit.parts.iter().map(move |part| (circuit, part)));
    let shapes = parts.filter_map(|(circuit, part)| footprints::of(circuit, part));
    let shapes: BTreeMap<String, Footprint> = shapes.map(|shape| (shape.name.clone(), shape)).collect();
    for (name, shape) in &shapes {
        add(&format!("gray1.pretty/{name}.kicad_mod"), shape.file());
    }
    add("gray1.pretty/screw.kicad_mod", footprints::screw());
    add("fp-lib-table", library_table("fp", "pretty", "packages"));
    add("gray1.kicad_sym", schematic::library(&circuits));
    add("sym-lib-table", library_table("sym", "kicad_sym", "parts"));
    files
}

/// A table that tells KiCad where a library is.
fn library_table(kind: &str, extension: &str, contents: &str) -> String {
    let uri = format!(
        "(uri \"${{KIPRJMOD}}/{LIBRARY}.{extension}\")(options \"\")(descr \"{contents} of the Gray-1\")"
    );
    format!("({kind}_lib_table\n  (version 7)\n  (lib (name \"{LIBRARY}\")(type \"KiCad\"){uri})\n)\n")
}

/// The length of the tracks of each net on all boards, in thousandths of a millimetre, as far as they are routed.
pub fn track_lengths(board: &Board, assembly: &Assembly) -> BTreeMap<String, u64> {
    let mut lengths = BTreeMap::new();
    for problem in problems(board, assembly).iter().filter_map(|(_, problem)| problem.as_ref().ok()) {
        for (net, tracks) in tracks::kept(problem).unwrap_or_default() {
            *lengths.entry(net).or_default() += tracks.length();
        }
    }
    lengths
}

/// The routing problem of each board, or why there is none, with the prefix of the board's files.
pub fn problems<'a>(
    board: &'a Board,
    assembly: &'a Assembly,
) -> Vec<(String, Result<Problem<'a>, LayoutError>)> {
    let circuits = Circuit::all(board, assembly);
    let problem = |circuit: &Circuit<'a>| Ok(Problem::new(circuit, &Layout::new(circuit)?));
    circuits.iter().map(|circuit| (circuit.stem.clone(), problem(circuit))).collect()
}
