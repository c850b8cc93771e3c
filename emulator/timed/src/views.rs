//! The address that each data line of each chip sees, if every path from an address line to a data line has its own
//! delay.
//!
//! Then the data lines of a chip are looked up separately, and for a short time they may see different levels of an
//! address line. A path ends at the lookup of the data line. The delay of the output comes after it, is the same for
//! all paths to that line, and is handled by `flow`.

use gray1_machine::netlist::{Chip, ChipId, NetId, Netlist};
use std::ops::Range;

/// The delays of all paths, and the addresses that the data lines see.
pub struct Views {
    paths: Vec<Path>,
    /// For each chip, the paths that begin at each of its address lines.
    from: Vec<Vec<Range<usize>>>,
    /// For each net, the address that its data line sees.
    addresses: Vec<u32>,
}

/// The paths from an address line of a chip to those of its data lines that see a change after the same time.
struct Path {
    chip: ChipId,
    /// The address line and the data lines, as masks.
    line: u32,
    bits: u8,
    /// The net on the chip's lowest data line.
    first: NetId,
    delay: u64,
}

/// Data lines of a chip that see a change of an address line at the same time.
pub struct Sight {
    pub chip: ChipId,
    /// The data lines, as a mask.
    pub bits: u8,
}

impl Views {
    /// The paths of a board with these delays, in picoseconds. There is no path if by the table the data line does not
    /// depend on the address line: `moves` has the data lines that each line of each chip can change.
    pub fn new(netlist: &Netlist, moves: &[Vec<u8>], delay: impl Fn(ChipId, (NetId, NetId)) -> u64) -> Views {
        let mut paths: Vec<Path> = Vec::new();
        let mut from = Vec::new();
        for (id, chip) in netlist.chips.iter().enumerate() {
            let mut begin = |line: usize| {
                let first = paths.len();
                for (bit, &to) in
                    chip.data.iter().enumerate().filter(|(bit, _)| moves[id][line] >> bit & 1 == 1)
                {
                    let delay = delay(id, (chip.reads[line], to));
                    match paths[first..].iter_mut().find(|path| path.delay == delay) {
                        Some(path) => path.bits |= 1 << bit,
                        None => paths.push(Path {
                            chip: id,
                            line: 1 << line,
                            bits: 1 << bit,
                            first: chip.data[0],
                            delay,
                        }),
                    }
                }
                first..paths.len()
            };
            from.push((0..chip.reads.len()).map(&mut begin).collect());
        }
        Views { paths, from, addresses: vec![0; netlist.nets.len()] }
    }

    /// The longest delay of all.
    pub fn longest_of_all(&self) -> u64 {
        self.paths.iter().map(|path| path.delay).max().unwrap_or(0)
    }

    /// The longest delay of a path to a data line of a chip.
    pub fn longest(&self, chip: ChipId, bit: usize) -> u64 {
        let paths = self.paths.iter().filter(|path| path.chip == chip && path.bits >> bit & 1 == 1);
        paths.map(|path| path.delay).max().unwrap_or(0)
    }

    /// The address that the data line of a net sees.
    #[inline]
    pub fn address(&self, net: NetId) -> u32 {
        self.addresses[net]
    }

    /// Every data line sees the current address of its chip.
    pub fn settle(&mut self, chips: &[Chip], address: impl Fn(ChipId) -> u32) {
        for (id, chip) in chips.iter().enumerate() {
            for &net in &chip.data {
                self.addresses[net] = address(id);
            }
        }
    }

    /// An address line changes: returns for each path its index and the time until its data lines see the change.
    pub fn depart(&self, chip: ChipId, line: u32) -> impl Iterator<Item = (usize, u64)> {
        let paths = self.from[chip][line.trailing_zeros() as usize].clone();
        paths.map(|index| (index, self.paths[index].delay))
    }

    /// A change on a path has arrived at its data lines.
    pub fn arrive(&mut self, index: usize) -> Sight {
        let path = &self.paths[index];
        for bit in ones(path.bits) {
            self.addresses[path.first + bit] ^= path.line;
        }
        Sight { chip: path.chip, bits: path.bits }
    }
}

/// The positions of the ones in a mask, the lowest first.
#[inline(always)]
pub fn ones(mut mask: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            place
        })
    })
}
