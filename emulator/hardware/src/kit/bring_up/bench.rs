//! Simulates a board on which only some chips are inserted, with levels that are 0, 1 or unknown. A net without a
//! driver is unknown, and so are the levels at power-up. A chip drives a known level if its table gives the same level
//! at every address that the unknown lines allow, so a known level is right whatever the unknown ones are.

use crate::kit::sockets::Socket;
use gray1_machine::netlist::{ChipId, Holds, NetId, Netlist};
use gray1_machine::settle::settle;
use gray1_machine::tables::moves;
use std::collections::HashMap;

/// A level, if it is known.
pub type Level = Option<bool>;

/// The levels of all nets, packed into two bits each so that states are quick to compare.
pub type State = Vec<u64>;

/// After this many lookups in a phase, a net that still changes becomes unknown, so that every phase ends.
const MAX_LOOKUPS: usize = 2_000;

/// A fault of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The chip is missing or dead.
    Missing(ChipId),
    /// A chip sees this level on a line that it reads, whatever the level of the net.
    Reads(ChipId, usize, bool),
    /// A data line of a chip has this level, whatever its cells hold.
    Gives(ChipId, usize, bool),
}

/// The contents of the sockets: a table for each chip, and the address lines that matter for each of its data lines.
/// Also the chips that read each net, one bit each: no board has more than 64.
pub struct Tables {
    readers: Vec<u64>,
    cells: Vec<Vec<u8>>,
    /// For each chip, the number of its table; `None` for RAM.
    of: Vec<Option<usize>>,
    matters: Vec<Vec<u32>>,
}

/// The board and the levels of its nets.
#[derive(Clone)]
pub struct Bench<'a> {
    netlist: &'a Netlist,
    tables: &'a Tables,
    /// A bit for each chip.
    inserted: u64,
    fault: Option<Fault>,
    levels: Vec<Level>,
    /// For each RAM, its cells: the bits, and a mask of those that are known.
    memory: HashMap<ChipId, Vec<(u8, u8)>>,
}

impl Tables {
    /// The tables that are burned into the chips of these sockets.
    pub fn new(netlist: &Netlist, sockets: &[Socket]) -> Tables {
        let mut tables =
            Tables { readers: Vec::new(), cells: Vec::new(), of: Vec::new(), matters: Vec::new() };
        tables.readers.extend(
            netlist.nets.iter().map(|net| net.readers.iter().fold(0, |set, pin| set | 1 << pin.chip)),
        );
        let mut numbers: HashMap<Holds, usize> = HashMap::new();
        for chip in &netlist.chips {
            let socket = sockets.iter().find(|socket| socket.name == chip.name);
            let number = socket.map(|socket| {
                *numbers.entry(chip.holds).or_insert_with(|| {
                    let cells = &socket.image[..socket.cells()];
                    tables.matters.push(matters(cells));
                    tables.cells.push(cells.to_vec());
                    tables.cells.len() - 1
                })
            });
            tables.of.push(number);
        }
        tables
    }
}

/// For each data line the address lines that it depends on, as a mask.
fn matters(cells: &[u8]) -> Vec<u32> {
    let moves = moves(cells);
    let depends =
        |bit: u32| moves.iter().rev().fold(0, |mask, moves| mask << 1 | u32::from(moves >> bit & 1));
    (0..u8::BITS).map(depends).collect()
}

