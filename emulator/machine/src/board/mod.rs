//! The board as data: which chips there are, what is burned into them, and which nets join them.
//!
//! `gray1.ron` beside this file is the wiring diagram of the reference machine; it is part of the program.
//! A [`Board`] is only ever made by [`Board::parse`], which checks it: who has a board has one where every
//! net is known and has one driver, and every chip fits its part.

mod check;
mod lines;
mod place;
mod timing;

pub use lines::Lines;
pub use place::BoardError;
pub use timing::{Timing, Transients};

use crate::burn::Burn;
use serde::Deserialize;
use std::collections::BTreeMap;

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

/// Where the state that a programmer knows, and the world outside, meet the board.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)] // the nets of the board are explained in the board file
pub struct Panel {
    pub oscillator: Lines,
    pub reset: Lines,
    pub pad_column: Lines,
    pub pad_row: Lines,
    pub keys: Lines,
    pub sequence: Lines,
    pub counter: Lines,
    pub word: Lines,
    pub target: Lines,
    pub accumulator: Lines,
    pub accumulator_master: Lines,
    pub carry: Lines,
    pub carry_master: Lines,
    pub jump_master: Lines,
    pub tick_master: Lines,
    /// The RAM chips that together hold a byte an address, the lowest bits first.
    pub memory: Vec<String>,
    pub port: Outlet,
    /// The rows of the display: eight green, then eight red, from the top.
    pub display: Vec<Outlet>,
}

/// A latch that shows a byte to the world.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outlet {
    /// What it shows.
    pub latch: Lines,
    /// The line that opens it.
    pub enable: Lines,
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

impl Panel {
    /// Every outlet, the output port first.
    pub fn outlets(&self) -> impl Iterator<Item = &Outlet> {
        std::iter::once(&self.port).chain(&self.display)
    }
}
