//! The netlist packed for speed: each level is a bit in a small array, and each chip is a table in one array of cells.
//!
//! A *bank* is a group of inputs, a chip, or several chips that share all their address lines (the two program chips,
//! the two RAM chips). Those are looked up together, in one table that combines their cells. The levels of the board
//! are an array with one number for each bank, and a set of banks is a bit set in one machine word.

use crate::board::Panel;
use crate::board::netlist::{ChipId, Holds, NetId, Netlist};
use crate::wires::{Bit, Data, Levels, Port, Wire, gather, wires};
use gray1_isa::Image;
use gray1_isa::memory_map::RAM_BYTES;
use std::collections::HashMap;

/// The maximum number of banks of a board, which the checks of the board file enforce.
pub const BANKS: usize = 64;

/// A board packed into banks.
pub struct Pack {
    /// Groups of inputs first, then chips, in the order in which a change propagates.
    pub banks: Vec<Bank>,
    /// The number of banks that are groups of inputs.
    pub inputs: usize,
    /// The position of each net.
    pub nets: Vec<Bit>,
    /// The position of each chip's lowest data line.
    pub chips: Vec<Bit>,
    /// The index of the first cell of RAM. The cells before it never change while a program runs.
    pub ram: usize,
    /// The registers, RAM, display, port and inputs.
    pub panel: Panel<Port, Bits>,
    pub(crate) opcode: Port,
    /// The bits that open an outlet, by bank.
    pub(crate) strobes: Vec<(usize, Data)>,
    /// The bit that opens each outlet.
    pub(crate) enables: Vec<Bit>,
}

/// The bits of a byte that a RAM chip holds: where its cells begin, and the position of its bits in a cell.
#[allow(missing_docs)]
pub struct Bits {
    pub offset: usize,
    pub bit: u32,
    pub count: usize,
}

/// Chips that are looked up together; or a group of inputs, which has no chips, no lines and no cells.
#[derive(Default)]
pub struct Bank {
    /// The chips, whose data follow each other.
    pub chips: Vec<ChipId>,
    /// The index of its first cell.
    pub offset: usize,
    /// The nets on its address lines; for a RAM, the nets on data inputs and the write line follow.
    pub reads: Vec<NetId>,
    /// For a RAM, the number of lines that select a cell; for a ROM all lines do.
    pub ram_address: Option<usize>,
    /// The lines, grouped into as few wires as possible.
    pub wires: Vec<Wire>,
    /// For each bit of its data, the banks that read it.
    pub readers: Readers,
}

/// For each bit of a bank's data, the banks to look up when it changes.
pub type Readers = [u64; Data::BITS as usize];

impl Pack {
    /// Packs a netlist with this program in its program chips. Also returns the cells of all chips, one table after the
    /// other, RAM last.
    pub fn new(netlist: &Netlist, image: &Image) -> (Pack, Vec<Data>) {
        Pack::of(netlist, image, side_by_side(netlist))
    }

    /// Packs a netlist with these chips in each bank, which have to share their address lines.
    pub fn of(netlist: &Netlist, image: &Image, together: Vec<Vec<ChipId>>) -> (Pack, Vec<Data>) {
        let nowhere = Bit { bank: 0, bit: 0 };
        let (mut nets, mut chips) = (vec![nowhere; netlist.nets.len()], vec![nowhere; netlist.chips.len()]);
        let mut banks: Vec<Bank> = Vec::new();
        for group in &netlist.inputs {
            for (bit, net) in (0..).zip(group.clone()) {
                nets[net] = Bit { bank: banks.len(), bit };
            }
            banks.push(Bank::default());
        }
        for group in together {
            let mut bit = 0;
            for &chip in &group {
                chips[chip] = Bit { bank: banks.len(), bit };
                for &net in &netlist.chips[chip].data {
                    nets[net] = Bit { bank: banks.len(), bit };
                    bit += 1;
                }
            }
            banks.push(Bank::of(netlist, group));
        }
        let inputs = netlist.inputs.len();
        for bank in inputs..banks.len() {
            let lines: Vec<Bit> = banks[bank].reads.iter().map(|&net| nets[net]).collect();
            for line in &lines {
                banks[line.bank].readers[line.bit as usize] |= 1 << bank;
            }
            banks[bank].wires = wires(&lines);
        }
        let (cells, ram) = fill(&mut banks, netlist, image, &chips);

        let port = |lines: &Vec<NetId>| Port::new(lines.iter().map(|&net| nets[net]).collect());
        let panel = netlist.panel.map(port, |&chip| Bits {
            offset: banks[chips[chip].bank].offset,
            bit: chips[chip].bit,
            count: netlist.chips[chip].data.len(),
        });
        // A board without a CPU has no opcode and no outlets.
        let opcode = Port::new(panel.word.bits().iter().skip(13).copied().collect());
        let mut strobes: Vec<(usize, Data)> = Vec::new();
        let enables: Vec<Bit> =
            panel.outlets().filter_map(|outlet| outlet.enable.bits().first().copied()).collect();
        for bit in &enables {
            match strobes.iter_mut().find(|(bank, _)| *bank == bit.bank) {
                Some((_, bits)) => *bits |= 1 << bit.bit,
                None => strobes.push((bit.bank, 1 << bit.bit)),
            }
        }
        (Pack { banks, inputs, nets, chips, ram, panel, opcode, strobes, enables }, cells)
    }

