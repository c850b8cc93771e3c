//! The project of a board: what its rules are.

use crate::circuit::Circuit;

/// The file.
pub fn text(circuit: &Circuit<'_>) -> String {
    format!("{{\n  \"meta\": {{ \"filename\": \"{}.kicad_pro\", \"version\": 3 }}\n}}\n", circuit.stem)
}
