//! The bench: boards without a CPU, as they are built and as they run.

use serde::{Deserialize, Serialize};

/// A change to the text of a board. Chips are numbered in the order of the text.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Rework {
    /// A chip more, with one line on each side.
    Add,
    /// A chip less.
    Remove {
        /// The chip.
        chip: usize,
    },
    /// Another name, and other nets on its lines.
    Chip {
        /// The chip.
        chip: usize,
        /// Its name.
        name: String,
        /// The nets on its address lines, as a board file writes them.
        address: String,
        /// The nets on its data lines.
        data: String,
    },
    /// Another net on a line. What reads a data line follows it.
    Wire {
        /// The chip.
        chip: usize,
        /// Whether it is a data line.
        is_data: bool,
        /// The line, from 0; behind the last, it is a new one.
        line: usize,
        /// The net; without a name, the line is taken away.
        net: String,
    },
    /// Other formulas.
    Formulas {
        /// The chip.
        chip: usize,
        /// A formula for each data line, or for several.
        formulas: Vec<String>,
    },
    /// The other level in a cell.
    Flip {
        /// The chip.
        chip: usize,
        /// The address of the cell.
        address: usize,
        /// The data line.
        line: usize,
    },
}

/// A board without a CPU, at rest.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Bench {
    /// The error in its text; then nothing has a level, and without chips its syntax is wrong.
    pub fault: Option<String>,
    /// The line of the text where that is, from 1.
    pub line: usize,
    /// The nets that keep changing, if it does not come to rest.
    pub restless: Option<String>,
    /// The nets that are set.
    pub switches: Vec<String>,
    /// The nets that are observed.
    pub lamps: Vec<String>,
    /// The chips, in the order of the text.
    pub chips: Vec<BenchChip>,
    /// The level of each net.
    pub levels: Vec<(String, bool)>,
    /// The truth table: the lamps if the switches were set from here, all at once, for each number that they can form;
    /// empty if the board would not come to rest. Nothing if there are more than eight switches.
    pub truth: Vec<String>,
}

/// A chip of a board without a CPU.
#[derive(Clone, Debug, Serialize)]
pub struct BenchChip {
    /// Its name.
    pub name: String,
    /// Its part.
    pub part: String,
    /// The nets on its address lines, lowest first.
    pub address: Vec<String>,
    /// The nets on its data lines, lowest first.
    pub data: Vec<String>,
    /// The same as the text writes them.
    pub written: (String, String),
    /// Its contents as formulas, if they are short.
    pub formulas: Vec<String>,
    /// The address that it looks up now.
    pub at: Option<usize>,
    /// The address of the first of `cells`.
    pub first: usize,
    /// Its cells, at most 256 of them, around the one that it looks up.
    pub cells: Vec<u8>,
}
