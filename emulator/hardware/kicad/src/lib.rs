//! The boards of a Gray-1 as KiCad projects: schematics by function, and printed boards.
//!
//! Everything is derived from the assembly, which says which net is on which pin of which component. The crate does no
//! I/O: files are names and text, and the same board always gives the same files.

mod circuit;
mod footprints;
mod format;
mod placement;
mod planes;
mod printed;
mod project;
mod router;
mod schematic;
mod symbols;
mod tracks;

use circuit::Circuit;
use footprints::Footprint;
use gray1_kit::{Assembly, File};
use gray1_machine::board::Board;
use placement::Layout;
use std::collections::BTreeMap;

/// The page that describes the folder.
const README: &str = "# The boards, for KiCad 9

**Nobody has made these boards or powered one up.** They have four layers: tracks, ground, five volts, tracks.

| project | pages of the schematic | printed board |
|---|---|---|
BOARDS
`sh fabricate.sh` checks them with `kicad-cli` and makes Gerbers, drill files, placement and pictures. Names of chips do not
all end in a number, as KiCad would have it: let it not change them.
";

/// The files of the folder `kicad`: a project for each board of an assembly, and the libraries that they share.
pub fn files(board: &Board, assembly: &Assembly) -> Vec<File> {
    let circuits = Circuit::all(board, assembly);
    let (mut files, mut boards) = (Vec::new(), String::new());
    let mut add = |name: &str, text: String| {
        files.push(File { name: format!("kicad/{name}"), bytes: text.into_bytes() });
    };
    for circuit in &circuits {
        for (name, text) in schematic::files(circuit) {
            add(&name, text);
        }
        let said = match Layout::new(circuit) {
            Ok(layout) => {
                let (names, problem) = tracks::problem(circuit, &layout);
                let kept = tracks::kept(&names, &problem);
                let tracks = kept
                    .as_ref()
                    .map_or("placed, with planes, but no tracks: none are kept for it", |_| "routed");
                let text = printed::text(circuit, &layout, &kept.unwrap_or_default());
                add(&format!("{}.kicad_pcb", circuit.stem), text);
                format!("{} x {} mm, {tracks}", layout.size.0 / 1000, layout.size.1 / 1000)
            }
            Err(reason) => format!("no printed board: {reason}"),
        };
        boards += &format!("| `{}` | {} | {said} |\n", circuit.stem, circuit.sheets.len() + 1);
        add(&format!("{}.kicad_pro", circuit.stem), project::text(circuit));
    }
    add("README.md", README.replace("BOARDS\n", &boards));
    let stems: Vec<&str> = circuits.iter().map(|circuit| circuit.stem.as_str()).collect();
    add("fabricate.sh", include_str!("fabricate.sh").replace("BOARDS", &stems.join(" ")));
    let parts = circuits.iter().flat_map(|circuit| circuit.parts.iter().map(move |part| (circuit, part)));
    let shapes = parts.filter_map(|(circuit, part)| footprints::of(circuit, part));
    let shapes: BTreeMap<String, Footprint> = shapes.map(|shape| (shape.name.clone(), shape)).collect();
    for (name, shape) in &shapes {
        add(&format!("gray1.pretty/{name}.kicad_mod"), shape.file());
    }
    add("gray1.pretty/screw.kicad_mod", footprints::screw());
    add("fp-lib-table", footprints::library_table());
    add("gray1.kicad_sym", schematic::library(&circuits));
    add("sym-lib-table", schematic::library_table());
    files
}

/// Routes each board; returns the text to keep, or why there is none, with the prefix of the board's files. `report`
/// receives the number of places that several nets share after each round.
pub fn route(
    board: &Board,
    assembly: &Assembly,
    report: &mut dyn FnMut(&str, usize, usize),
) -> Vec<(String, Result<String, String>)> {
    let circuits = Circuit::all(board, assembly);
    let route = |circuit: &Circuit<'_>| {
        let layout = Layout::new(circuit)?;
        let (names, problem) = tracks::problem(circuit, &layout);
        let routes = router::route(&problem, &mut |round, shared| report(&circuit.stem, round, shared));
        let routes = routes.map_err(|shared| format!("{shared} places are still shared"))?;
        let tracks: Vec<_> = routes.iter().map(|route| tracks::drawn(&problem, route)).collect();
        Ok(tracks::kept_text(&names, &problem, &tracks))
    };
    let mut route = route;
    circuits.iter().map(|circuit| (circuit.stem.clone(), route(circuit))).collect()
}
