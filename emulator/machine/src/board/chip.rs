//! Parts, chips and nets as a board file lists them.

use super::lines::Lines;
use crate::burn::{Burn, Contents};
use serde::Deserialize;

/// A kind of memory chip that one can buy: how many lines it has, and what it is.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Part {
    Rom {
        address: usize,
        data: usize,
        about: String,
    },
    /// A static RAM with separate data inputs and outputs, as many of each.
    Ram {
        address: usize,
        data: usize,
        about: String,
    },
}

/// Lines with a meaning.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nets {
    /// The lines.
    pub nets: Lines,
    /// What they mean.
    pub about: String,
}

/// A memory chip on the board: its name, the part it is, and the nets on its lines, lowest first.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Chip {
    /// A ROM: a table.
    Rom { name: String, part: String, burn: Burn, address: Lines, data: Lines },
    /// A RAM. While it is written, its output follows its input.
    Ram { name: String, part: String, address: Lines, input: Lines, write: Lines, data: Lines },
}

impl Chip {
    /// Its name on the board.
    pub fn name(&self) -> &str {
        match self {
            Chip::Rom { name, .. } | Chip::Ram { name, .. } => name,
        }
    }

    /// The name of the part it is.
    pub fn part(&self) -> &str {
        match self {
            Chip::Rom { part, .. } | Chip::Ram { part, .. } => part,
        }
    }

    /// Its address lines, lowest first.
    pub fn address(&self) -> &Lines {
        match self {
            Chip::Rom { address, .. } | Chip::Ram { address, .. } => address,
        }
    }

    /// The lines it drives, lowest first.
    pub fn data(&self) -> &Lines {
        match self {
            Chip::Rom { data, .. } | Chip::Ram { data, .. } => data,
        }
    }

    /// All lines that it reads: address lines, and a RAM's data inputs and write enable after them.
    pub fn reads(&self) -> impl Iterator<Item = &String> {
        let (input, write) = match self {
            Chip::Rom { .. } => (&[][..], &[][..]),
            Chip::Ram { input, write, .. } => (input.names(), write.names()),
        };
        self.address().names().iter().chain(input).chain(write)
    }

    /// What it holds, in a word.
    pub fn burned(&self) -> String {
        match self {
            Chip::Rom { burn: Burn::Cells(_), .. } => "own cells".to_owned(),
            Chip::Rom { burn, .. } => format!("{burn:?}"),
            Chip::Ram { .. } => "(RAM)".to_owned(),
        }
    }

    /// What is burned into it, as documented; `None` for a RAM and for cells that the board file writes out.
    pub fn contents(&self) -> Option<&'static Contents> {
        match self {
            Chip::Rom { burn, .. } => burn.contents(),
            Chip::Ram { .. } => None,
        }
    }

    /// What is burned into it, why, and how the table does the job, line by line.
    pub fn about(&self) -> String {
        match self {
            Chip::Rom { .. } => match self.contents() {
                Some(contents) => contents.about.lines().map(|line| format!("{}\n", line.trim())).collect(),
                None => "Its cells are written out in the board file.\n".to_owned(),
            },
            Chip::Ram { .. } => {
                "It gives the cell at its address. While it is written, the cell takes the data input, \
                                 and the output follows.\n"
                    .to_owned()
            }
        }
    }
}

impl Part {
    /// What it is, and how many address and data lines it has.
    pub fn about(&self) -> (&str, usize, usize) {
        match self {
            Part::Rom { address, data, about } | Part::Ram { address, data, about } => {
                (about, *address, *data)
            }
        }
    }
}