    /// The port of these nets.
    pub fn port(&self, nets: &[NetId]) -> Port {
        Port::new(nets.iter().map(|&net| self.nets[net]).collect())
    }

    /// Fills the cells of RAM, which begin at `ram` among all cells.
    pub fn fill_ram(&self, cells: &mut [Data], bytes: &[u8; RAM_BYTES]) {
        let mut shift = 0;
        for &Bits { offset, bit, count } in &self.panel.memory {
            let mask: Data = (1 << count) - 1;
            for (cell, &byte) in cells[offset - self.ram..].iter_mut().zip(bytes) {
                *cell = *cell & !(mask << bit) | (Data::from(byte) >> shift & mask) << bit;
            }
            shift += count;
        }
    }

    /// All banks that are chips, as a set.
    pub fn all_chips(&self) -> u64 {
        (self.inputs..self.banks.len()).map(|bank| 1 << bank).sum()
    }

    /// The names of the chips of a set of banks.
    pub(crate) fn names_of(&self, netlist: &Netlist, set: u64) -> Vec<String> {
        let banks = self.banks.iter().enumerate().filter(|(bank, _)| set >> bank & 1 == 1);
        banks.flat_map(|(_, bank)| bank.chips.iter().map(|&chip| netlist.chips[chip].name.clone())).collect()
    }

    /// The banks that read a bit, as a set.
    pub fn readers(&self, bit: Bit) -> u64 {
        self.banks[bit.bank].readers[bit.bit as usize]
    }
}

/// Concatenates the cells of all banks; banks with the same contents share them. Also returns where RAM begins.
fn fill(banks: &mut [Bank], netlist: &Netlist, image: &Image, chips: &[Bit]) -> (Vec<Data>, usize) {
    let mut cells: Vec<Data> = Vec::new();
    let mut filled: HashMap<Vec<Holds>, usize> = HashMap::new();
    let proms = image.to_proms();
    for bank in banks.iter_mut().filter(|bank| !bank.chips.is_empty() && bank.ram_address.is_none()) {
        let holds = bank.chips.iter().map(|&chip| netlist.chips[chip].holds).collect();
        bank.offset = *filled.entry(holds).or_insert_with_key(|holds| {
            let offset = cells.len();
            cells.resize(offset + (1 << bank.reads.len()), 0);
            for (&chip, holds) in bank.chips.iter().zip(holds) {
                let table = match *holds {
                    Holds::Table(table) => &netlist.tables[table],
                    Holds::Program { byte } => &proms[byte],
                    Holds::Ram { .. } => continue,
                };
                put_table(&mut cells[offset..], table, chips[chip].bit);
            }
            offset
        });
    }
    let ram = cells.len();
    for bank in banks {
        if let Some(address) = bank.ram_address {
            bank.offset = cells.len();
            cells.resize(cells.len() + (1 << address), 0);
        }
    }
    (cells, ram)
}

/// Writes the bytes of a chip into the cells of its bank.
pub(crate) fn put_table(cells: &mut [Data], table: &[u8], bit: u32) {
    for (cell, byte) in cells.iter_mut().zip(table) {
        *cell = *cell & !(0xFF << bit) | Data::from(*byte) << bit;
    }
}

