//! The board by number: every net, every chip, every table, built once and read by all that run, prove, record
//! or draw the board.
//!
//! ```text
//!   board file ── Board ── Netlist ──┬── chips engine, timed engine
//!    (names)                         ├── proof, timing, waveforms
//!                                    └── the debugger's board, `gray1 chips`
//! ```
//!
//! Names are for people: they are looked up once, when something is attached to the board, and shown at the end.

use crate::board::{self, Board, Lines, Panel};
use crate::burn::Burn;
use gray1_isa::Image;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The number of a net: the inputs come first, then the data lines of each chip, one chip after the other.
pub type NetId = usize;
/// The number of a chip, in the order of the board file.
pub type ChipId = usize;

/// Nets and chips by number.
#[derive(Debug)]
pub struct Netlist {
    /// The wires of the board.
    pub nets: Vec<Net>,
    /// The chips, in the order of the board file.
    pub chips: Vec<Chip>,
    /// The groups of nets that are driven from outside.
    pub inputs: Vec<Range<NetId>>,
    /// All nets in the order in which the board file lists them.
    pub listing: Vec<NetId>,
    /// What the ROMs hold, each table once.
    pub tables: Vec<Vec<u8>>,
    /// Where the programmer's state and the outside meet the board.
    pub panel: Panel<Vec<NetId>, ChipId>,
    numbers: HashMap<String, NetId>,
    buses: BTreeMap<String, Vec<NetId>>,
}

/// A wire of the board.
#[derive(Clone, Debug)]
pub struct Net {
    /// What the board file calls it.
    pub name: String,
    /// The data line that drives it; `None` for an input.
    pub driver: Option<Pin>,
    /// The lines that read it.
    pub readers: Vec<Pin>,
}

/// A line of a chip: a data line where a chip drives, an address line (or input or write line) where it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pin {
    /// The chip.
    pub chip: ChipId,
    /// The index among the chip's `data` or `reads`.
    pub line: usize,
}

/// A memory chip.
#[derive(Clone, Debug)]
pub struct Chip {
    /// What the board file calls it.
    pub name: String,
    /// The kind of chip it is, as in the board's list of parts.
    pub part: String,
    /// The nets on its address lines, lowest first; for a RAM, those on its data inputs and its write line follow.
    pub reads: Vec<NetId>,
    /// The nets on its data lines, lowest first; their numbers are consecutive.
    pub data: Vec<NetId>,
    /// What is in it.
    pub holds: Holds,
    /// Its storage loops: an index of `reads` and the index of `data` that drives the same net.
    pub own: Vec<(usize, usize)>,
}

/// What a chip holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holds {
    /// The table of this index, one cell for each address.
    Table(usize),
    /// The low or the high byte of each word of the program.
    Program {
        /// 0 or 1.
        byte: usize,
    },
    /// Cells that can be written.
    Ram {
        /// How many lines select a cell.
        address: usize,
    },
}

impl Netlist {
    /// Numbers the nets of a board and burns its ROMs, all but the program.
    pub(crate) fn new(board: &Board) -> Netlist {
        let input_names = board.inputs.iter().flat_map(|group| group.nets.names());
        let data_names = board.chips.iter().flat_map(|chip| chip.data().names());
        let numbers: HashMap<String, NetId> = input_names.chain(data_names).cloned().zip(0..).collect();
        // The checks of a board make sure that every name is known.
        let number = |name: &String| numbers[name];
        let all = |lines: &Lines| lines.names().iter().map(number).collect::<Vec<NetId>>();

        let mut nets = vec![Net { name: String::new(), driver: None, readers: vec![] }; numbers.len()];
        for (name, &net) in &numbers {
            nets[net].name.clone_from(name);
        }
        let mut roms = Roms::default();
        let mut chips: Vec<Chip> = Vec::new();
        for chip in &board.chips {
            let reads: Vec<NetId> = chip.reads().map(number).collect();
            let data = all(chip.data());
            for (line, &net) in reads.iter().enumerate() {
                nets[net].readers.push(Pin { chip: chips.len(), line });
            }
            for (line, &net) in data.iter().enumerate() {
                nets[net].driver = Some(Pin { chip: chips.len(), line });
            }
            let own = reads.iter().enumerate();
            let own = own.filter_map(|(line, net)| Some((line, data.iter().position(|mine| mine == net)?)));
            chips.push(Chip {
                name: chip.name().to_owned(),
                part: chip.part().to_owned(),
                own: own.collect(),
                holds: roms.holds(chip),
                reads,
                data,
            });
        }
        let chip_number =
            |name: &String| chips.iter().position(|chip| chip.name == *name).unwrap_or_default();
        let mut first = 0;
        let inputs = board.inputs.iter().map(|group| {
            first += group.nets.len();
            first - group.nets.len()..first
        });
        Netlist {
            inputs: inputs.collect(),
            listing: board.inputs.iter().chain(&board.nets).flat_map(|group| all(&group.nets)).collect(),
            panel: board.panel.map(all, chip_number),
            buses: board.buses.iter().map(|(name, lines)| (name.clone(), all(lines))).collect(),
            tables: roms.tables,
            nets,
            chips,
            numbers,
        }
    }

