//! The boards of a Gray-1 as KiCad projects: schematics by function, and printed boards.
//!
//! Everything is worked out from the assembly, which says which net is on which pin of which component. The crate does no
//! I/O: files are names and text, and the same board gives the same ones.

mod circuit;
mod footprints;
mod format;
mod project;
mod schematic;
mod symbols;

use circuit::Circuit;
use footprints::Footprint;
use gray1_build::{Assembly, File};
use gray1_machine::board::Board;
use std::collections::BTreeMap;

/// The files of the folder `kicad`: a project for each board of an assembly, and what they share.
pub fn files(board: &Board, assembly: &Assembly) -> Vec<File> {
    let circuits = Circuit::all(board, assembly);
    let mut files = Vec::new();
    let mut add = |name: &str, text: String| {
        files.push(File { name: format!("kicad/{name}"), bytes: text.into_bytes() });
    };
    for circuit in &circuits {
        for (name, text) in schematic::files(circuit) {
            add(&name, text);
        }
        add(&format!("{}.kicad_pro", circuit.stem), project::text(circuit));
    }
    let parts = circuits.iter().flat_map(|circuit| circuit.parts.iter().map(move |part| (circuit, part)));
    let shapes = parts.filter_map(|(circuit, part)| footprints::of(circuit, part));
    let shapes: BTreeMap<String, Footprint> = shapes.map(|shape| (shape.name.clone(), shape)).collect();
    for (name, shape) in &shapes {
        add(&format!("gray1.pretty/{name}.kicad_mod"), shape.file());
    }
    add("fp-lib-table", footprints::library_table());
    add("gray1.kicad_sym", schematic::library(&circuits));
    add("sym-lib-table", schematic::library_table());
    files
}