impl<'a> Bench<'a> {
    /// A board with these chips, power on, in state 00 of its sequencer, with the oscillator at 0.
    pub fn new(
        netlist: &'a Netlist,
        tables: &'a Tables,
        chips: &[ChipId],
        fault: Option<Fault>,
    ) -> Bench<'a> {
        let is_there = |chip| fault != Some(Fault::Missing(chip));
        let memory = netlist.chips.iter().enumerate().filter_map(|(id, chip)| match chip.holds {
            Holds::Ram { address } => Some((id, vec![(0, 0); 1 << address])),
            _ => None,
        });
        let mut bench = Bench {
            inserted: chips.iter().filter(|chip| is_there(**chip)).fold(0, |set, chip| set | 1 << chip),
            levels: vec![None; netlist.nets.len()],
            memory: memory.collect(),
            netlist,
            tables,
            fault,
        };
        let panel = &netlist.panel;
        for &net in [&panel.pad_column, &panel.pad_row, &panel.keys].into_iter().flatten() {
            bench.levels[net] = Some(false);
        }
        for &net in panel.sequence.iter().chain(&panel.oscillator) {
            bench.levels[net] = Some(false);
        }
        bench
    }

    /// Sets the level of a net: an input, a net held by a test lead, or any net at power-up.
    pub fn put(&mut self, net: NetId, level: bool) {
        self.levels[net] = Some(level);
    }

    /// Lets all chips settle.
    pub fn settle(&mut self) {
        self.settle_from(self.inserted);
    }

    /// Flips the oscillator and lets all chips settle.
    pub fn edge(&mut self) {
        let mut due = 0;
        for &net in &self.netlist.panel.oscillator {
            self.levels[net] = self.levels[net].map(|level| !level);
            due |= self.tables.readers[net];
        }
        self.settle_from(due);
    }

    /// The level of a net.
    pub fn level(&self, net: NetId) -> Level {
        self.levels[net]
    }

    /// The whole state of the board, which determines what follows; `None` if a RAM is inserted.
    pub fn state(&self) -> Option<State> {
        let is_ram = |id: &ChipId| self.inserted >> id & 1 == 1;
        let packed =
            |levels: &[Level]| levels.iter().fold(0, |word, level| word << 2 | level.map_or(2, u64::from));
        (!self.memory.keys().any(is_ram)).then(|| self.levels.chunks(32).map(packed).collect())
    }

    /// The nets that chips drive.
    pub fn driven(&self) -> impl Iterator<Item = NetId> {
        let chips = self.netlist.chips.iter().enumerate().filter(|(id, _)| self.inserted >> id & 1 == 1);
        chips.flat_map(|(_, chip)| chip.data.iter().copied())
    }

    fn settle_from(&mut self, due: u64) {
        let (netlist, mut lookups) = (self.netlist, 0);
        // Every phase ends, so settling cannot fail.
        let _ = settle(due & self.inserted, u32::MAX..u32::MAX, |id| {
            let (value, known) = self.look_up(id);
            lookups += 1;
            let mut affected = 0;
            for (line, &net) in netlist.chips[id].data.iter().enumerate() {
                // A net that does not settle counts as unknown.
                let is_known = known >> line & 1 == 1 && lookups <= MAX_LOOKUPS;
                let level = is_known.then_some(value >> line & 1 == 1);
                if std::mem::replace(&mut self.levels[net], level) != level {
                    affected |= self.tables.readers[net] & self.inserted;
                }
            }
            Some(affected)
        });
    }

    /// Looks up a chip. Returns the levels of its data lines, and a mask of the known ones.
    fn look_up(&mut self, id: ChipId) -> (u8, u8) {
        let chip = &self.netlist.chips[id];
        let (mut reads, mut unknown) = (0, 0);
        for (line, &net) in chip.reads.iter().enumerate() {
            match self.levels[net] {
                Some(level) => reads |= u32::from(level) << line,
                None => unknown |= 1 << line,
            }
        }
        if let Some(Fault::Reads(faulty, line, level)) = self.fault
            && faulty == id
        {
            reads = reads & !(1 << line) | u32::from(level) << line;
            unknown &= !(1 << line);
        }
        let seen = (reads, unknown);
        let (mut value, mut known) = match (self.tables.of[id], chip.holds) {
            (Some(table), _) => self.table(table, seen, chip.data.len()),
            (None, Holds::Ram { address }) => self.ram(id, seen, address, chip.data.len()),
            (None, _) => (0, 0),
        };
        if let Some(Fault::Gives(faulty, line, level)) = self.fault
            && faulty == id
        {
            known |= 1 << line;
            value = value & !(1 << line) | u8::from(level) << line;
        }
        (value, known)
    }

    fn table(&self, table: usize, (address, unknown): (u32, u32), data: usize) -> (u8, u8) {
        let cells = &self.tables.cells[table];
        let value = cells[address as usize];
        let mut known = 0xFF;
        if unknown != 0 {
            for line in 0..data {
                // Tries all combinations of the unknown lines that matter.
                let open = unknown & self.tables.matters[table][line];
                let mut subset = open;
                while subset != 0 {
                    if (cells[(address | subset) as usize] ^ value) >> line & 1 == 1 {
                        known &= !(1 << line);
                        break;
                    }
                    subset = (subset - 1) & open;
                }
            }
        }
        (value, known)
    }

    /// Looks up a RAM, given the levels that it reads and a mask of the unknown ones.
    fn ram(&mut self, id: ChipId, (reads, unknown): (u32, u32), address: usize, data: usize) -> (u8, u8) {
        let Some(cells) = self.memory.get_mut(&id) else { return (0, 0) };
        let mask = (1 << address) - 1;
        let place = (unknown & mask == 0).then_some((reads & mask) as usize);
        let (input, known) = ((reads >> address) as u8, !(unknown >> address) as u8);
        let write = address + data;
        match (reads >> write & 1 == 1, unknown >> write & 1 == 1, place) {
            (true, false, Some(place)) => cells[place] = (input, known),
            (false, false, _) => {}
            // The cell may or may not be written: bits that are the same in both cases stay known.
            (_, _, place) => {
                let all = place.map_or(0..cells.len(), |place| place..place + 1);
                cells[all].iter_mut().for_each(|cell| cell.1 &= known & !(cell.0 ^ input));
            }
        }
        place.map_or((0, 0), |place| cells[place])
    }
}