    /// The net of a name.
    pub fn net(&self, name: &str) -> Option<NetId> {
        self.numbers.get(name).copied()
    }

    /// The nets of a bus, lowest first, or the one net of this name.
    pub fn bus(&self, name: &str) -> Option<Vec<NetId>> {
        self.buses.get(name).cloned().or_else(|| Some(vec![self.net(name)?]))
    }

    /// The names of all nets and buses.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.nets.iter().map(|net| &net.name).chain(self.buses.keys()).map(String::as_str)
    }

    /// The chip of a name.
    pub fn chip(&self, name: &str) -> Option<ChipId> {
        self.chips.iter().position(|chip| chip.name == name)
    }

    /// The table that a chip holds, if it is a ROM other than the program.
    pub fn table(&self, chip: ChipId) -> Option<&[u8]> {
        match self.chips[chip].holds {
            Holds::Table(table) => Some(&self.tables[table]),
            Holds::Program { .. } | Holds::Ram { .. } => None,
        }
    }
}

impl Chip {
    /// The lines that select a cell, as nets: for a RAM, those before its data inputs.
    pub fn address(&self) -> &[NetId] {
        match self.holds {
            Holds::Ram { address } => &self.reads[..address],
            Holds::Table(_) | Holds::Program { .. } => &self.reads,
        }
    }

    /// Whether it reads one of its own data lines.
    pub fn holds_itself(&self) -> bool {
        !self.own.is_empty()
    }

    /// The address lines of its own loops, as a mask.
    pub fn own_lines(&self) -> u32 {
        self.own.iter().fold(0, |mask, (line, _)| mask | 1 << line)
    }

    /// The address bits that its own loops make of its data.
    pub fn fed_back(&self, data: u8) -> u32 {
        self.own.iter().fold(0, |address, (line, bit)| address | u32::from(data >> bit & 1) << line)
    }

    /// Whether a chip that gives these data at this address stays there.
    pub fn rests(&self, address: u32, data: u8) -> bool {
        address & self.own_lines() == self.fed_back(data)
    }
}

/// The tables burned so far; chips with the same contents share one.
#[derive(Default)]
struct Roms<'a> {
    tables: Vec<Vec<u8>>,
    burned: HashMap<&'a Burn, usize>,
}

impl<'a> Roms<'a> {
    fn holds(&mut self, chip: &'a board::Chip) -> Holds {
        match chip {
            board::Chip::Ram { address, .. } => Holds::Ram { address: address.len() },
            board::Chip::Rom { burn, .. } => match burn.program_byte() {
                Some(byte) => Holds::Program { byte },
                None => Holds::Table(*self.burned.entry(burn).or_insert_with(|| {
                    self.tables.push(burn.table(&Image::blank()));
                    self.tables.len() - 1
                })),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_net_is_joined_at_both_ends() {
        let board = Board::gray1();
        let netlist = Netlist::new(&board);
        assert_eq!(netlist.chips.len(), 39);
        assert_eq!(netlist.nets.len(), netlist.listing.len());
        for (id, net) in netlist.nets.iter().enumerate() {
            assert_eq!(netlist.net(&net.name), Some(id));
            match net.driver {
                Some(pin) => assert_eq!(netlist.chips[pin.chip].data[pin.line], id, "{}", net.name),
                None => assert!(netlist.inputs.iter().any(|group| group.contains(&id)), "{}", net.name),
            }
            for pin in &net.readers {
                assert_eq!(netlist.chips[pin.chip].reads[pin.line], id, "{}", net.name);
            }
        }
        let reads: usize = netlist.chips.iter().map(|chip| chip.reads.len()).sum();
        assert_eq!(netlist.nets.iter().map(|net| net.readers.len()).sum::<usize>(), reads);
    }

    #[test]
    fn equal_roms_share_a_table_as_large_as_their_lines() {
        let netlist = Netlist::new(&Board::gray1());
        let chip = |name| &netlist.chips[netlist.chip(name).unwrap()];
        assert_eq!(chip("T").holds, chip("RED7").holds);
        assert_ne!(chip("T").holds, chip("XMUX").holds);
        assert_eq!(netlist.tables.len(), 14);
        for (id, chip) in netlist.chips.iter().enumerate() {
            if let Some(table) = netlist.table(id) {
                assert_eq!(table.len(), 1 << chip.reads.len(), "{}", chip.name);
            }
        }
    }

    #[test]
    fn a_latch_rests_where_it_gives_what_it_holds() {
        let netlist = Netlist::new(&Board::gray1());
        let latch = &netlist.chips[netlist.chip("A").unwrap()];
        assert_eq!(latch.own_lines(), 0xFF00);
        assert_eq!(latch.fed_back(0xA5), 0xA500);
        assert!(latch.rests(0xA5_00, 0xA5) && !latch.rests(0xA5_00, 0xA4));
    }
}
