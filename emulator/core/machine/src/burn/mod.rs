//! What is burned into each ROM of the machine: one function for each ROM.
//!
//! A function here runs once for every address when a board is built, and never again: its results are the table in
//! which the machine looks up. The signature of a function is the pinout of its chip: fields of address lines on the
//! left and of data lines on the right, lowest line first. Its documentation is what `gray1 chips NAME` shows.

mod alu;
mod control;
mod counter;
mod formulas;
mod latch;
mod outside;
mod written;

pub use formulas::Formulas;
pub(crate) use formulas::Named;
pub(crate) use written::written;

use gray1_isa::Image;
use serde::Deserialize;

/// The name and the width of a group of address or data lines, as the burned function sees them.
pub type Field = (&'static str, u32);

/// What is burned into a kind of ROM.
pub struct Contents {
    /// What the chip is for and how its table works.
    pub about: &'static str,
    /// The address lines, lowest first.
    pub address: &'static [Field],
    /// The data lines, lowest first.
    pub data: &'static [Field],
    /// Where the value of a cell comes from.
    pub cells: Cells,
}

/// Where the cells of a ROM get their values.
#[derive(Clone, Copy)]
pub enum Cells {
    /// A function that is evaluated for every address.
    Table(fn() -> Vec<u8>),
    /// One byte of each word of the program image, 0 the low one; the address is a Gray code.
    Program(usize),
}

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
    /// Which byte of the program words it holds (0 is the low one), if it is a program chip.
    pub fn program_byte(&self) -> Option<usize> {
        match self.contents()?.cells {
            Cells::Program(byte) => Some(byte),
            Cells::Table(_) => None,
        }
    }

    /// How many of its last address and data lines a board may leave unconnected; such address lines are tied low.
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

/// The number of lines of a list of fields.
pub fn width(fields: &[Field]) -> u32 {
    fields.iter().map(|&(_, lines)| lines).sum()
}

/// Splits an address (or a data byte) into its fields.
pub fn split(fields: &[Field], mut lines: u32) -> Vec<u32> {
    fields
        .iter()
        .map(|&(_, width)| {
            let field = lines & ((1 << width) - 1);
            lines >>= width;
            field
        })
        .collect()
}

/// Declares a ROM: its documentation, its pinout and the function that is burned into it.
///
/// The function sees each address field as a number and returns each data field as one.
macro_rules! rom {
    ($(#[doc = $about:literal])* $name:ident($($pin:ident: $width:literal),*) ->
        ($($out:ident: $out_width:literal),*) $body:block) => {
        $(#[doc = $about])*
        pub(super) const $name: $crate::burn::Contents = $crate::burn::Contents {
            about: concat!($($about, "\n"),*),
            address: &[$((stringify!($pin), $width)),*],
            data: &[$((stringify!($out), $out_width)),*],
            cells: $crate::burn::Cells::Table({
                #[allow(unused_assignments)] // the last shift of either list
                fn cell(mut address: u32) -> u8 {
                    $(let $pin = address & ((1u32 << $width) - 1); address >>= $width;)*
                    let ($($out),*,) = $body;
                    let (mut data, mut shift) = (0, 0);
                    $(
                        let field: u32 = $out.into();
                        data |= (field & ((1u32 << $out_width) - 1)) << shift;
                        shift += $out_width;
                    )*
                    data as u8
                }
                || (0..1u32 << (0 $(+ $width)*)).map(cell).collect()
            }),
        };
    };
}
use rom;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_split_lowest_line_first() {
        assert_eq!(split(&[("a", 3), ("b", 1), ("c", 4)], 0xAE), [0b110, 1, 0b1010]);
    }
}
