//! Compares a chip that was read back with its image, and finds single faults that explain all differences.
//!
//! A fault is a function from the image to the contents that are read. Every possible fault is tried on all cells, so a
//! cause is named only if it gives exactly the contents that were read. There may be several such causes.

use crate::sockets::{ADDRESS_LINES, SIZE, Socket};

/// The differences, and their explanations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The addresses of the cells that differ.
    pub different: Vec<u32>,
    /// The faults that give exactly the contents that were read.
    pub causes: Vec<Cause>,
}

/// One fault, of the chip or of how it was burned or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The chip has not been burned.
    Blank,
    /// Each bit is inverted.
    Inverted,
    /// The chip has the image of another socket (the first of those with this image).
    Socket(usize),
    /// An address line is stuck at a level.
    StuckAddress {
        /// The line.
        line: usize,
        /// The level.
        level: bool,
    },
    /// Two address lines are swapped.
    SwappedAddress(usize, usize),
    /// A data line is stuck at a level.
    StuckData {
        /// The line.
        line: usize,
        /// The level.
        level: bool,
    },
    /// Two data lines are swapped.
    SwappedData(usize, usize),
}

/// Compares all cells of the chip that was read from a socket with its image.
pub fn compare(sockets: &[Socket], socket: usize, dump: &[u8; SIZE]) -> Comparison {
    let image = &sockets[socket].image;
    let different = (0u32..).zip(image.iter().zip(dump)).filter(|(_, (burned, read))| burned != read);
    let different: Vec<u32> = different.map(|(address, _)| address).collect();
    let explains =
        |cause: &Cause| (0..SIZE).all(|address| cause.read(sockets, image, address) == dump[address]);
    let causes = match different.is_empty() {
        true => Vec::new(),
        false => Cause::all(sockets).filter(explains).collect(),
    };
    Comparison { different, causes }
}

impl Cause {
    /// All possible causes.
    fn all(sockets: &[Socket]) -> impl Iterator<Item = Cause> {
        let is_first =
            |&socket: &usize| sockets[..socket].iter().all(|other| other.image != sockets[socket].image);
        let others = (0..sockets.len()).filter(is_first).map(Cause::Socket);
        let stuck = |lines: usize| (0..lines).flat_map(|line| [false, true].map(|level| (line, level)));
        let pairs = |lines: usize| (0..lines).flat_map(move |high| (0..high).map(move |low| (low, high)));
        [Cause::Blank, Cause::Inverted]
            .into_iter()
            .chain(others)
            .chain(stuck(ADDRESS_LINES).map(|(line, level)| Cause::StuckAddress { line, level }))
            .chain(pairs(ADDRESS_LINES).map(|(low, high)| Cause::SwappedAddress(low, high)))
            .chain(stuck(8).map(|(line, level)| Cause::StuckData { line, level }))
            .chain(pairs(8).map(|(low, high)| Cause::SwappedData(low, high)))
    }

    /// The byte that is read from a chip with this image and this fault.
    pub fn read(self, sockets: &[Socket], image: &[u8], address: usize) -> u8 {
        match self {
            Cause::Blank => 0xFF,
            Cause::Inverted => !image[address],
            Cause::Socket(other) => sockets[other].image[address],
            Cause::StuckAddress { line, level } => image[stuck(address, line, level)],
            Cause::SwappedAddress(low, high) => image[swapped(address, low, high)],
            Cause::StuckData { line, level } => stuck(image[address].into(), line, level) as u8,
            Cause::SwappedData(low, high) => swapped(image[address].into(), low, high) as u8,
        }
    }

    /// The fault in words, for a chip of this socket.
    pub fn text(self, sockets: &[Socket], socket: &Socket) -> String {
        let net = |lines: &[String], letter, line: usize| match lines.get(line) {
            Some(net) => format!("{letter}{line} ({net})"),
            None => format!("{letter}{line} (not used)"),
        };
        let address = |line| net(&socket.address, 'A', line);
        let data = |line| net(&socket.data, 'D', line);
        match self {
            Cause::Blank => "as if it had not been burned: every cell is 0xff".to_owned(),
            Cause::Inverted => "as if every bit were inverted".to_owned(),
            Cause::Socket(other) => {
                let same = sockets.iter().filter(|socket| socket.image == sockets[other].image);
                let names: Vec<&str> = same.map(|socket| socket.name.as_str()).collect();
                format!("it is the chip of {}", names.join(" or "))
            }
            Cause::StuckAddress { line, level } => {
                format!("as if address line {} were stuck at {}", address(line), u8::from(level))
            }
            Cause::SwappedAddress(low, high) => {
                format!("as if address lines {} and {} were swapped", address(low), address(high))
            }
            Cause::StuckData { line, level } => {
                format!("as if data line {} were stuck at {}", data(line), u8::from(level))
            }
            Cause::SwappedData(low, high) => {
                format!("as if data lines {} and {} were swapped", data(low), data(high))
            }
        }
    }
}

/// A number with one of its bits stuck at a level.
fn stuck(number: usize, line: usize, level: bool) -> usize {
    number & !(1 << line) | usize::from(level) << line
}

/// A number with two bits swapped.
fn swapped(number: usize, low: usize, high: usize) -> usize {
    let differ = (number >> low ^ number >> high) & 1;
    number ^ (differ << low | differ << high)
}
