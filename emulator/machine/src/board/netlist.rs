//! The board with numbers in place of names: every net, chip and table. It is built once, and read by all code that
//! runs, verifies, records or draws the board.
//!
//! ```text
//!   board file ── Board ── Netlist ──┬── chips engine, timed engine
//!    (names)                         ├── proof, timing, waveforms
//!                                    └── the debugger's board, `gray1 chips`
//! ```
//!
//! Names are for the user interface: they are looked up once, when a probe or a watch is created, and shown at the end.

use super::bench::Bench;
use super::chip::{self, Nets};
use super::lines::Lines;
use super::panel::Panel;
use crate::burn::Burn;
use gray1_isa::Image;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The number of a net: first the inputs, then the data lines of each chip in turn.
pub type NetId = usize;
/// The number of a chip, in the order of the board file.
pub type ChipId = usize;

/// The nets and chips of a board, by number.
#[derive(Clone, Debug, PartialEq)]
pub struct Netlist {
    /// The wires of the board.
    pub nets: Vec<Net>,
    /// The chips, in the order of the board file.
    pub chips: Vec<Chip>,
    /// The groups of nets that are driven from outside.
    pub inputs: Vec<Range<NetId>>,
    /// All nets in the order in which the board file lists them.
    pub listing: Vec<NetId>,
    /// The distinct contents of the ROMs.
    pub tables: Vec<Vec<u8>>,
    /// The nets and chips of the registers, RAM, display, port and inputs.
    pub panel: Panel<Vec<NetId>, ChipId>,
    /// The switches and lamps of a board without a CPU, whose `panel` is empty but for its counter.
    pub bench: Option<Bench<Vec<NetId>>>,
    numbers: HashMap<String, NetId>,
    buses: BTreeMap<String, Vec<NetId>>,
}

/// A wire of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    /// Its name in the board file.
    pub name: String,
    /// The data line that drives it; `None` for an input.
    pub driver: Option<Pin>,
    /// The lines that read it.
    pub readers: Vec<Pin>,
    /// Whether a resistor and a capacitor stand between the data line that drives it and all others: on every line of a
    /// chip with a storage loop, and where the board file says so.
    pub has_filter: bool,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Its name in the board file.
    pub name: String,
    /// The kind of chip it is, as in the board's list of parts.
    pub part: String,
    /// The nets on its address lines, lowest first; for a RAM, those on its data inputs and its write line follow.
    pub reads: Vec<NetId>,
    /// The nets on its data lines, lowest first; their numbers are consecutive.
    pub data: Vec<NetId>,
    /// Its contents.
    pub holds: Holds,
    /// Its storage loops: an index into `reads`, and the index into `data` of the line that drives the same net.
    pub own: Vec<(usize, usize)>,
}

/// The contents of a chip.
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
        /// The number of lines that select a cell.
        address: usize,
    },
}

/// The number on these nets, the lowest bit first.
pub fn number(levels: &[bool], nets: &[NetId]) -> u32 {
    nets.iter().rev().fold(0, |number, net| number << 1 | u32::from(levels[*net]))
}

impl Netlist {
    /// Numbers the nets of a board and burns its ROMs, all but the program.
    pub(crate) fn new(
        [inputs, other_nets]: [&[Nets]; 2],
        filters: &Lines,
        board_chips: &[chip::Chip],
        buses: &BTreeMap<String, Lines>,
        (panel, bench): (&Panel, Option<&Bench>),
    ) -> Netlist {
        let input_names = inputs.iter().flat_map(|group| group.nets.names());
        let data_names = board_chips.iter().flat_map(|chip| chip.data().names());
        let numbers: HashMap<String, NetId> = input_names.chain(data_names).cloned().zip(0..).collect();
        // The checks of a board make sure that every name is known.
        let number = |name: &String| numbers[name];
        let all = |lines: &Lines| lines.names().iter().map(number).collect::<Vec<NetId>>();

        let mut nets = vec![
            Net { name: String::new(), driver: None, readers: vec![], has_filter: false };
            numbers.len()
        ];
        for (name, &net) in &numbers {
            nets[net].name.clone_from(name);
        }
        let (chips, tables) = burned_chips(board_chips, number, &mut nets);
        for chip in &chips {
            chip.data.iter().for_each(|&net| nets[net].has_filter = chip.holds_itself());
        }
        all(filters).into_iter().for_each(|net| nets[net].has_filter = true);
        let chip_number =
            |name: &String| chips.iter().position(|chip| chip.name == *name).unwrap_or_default();
        let mut first = 0;
        let groups = inputs.iter().map(|group| {
            first += group.nets.len();
            first - group.nets.len()..first
        });
        let bench = bench.map(|bench| bench.map(all));
        let mut panel = panel.map(all, chip_number);
        if let Some(bench) = &bench {
            panel.counter.clone_from(&bench.counter);
        }
        Netlist {
            inputs: groups.collect(),
            listing: inputs.iter().chain(other_nets).flat_map(|group| all(&group.nets)).collect(),
            panel,
            bench,
            buses: buses.iter().map(|(name, lines)| (name.clone(), all(lines))).collect(),
            tables,
            nets,
            chips,
            numbers,
        }
    }

    /// The net of this name.
    pub fn net(&self, name: &str) -> Option<NetId> {
        self.numbers.get(name).copied()
    }

    /// The nets of a bus, lowest first, or the one net of this name.
    pub fn bus(&self, name: &str) -> Option<Vec<NetId>> {
        self.buses.get(name).cloned().or_else(|| Some(vec![self.net(name)?]))
    }

    /// The buses by name, each with its nets, the lowest first.
    pub fn buses(&self) -> impl Iterator<Item = (&str, &[NetId])> {
        self.buses.iter().map(|(name, nets)| (name.as_str(), nets.as_slice()))
    }

