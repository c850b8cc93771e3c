//! Compares a chip that was read back with its image, and finds single faults that explain all differences.
//!
//! A fault is a function from the image to the contents that are read. Every possible fault is tried on all cells, so a
//! cause is named only if it gives exactly the contents that were read. There may be several such causes.

use crate::kit::sockets::{ADDRESS_LINES, SIZE, Socket};

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
    /// A line is stuck at a level.
    Stuck {
        /// The lines that it is one of.
        lines: Lines,
        /// The line.
        line: usize,
        /// The level.
        level: bool,
    },
    /// Two lines are swapped.
    Swapped(Lines, [usize; 2]),
}

/// The lines of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Lines {
    Address,
    Data,
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
        let of_lines =
            [(Lines::Address, ADDRESS_LINES), (Lines::Data, 8)].into_iter().flat_map(|(lines, count)| {
                let stuck = (0..count)
                    .flat_map(move |line| [false, true].map(|level| Cause::Stuck { lines, line, level }));
                let pairs = (0..count).flat_map(|high| (0..high).map(move |low| [low, high]));
                stuck.chain(pairs.map(move |pair| Cause::Swapped(lines, pair)))
            });
        [Cause::Blank, Cause::Inverted].into_iter().chain(others).chain(of_lines)
    }

    /// The byte that is read from a chip with this image and this fault.
    pub fn read(self, sockets: &[Socket], image: &[u8], address: usize) -> u8 {
        let faulty = |number: usize| match self {
            Cause::Stuck { line, level, .. } => number & !(1 << line) | usize::from(level) << line,
            Cause::Swapped(_, [low, high]) => {
                let differ = (number >> low ^ number >> high) & 1;
                number ^ (differ << low | differ << high)
            }
            _ => number,
        };
        match self {
            Cause::Blank => 0xFF,
            Cause::Inverted => !image[address],
            Cause::Socket(other) => sockets[other].image[address],
            Cause::Stuck { lines: Lines::Address, .. } | Cause::Swapped(Lines::Address, _) => {
                image[faulty(address)]
            }
            Cause::Stuck { .. } | Cause::Swapped(..) => faulty(image[address].into()) as u8,
        }
    }

    /// The fault in words, for a chip of this socket.
    pub fn text(self, sockets: &[Socket], socket: &Socket) -> String {
        let net = |lines: Lines, line: usize| {
            let (word, letter, nets) = match lines {
                Lines::Address => ("address", 'A', &socket.address),
                Lines::Data => ("data", 'D', &socket.data),
            };
            (word, format!("{letter}{line} ({})", nets.get(line).map_or("not used", String::as_str)))
        };
        match self {
            Cause::Blank => "as if it had not been burned: every cell is 0xff".to_owned(),
            Cause::Inverted => "as if every bit were inverted".to_owned(),
            Cause::Socket(other) => {
                let same = sockets.iter().filter(|socket| socket.image == sockets[other].image);
                let names: Vec<&str> = same.map(|socket| socket.name.as_str()).collect();
                format!("it is the chip of {}", names.join(" or "))
            }
            Cause::Stuck { lines, line, level } => {
                let (word, line) = net(lines, line);
                format!("as if {word} line {line} were stuck at {}", u8::from(level))
            }
            Cause::Swapped(lines, pair) => {
                let [(word, low), (_, high)] = pair.map(|line| net(lines, line));
                format!("as if {word} lines {low} and {high} were swapped")
            }
        }
    }
}