impl Bank {
    /// A bank of these chips, whose wires are not set yet.
    fn of(netlist: &Netlist, chips: Vec<ChipId>) -> Bank {
        let first = &netlist.chips[chips[0]];
        let mut bank = Bank { reads: first.address().to_vec(), ..Bank::default() };
        if let Holds::Ram { address } = first.holds {
            bank.ram_address = Some(address);
            for &chip in &chips {
                let reads = &netlist.chips[chip].reads;
                bank.reads.extend(&reads[address..reads.len() - 1]);
            }
            bank.reads.extend(first.reads.last());
        }
        bank.chips = chips;
        bank
    }

    /// The number on its lines: the address, and for a RAM the data inputs and the write line above it.
    #[inline(always)]
    pub fn address(&self, levels: &Levels) -> u32 {
        gather(&self.wires, levels)
    }
}

/// The chips in the order in which a change propagates. Those that share all their address lines are in one group, if
/// their data lines fit one number.
fn side_by_side(netlist: &Netlist) -> Vec<Vec<ChipId>> {
    let mut groups: Vec<Vec<ChipId>> = Vec::new();
    for id in netlist.travel_order() {
        let chip = &netlist.chips[id];
        let is_ram = chip.is_ram();
        let shares = |other: ChipId| {
            let other = &netlist.chips[other];
            other.is_ram() == is_ram
                && other.address() == chip.address()
                && (!is_ram || other.reads.last() == chip.reads.last())
        };
        let width = |group: &[ChipId]| group.iter().map(|&id| netlist.chips[id].data.len()).sum::<usize>();
        let fits =
            |group: &Vec<ChipId>| shares(group[0]) && width(group) + chip.data.len() <= Data::BITS as usize;
        match groups.iter_mut().find(|group| fits(group)) {
            Some(group) => group.push(id),
            None => groups.push(vec![id]),
        }
    }
    // In the order of the board file, which lists the low bits of a bus first, a bus needs only one wire.
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;

    fn packed(test: impl Fn(&Netlist, &Pack)) {
        let board = Board::gray1();
        test(board.netlist(), &Pack::new(board.netlist(), &Image::blank()).0);
    }

    #[test]
    fn a_change_travels_forwards() {
        packed(|netlist, pack| {
            for path in [
                ["SEQ", "FLAGS", "PCL", "PROGL"],
                ["PROGL", "RAML", "DMUX", "XMUX"],
                ["PROGH", "XMUX", "ALUL", "ALUH"],
            ] {
                assert!(
                    path.is_sorted_by_key(|name| pack.chips[netlist.chip(name).unwrap()].bank),
                    "{path:?}"
                );
            }
        });
    }

    #[test]
    fn chips_with_the_same_address_lines_stand_side_by_side() {
        packed(|netlist, pack| {
            let together = |name| {
                let bank = pack.chips[netlist.chip(name).unwrap()].bank;
                let chips = pack.banks[bank].chips.iter();
                chips.map(|&chip| (&*netlist.chips[chip].name, pack.chips[chip].bit)).collect::<Vec<_>>()
            };
            assert_eq!(together("RAMH"), [("RAML", 0), ("RAMH", 4)]);
            assert_eq!(together("PROGL"), [("PROGL", 0), ("PROGH", 8)]);
            assert_eq!(together("TGL"), [("TGL", 0)]);
            assert_eq!(pack.banks.iter().map(|bank| bank.chips.len()).sum::<usize>(), 39);
        });
    }

    #[test]
    fn neighbours_share_a_wire() {
        packed(|netlist, pack| {
            let wires = |name| pack.banks[pack.chips[netlist.chip(name).unwrap()].bank].wires.len();
            assert_eq!(["T", "PROGL", "ALUL"].map(wires), [4, 2, 4]);
        });
    }

    #[test]
    fn ports_read_what_was_forced() {
        packed(|netlist, pack| {
            let mut levels = crate::wires::LOW;
            pack.port(&netlist.bus("PC").unwrap()).force(&mut levels, 0xABC);
            assert_eq!(pack.port(&netlist.bus("PC").unwrap()).read(&levels), 0xABC);
            assert_eq!(pack.port(&netlist.bus("PC11").unwrap()).read(&levels), 1);
        });
    }
}
