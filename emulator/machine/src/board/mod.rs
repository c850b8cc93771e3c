//! The board as data: which chips there are, what is burned into them, and which nets join them.
//!
//! `gray1.ron` beside this file is the wiring diagram of the reference machine; it is part of the program.
//! A [`Board`] is only ever made by [`Board::parse`], which checks it: who has a board has one where every
//! net is known and has one driver, and every chip fits its part.

mod check;
mod lines;
mod panel;
mod place;
mod timing;

pub use lines::Lines;
pub use panel::{Outlet, Panel};
pub use place::BoardError;
pub use timing::{Timing, Transients};

use crate::burn::Burn;
use crate::netlist::Netlist;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A checked wiring diagram.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// What the board calls itself.
    pub name: String,
    /// The kinds of memory chip it is built from, by name.
    pub parts: BTreeMap<String, Part>,
    /// How these parts behave in time, where that is known: the timed engine needs it.
    #[serde(default)]
    pub timing: BTreeMap<String, Timing>,
    /// Lines driven by the world outside.
    pub inputs: Vec<Nets>,
    /// All other lines, with what they mean.
    pub nets: Vec<Nets>,
    /// The chips.
    pub chips: Vec<Chip>,
    /// Names for groups of lines, so that they can be read as one number.
    pub buses: BTreeMap<String, Lines>,
    /// Where programmers and the world outside meet the board.
    pub panel: Panel,
    #[serde(skip)]
    netlist: OnceLock<Arc<Netlist>>,
}

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

impl Board {
    /// The reference machine.
    pub fn gray1() -> Board {
        match Board::parse(include_str!("gray1.ron"), "gray1.ron") {
            Ok(board) => board,
            Err(error) => panic!("the built-in board is faulty: {error}"), // a test parses it
        }
    }

    /// Reads and checks a board file; `file` is its name in error messages.
    pub fn parse(source: &str, file: &str) -> Result<Board, BoardError> {
        let board: Board = ron::Options::default()
            .with_recursion_limit(32)
            .from_str(source)
            .map_err(|error| BoardError::syntax(file, &error))?;
        check::check(&board).and_then(|()| timing::check(&board)).map_err(|fault| fault.at(source, file))?;
        Ok(board)
    }

    /// The board by number, with its ROMs burned: made when it is first asked for, and shared from then on.
    pub fn netlist(&self) -> &Arc<Netlist> {
        self.netlist.get_or_init(|| Arc::new(Netlist::new(self)))
    }

    /// The chip of a name; capital or small letters do not matter.
    pub fn chip(&self, name: &str) -> Option<&Chip> {
        self.chips.iter().find(|chip| chip.name().eq_ignore_ascii_case(name))
    }
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