    /// The names of all nets and buses.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.nets.iter().map(|net| &net.name).chain(self.buses.keys()).map(String::as_str)
    }

    /// The chip of this name.
    pub fn chip(&self, name: &str) -> Option<ChipId> {
        self.chips.iter().position(|chip| chip.name == name)
    }

    /// The chips in the order in which a change propagates: first those with storage loops, in the order of the board
    /// file, then the others, each after the chips that it reads.
    pub fn travel_order(&self) -> Vec<ChipId> {
        let holds = |id: &ChipId| self.chips[*id].holds_itself();
        let mut order: Vec<ChipId> = (0..self.chips.len()).filter(holds).collect();
        let mut seen: Vec<bool> = (0..self.chips.len()).map(|id| holds(&id)).collect();
        for start in 0..self.chips.len() {
            self.visit(start, &mut seen, &mut order);
        }
        order
    }

    /// Puts a chip after all the chips it reads; boards have at most 64 chips, so the recursion is not deep.
    fn visit(&self, id: ChipId, seen: &mut [bool], order: &mut Vec<ChipId>) {
        if std::mem::replace(&mut seen[id], true) {
            return;
        }
        for driver in self.chips[id].reads.iter().filter_map(|&net| self.nets[net].driver) {
            self.visit(driver.chip, seen, order);
        }
        order.push(id);
    }

    /// A net that is the opposite of this one in every cell of the chip that drives both. What is proved about when one
    /// of them moves holds for the other, too. RAM chips that are sold are written while such a net is 0.
    pub fn opposite(&self, net: NetId) -> Option<NetId> {
        let pin = self.nets[net].driver?;
        let cells = self.table(pin.chip)?;
        let data = &self.chips[pin.chip].data;
        let is_opposite = |line: &usize| cells.iter().all(|cell| (cell >> line ^ cell >> pin.line) & 1 == 1);
        (0..data.len()).find(is_opposite).map(|line| data[line])
    }

    /// The table that a chip holds, if it is a ROM other than the program.
    pub fn table(&self, chip: ChipId) -> Option<&[u8]> {
        match self.chips[chip].holds {
            Holds::Table(table) => Some(&self.tables[table]),
            Holds::Program { .. } | Holds::Ram { .. } => None,
        }
    }
}

/// The chips with numbers for names, and their distinct tables. Connects their lines to the nets.
fn burned_chips(
    board_chips: &[chip::Chip],
    number: impl Fn(&String) -> NetId,
    nets: &mut [Net],
) -> (Vec<Chip>, Vec<Vec<u8>>) {
    let mut roms = Roms::default();
    let mut chips: Vec<Chip> = Vec::new();
    for chip in board_chips {
        let reads: Vec<NetId> = chip.reads().map(&number).collect();
        let data: Vec<NetId> = chip.data().names().iter().map(&number).collect();
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
    (chips, roms.tables)
}

impl Chip {
    /// The lines that select a cell, as nets: for a RAM, those before its data inputs.
    pub fn address(&self) -> &[NetId] {
        match self.holds {
            Holds::Ram { address } => &self.reads[..address],
            Holds::Table(_) | Holds::Program { .. } => &self.reads,
        }
    }

    /// The names of its pins, for the lines that it reads.
    pub fn pins(&self) -> impl Iterator<Item = String> {
        let address = self.address().len();
        let inputs = address..self.reads.len().saturating_sub(1).max(address);
        let write = (self.reads.len() > address).then(|| "WE".to_owned());
        let addresses = (0..address).map(|line| format!("A{line}"));
        addresses.chain(inputs.map(move |line| format!("I{}", line - address))).chain(write)
    }

    /// Whether its cells can be written.
    pub fn is_ram(&self) -> bool {
        matches!(self.holds, Holds::Ram { .. })
    }

    /// Whether it reads one of its own data lines.
    pub fn holds_itself(&self) -> bool {
        !self.own.is_empty()
    }

    /// The address lines of its own loops, as a mask. The proof calls this and the next two for every cell of a chip.
    #[inline]
    pub fn own_lines(&self) -> u32 {
        self.own.iter().fold(0, |mask, (line, _)| mask | 1 << line)
    }

    /// The address bits that its own loops get from its data.
    #[inline]
    pub fn fed_back(&self, data: u8) -> u32 {
        self.own.iter().fold(0, |address, (line, bit)| address | u32::from(data >> bit & 1) << line)
    }

    /// Whether a chip with this address and output is at rest: the output, fed back through its loops, does not change
    /// the address.
    #[inline]
    pub fn rests(&self, address: u32, data: u8) -> bool {
        address & self.own_lines() == self.fed_back(data)
    }
}

/// The tables burned so far; chips with the same contents share one.
#[derive(Default)]
struct Roms<'a> {
    tables: Vec<Vec<u8>>,
    burned: HashMap<(&'a Burn, usize, usize), usize>,
}

impl<'a> Roms<'a> {
    fn holds(&mut self, chip: &'a chip::Chip) -> Holds {
        match chip {
            chip::Chip::Ram { address, .. } => Holds::Ram { address: address.len() },
            chip::Chip::Rom { burn, address, data, .. } => match burn.program_byte() {
                Some(byte) => Holds::Program { byte },
                None => {
                    let (address, data) = (address.len(), data.len());
                    Holds::Table(*self.burned.entry((burn, address, data)).or_insert_with(|| {
                        let cells = burn.wired(address, data, &Image::blank());
                        // Equal cells are one table, however they are written.
                        let same = self.tables.iter().position(|table| *table == cells);
                        same.unwrap_or_else(|| {
                            self.tables.push(cells);
                            self.tables.len() - 1
                        })
                    }))
                }
            },
        }
    }
}
