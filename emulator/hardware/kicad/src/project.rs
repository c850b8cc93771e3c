//! The project file of a board, with its design rules.

use crate::circuit::Circuit;

/// The file.
pub fn text(circuit: &Circuit<'_>) -> String {
    format!("{{\n  \"meta\": {{ \"filename\": \"{}.kicad_pro\", \"version\": 3 }}\n}}\n", circuit.stem)
}
