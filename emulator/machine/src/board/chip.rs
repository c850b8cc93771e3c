//! Parts, chips and nets as they are listed in a board file.

use super::lines::Lines;
use crate::burn::{Burn, Contents};
use serde::Deserialize;

/// A kind of memory chip, with its number of lines and a description.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub enum Part {
    Rom {
        address: usize,
        data: usize,
        about: String,
    },
    /// A static RAM with separate data inputs and outputs, in equal numbers.
    Ram {
        address: usize,
        data: usize,
        about: String,
    },
}

/// A group of lines with a description.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Nets {
    /// The lines.
    pub nets: Lines,
    /// Their description.
    pub about: String,
}

/// A memory chip on the board: its name, its part, and the nets on its lines, lowest first.
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

    /// The name of its part.
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

    /// Its contents in one word.
    pub fn burned(&self) -> String {
        match self {
            Chip::Rom { burn: Burn::Cells(_), .. } => "own cells".to_owned(),
            Chip::Rom { burn: Burn::Formula(_), .. } => "own formulas".to_owned(),
            Chip::Rom { burn, .. } => format!("{burn:?}"),
            Chip::Ram { .. } => "(RAM)".to_owned(),
        }
    }

    /// Its documented contents; `None` for a RAM, and for a ROM whose cells or formulas are in the board file.
    pub fn contents(&self) -> Option<&'static Contents> {
        match self {
            Chip::Rom { burn, .. } => burn.contents(),
            Chip::Ram { .. } => None,
        }
    }

    /// A description of its contents: what is burned into it and why, and how the table works.
    pub fn about(&self) -> String {
        match self {
            Chip::Rom { burn: Burn::Formula(formulas), .. } => {
                let lines = formulas.texts().iter().map(|text| format!("  {text}\n"));
                "Its formulas in the board file:\n".to_owned() + &lines.collect::<String>()
            }
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
    /// Its description, and its number of address and data lines.
    pub fn about(&self) -> (&str, usize, usize) {
        match self {
            Part::Rom { address, data, about } | Part::Ram { address, data, about } => {
                (about, *address, *data)
            }
        }
    }
}
