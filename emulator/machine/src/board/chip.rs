//! Parts, chips and nets as a board file lists them.

use super::lines::Lines;
use crate::burn::{Burn, Contents};
use serde::Deserialize;

/// A kind of memory chip that one can buy.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Part {
    /// A ROM.
    Rom {
        /// Address lines.
        address: usize,
        /// Data lines.
        data: usize,
        /// What it is.
        about: String,
    },
    /// A static RAM with separate data inputs and outputs.
    Ram {
        /// Address lines.
        address: usize,
        /// Data lines, in each direction.
        data: usize,
        /// What it is.
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

/// A memory chip on the board.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Chip {
    /// A ROM: a table.
    Rom {
        /// Its name on the board.
        name: String,
        /// The part it is.
        part: String,
        /// What it holds.
        burn: Burn,
        /// Its address lines, lowest first.
        address: Lines,
        /// Its data lines, lowest first.
        data: Lines,
    },
    /// A RAM. While it is written, its output follows its input.
    Ram {
        /// Its name on the board.
        name: String,
        /// The part it is.
        part: String,
        /// Its address lines, lowest first.
        address: Lines,
        /// Its data inputs, lowest first.
        input: Lines,
        /// Its write enable.
        write: Lines,
        /// Its data outputs, lowest first.
        data: Lines,
    },
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

    /// What is burned into it as the documentation has it; nothing for a RAM and for cells of one's own.
    pub fn contents(&self) -> Option<&'static Contents> {
        match self {
            Chip::Rom { burn, .. } => burn.contents(),
            Chip::Ram { .. } => None,
        }
    }

    /// The lines that it both drives and reads: its storage loop.
    pub fn feedback(&self) -> impl Iterator<Item = &String> {
        self.data().names().iter().filter(|net| self.reads().any(|read| read == *net))
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
