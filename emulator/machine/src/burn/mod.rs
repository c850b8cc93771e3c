//! The contents of each ROM of the machine: one function for each ROM.
//!
//! A function here runs once for every address when a board is built, and never again: its results are the table in
//! which the machine looks up. The signature of a function is the pinout of its chip: fields of address lines on the
//! left and of data lines on the right, lowest line first. Its documentation is what `gray1 chips NAME` shows.

mod alu;
mod contents;
mod control;
mod counter;
mod formulas;
mod latch;
mod outside;
mod written;

pub use contents::{Cells, Contents, Field, split, width};
pub use formulas::Formulas;
pub(crate) use formulas::LineNames;
pub(crate) use written::written;

use gray1_isa::Image;
use serde::Deserialize;

/// Defines the names that board files use for the contents of ROMs.
macro_rules! burns {
    ($($name:ident => $contents:expr,)*) => {
        /// The contents of a ROM in a board file.
        #[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
        #[allow(missing_docs)] // `contents` leads to the documentation of each
        pub enum Burn {
            /// Cells listed in the board file, from address 0 on.
            Cells(Vec<u8>),
            /// A formula in the board file for each data line.
            Formula(Formulas),
            $($name,)*
        }

        impl Burn {
            /// The documented contents, or `None` if the cells or formulas are in the board file.
            pub fn contents(&self) -> Option<&'static Contents> {
                match self {
                    Burn::Cells(_) | Burn::Formula(_) => None,
                    $(Burn::$name => Some(&$contents),)*
                }
            }
        }
    };
}

burns! {
    ProgramLow => PROGRAM_LOW,
    ProgramHigh => PROGRAM_HIGH,
    Sequencer => control::SEQUENCER,
    WriteDecoder => control::WRITE_DECODER,
    Flags => control::FLAGS,
    CounterLow => counter::COUNTER_LOW,
    CounterHigh => counter::COUNTER_HIGH,
    TargetLatch => latch::TARGET_LATCH,
    AluLow => alu::ALU_LOW,
    AluHigh => alu::ALU_HIGH,
    Mux => outside::MUX,
    Latch => latch::LATCH,
    InvertedLatch => latch::INVERTED_LATCH,
    GreenDecoder => outside::GREEN_DECODER,
    RedDecoder => outside::RED_DECODER,
    PortDecoder => outside::PORT_DECODER,
    KeyMux => outside::KEY_MUX,
}

impl Burn {
    /// The byte of the program words that it holds (0 is the low one), if it is a program chip.
    pub fn program_byte(&self) -> Option<usize> {
        match self.contents()?.cells {
            Cells::Program(byte) => Some(byte),
            Cells::Table(_) => None,
        }
    }

    /// The number of its last address and data lines that a board may leave unconnected; such address lines are tied low.
    /// Boards whose reset button is connected directly to the chips do not need RSTIN, RST and WEN.
    pub fn optional_lines(&self) -> (usize, usize) {
        match self {
            Burn::Sequencer => (2, 1),
            Burn::WriteDecoder => (0, 1),
            _ => (0, 0),
        }
    }

    /// The cells of a chip with this many address and data lines.
    pub fn wired(&self, address: usize, data: usize, image: &Image) -> Vec<u8> {
        let mut cells = self.table(image);
        cells.truncate(1 << address);
        cells.iter_mut().for_each(|cell| *cell &= u8::MAX >> (8 - data));
        cells
    }

    /// Burns the whole ROM: one byte for each address.
    fn table(&self, image: &Image) -> Vec<u8> {
        match (self, self.contents().map(|contents| contents.cells)) {
            (_, Some(Cells::Table(burn))) => burn(),
            (_, Some(Cells::Program(byte))) => image.to_proms()[byte].clone(),
            (Burn::Cells(cells), None) => cells.clone(),
            (Burn::Formula(formulas), None) => formulas.cells().to_vec(),
            (_, None) => Vec::new(),
        }
    }
}

const PROGRAM_LOW: Contents = Contents {
    about: "The lower bytes of the program, physically in Gray order: the word of sequence number i is at\n\
            address i ^ (i >> 1), where the counter points when it has counted to i.\n",
    address: &[("pc", 12)],
    data: &[("w", 8)],
    cells: Cells::Program(0),
};

const PROGRAM_HIGH: Contents = Contents {
    about: "The upper bytes of the program: the opcode, M, and the upper four bits of X. Its lower twin has\n\
            the same address lines.\n",
    address: &[("pc", 12)],
    data: &[("x_high", 4), ("m", 1), ("opcode", 3)],
    cells: Cells::Program(1),
};
