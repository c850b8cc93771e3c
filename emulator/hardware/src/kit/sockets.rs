//! The ROM sockets of a board, and the image that is burned into the chip of each.
//!
//! All sockets take the same part, so that only one kind has to be bought. Unused address pins of a socket are tied
//! low. The table is nevertheless repeated until the chip is full, so that a floating pin does no harm.

use crate::kit::assembly::{Assembly, Buffer};
use gray1_isa::Image;
use gray1_machine::board::{Board, Chip};
use gray1_machine::burn::{Contents, split};
use thiserror::Error;

/// The part in every ROM socket: flash memory, 128 K x 8, 70 ns.
pub const PART: &str = "SST39SF010A-70";
/// The name of this part for `minipro`.
pub(crate) const PROGRAMMER_PART: &str = "SST39SF010A";
/// Address lines of the part.
pub(crate) const ADDRESS_LINES: usize = 17;
/// Bytes of the part.
pub const SIZE: usize = 1 << ADDRESS_LINES;
/// Maximum length of a name, so that it fits on a label.
const MAX_NAME_LENGTH: usize = 16;

/// A socket for a ROM.
#[derive(Clone)]
pub struct Socket {
    /// The name of the chip on the board.
    pub name: String,
    /// The kind of table that is burned into its chip, in a word.
    pub holds: String,
    /// The nets on its address lines, lowest first.
    pub address: Vec<String>,
    /// The nets on its data lines, lowest first.
    pub data: Vec<String>,
    /// All cells of the part.
    pub image: Vec<u8>,
    /// Whether it holds a part of the program.
    pub is_program: bool,
    /// Whether it is on a circuit board that is built.
    pub is_built: bool,
    contents: Option<&'static Contents>,
}

/// Why a chip of a board cannot be burned.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SocketError {
    /// The name cannot be the name of a file.
    #[error(
        "chip {0:?}: files and labels are named after chips; use up to {MAX_NAME_LENGTH} letters, digits and `_` in the board \
         file"
    )]
    Name(String),
    /// Two names would be the same file on systems that ignore case.
    #[error(
        "chips {0} and {1}: their files would have the same name where capital letters do not matter; rename one"
    )]
    Alike(String, String),
    /// The table is larger than the part.
    #[error("chip {name}: {lines} address lines; an {PART} has {ADDRESS_LINES}")]
    TooLarge {
        /// The chip.
        name: String,
        /// Its address lines.
        lines: usize,
    },
}

/// The ROM sockets of a board, in the order of the board file; then the sockets of the buffers beside RAM.
pub fn sockets(board: &Board, program: &Image) -> Result<Vec<Socket>, SocketError> {
    let mut sockets: Vec<Socket> = Vec::new();
    for chip in &board.chips {
        let name = chip.name();
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if name.is_empty() || name.len() > MAX_NAME_LENGTH || !is_plain {
            return Err(SocketError::Name(name.to_owned()));
        }
        let Chip::Rom { burn, address, data, .. } = chip else { continue };
        if let Some(other) = sockets.iter().find(|other| other.name.eq_ignore_ascii_case(name)) {
            return Err(SocketError::Alike(other.name.clone(), name.to_owned()));
        }
        if address.len() > ADDRESS_LINES {
            return Err(SocketError::TooLarge { name: name.to_owned(), lines: address.len() });
        }
        sockets.push(Socket {
            name: name.to_owned(),
            holds: chip.burned(),
            address: address.names().to_vec(),
            data: data.names().to_vec(),
            image: burn.wired(address.len(), data.len(), program).repeat(SIZE >> address.len()),
            is_program: burn.program_byte().is_some(),
            is_built: !board.hardware.as_ref().is_some_and(|hardware| hardware.leaves_out(name)),
            contents: burn.contents(),
        });
    }
    let buffers = Assembly::new(board).map(|assembly| assembly.buffers).unwrap_or_default();
    sockets.extend(buffers.into_iter().map(|Buffer { reference, nets: [address, data], .. }| Socket {
        name: reference,
        holds: "Buffer".to_owned(),
        address,
        data,
        image: (0..SIZE).map(|address| address as u8).collect(),
        is_program: false,
        is_built: true,
        contents: None,
    }));
    Ok(sockets)
}

impl Socket {
    /// The number of cells that its address lines select.
    pub fn cells(&self) -> usize {
        1 << self.address.len()
    }

    /// The fields of an address, the highest first: `load=0 tg=000011 …`. Empty for a modified table.
    pub fn fields(&self, address: u32) -> String {
        let Some(contents) = self.contents else { return String::new() };
        let fields =
            contents.address.iter().zip(split(contents.address, address % self.cells() as u32)).rev();
        let fields =
            fields.map(|((name, width), value)| format!("{name}={value:0width$b}", width = *width as usize));
        fields.collect::<Vec<_>>().join(" ")
    }

    /// The nets of the data lines in the mask.
    pub fn data_lines(&self, mask: u8) -> String {
        let lines = (0..8).filter(|line| mask >> line & 1 == 1);
        let name = |line| self.data.get(line).cloned().unwrap_or_else(|| format!("D{line}"));
        lines.map(name).collect::<Vec<_>>().join(" ")
    }

    /// The address pins that are tied low.
    pub(crate) fn tied_low(&self) -> String {
        match ADDRESS_LINES - self.address.len() {
            0 => "none".to_owned(),
            1 => format!("A{}", ADDRESS_LINES - 1),
            _ => format!("A{} to A{}", self.address.len(), ADDRESS_LINES - 1),
        }
    }
}
