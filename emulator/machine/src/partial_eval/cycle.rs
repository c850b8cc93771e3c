//! One cycle of the board, with expressions in place of levels: every chip is looked up, phase by phase, until nothing
//! changes, as the general rule does it.
//!
//! The counter is known, so the word, the decoders and the enables turn out to be known, too, by the tables of the board.

use super::layout::{Layout, Source};
use super::logic::{Level, Logic, Node};
use crate::board::netlist::{ChipId, Holds, NetId, Netlist};
use crate::engine::PHASES;
use crate::pack::Pack;
use crate::wires::Data;

/// A cycle with more lookups than this is assumed not to settle.
const MAX_LOOKUPS: usize = 2_000;

/// The effect of a cycle, as expressions over the bytes at its beginning.
pub(super) struct Evaluated {
    /// The levels of all nets at its end.
    pub levels: Vec<Level>,
    /// The bytes of RAM that it writes.
    pub stores: Vec<(u16, Vec<Level>)>,
    /// The outlets that it opens, the number of each and the levels of its lines.
    pub outlets: Vec<(usize, Vec<Level>)>,
    pub opcode: u8,
}

/// The tables of a board with a program: first those of the netlist, then the bytes of the program.
pub(super) struct Contents<'a> {
    pub netlist: &'a Netlist,
    pub pack: &'a Pack,
    pub program: [&'a [u8]; 2],
}

/// A board while a cycle is evaluated.
struct Symbolic<'a> {
    contents: &'a Contents<'a>,
    layout: &'a Layout,
    logic: &'a mut Logic,
    levels: Vec<Level>,
    stores: Vec<(u16, Vec<Level>)>,
}

/// Evaluates the cycle that begins with this key. `None` if that cannot be done: then nothing is known about it.
pub(super) fn evaluate(
    contents: &Contents,
    layout: &Layout,
    logic: &mut Logic,
    key: u64,
) -> Option<Evaluated> {
    logic.begin();
    let levels = layout.sources.iter().map(|source| match *source {
        Source::Key(bit) => Level::of(key >> bit & 1 == 1),
        Source::Place(place, bit) => logic.level(Node::Leaf(place, bit)),
        Source::Derived => Level::LOW,
    });
    let levels = levels.collect();
    let mut board = Symbolic { contents, layout, logic, levels, stores: Vec::new() };
    board.begin()?;
    let panel = &contents.netlist.panel;
    let (mut outlets, mut opcode) = (Vec::new(), 0);
    for phase in (0..PHASES).map(|phase| (phase + 1) % PHASES) {
        board.edge()?;
        if phase == 1 {
            for (number, outlet) in panel.outlets().enumerate() {
                if board.levels[outlet.enable[0]].known()? {
                    let lines = outlet.latch.iter();
                    let shown = |&net: &NetId| board.levels[net].inverted_if(outlet.inverted);
                    outlets.push((number, lines.map(shown).collect()));
                }
            }
        }
        if phase == 2 {
            for (bit, &net) in panel.word[panel.word.len() - 3..].iter().enumerate() {
                opcode |= u8::from(board.levels[net].known()?) << bit;
            }
        }
    }
    Some(Evaluated { levels: board.levels, stores: board.stores, outlets, opcode })
}

impl Symbolic<'_> {
    /// Looks up the derived levels, and makes sure that all chips are at rest, whatever the bytes.
    fn begin(&mut self) -> Option<()> {
        for &chip in &self.layout.order {
            let data = self.look_up(chip)?;
            for (&net, level) in self.contents.netlist.chips[chip].data.iter().zip(data) {
                if self.layout.sources[net] == Source::Derived {
                    self.levels[net] = level;
                }
            }
        }
        for (id, chip) in self.contents.netlist.chips.iter().enumerate() {
            if let Holds::Ram { .. } = chip.holds
                && self.levels[*chip.reads.last()?].known()?
            {
                return None;
            }
            if chip.data.iter().any(|&net| self.layout.sources[net] != Source::Derived) {
                let data = self.look_up(id)?;
                if chip.data.iter().zip(data).any(|(&net, level)| self.levels[net] != level) {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Flips the oscillator, and lets the board settle.
    fn edge(&mut self) -> Option<()> {
        let netlist = self.contents.netlist;
        let oscillator = netlist.panel.oscillator[0];
        self.levels[oscillator] = self.levels[oscillator].inverted_if(true);
        let mut dirty = self.layout.readers[oscillator];
        let mut lookups = 0;
        while dirty != 0 {
            let chip = self.layout.travel[dirty.trailing_zeros() as usize];
            dirty &= dirty - 1;
            lookups += 1;
            if lookups > MAX_LOOKUPS {
                return None;
            }
            let data = self.look_up(chip)?;
            for (&net, level) in netlist.chips[chip].data.iter().zip(data) {
                if self.levels[net] != level {
                    self.levels[net] = level;
                    dirty |= self.layout.readers[net];
                }
            }
        }
        Some(())
    }

    /// The data of a chip at the levels on its lines. `None` if it is not known whether or where it is written.
    fn look_up(&mut self, id: ChipId) -> Option<Vec<Level>> {
        let netlist = self.contents.netlist;
        let chip = &netlist.chips[id];
        let lines: Vec<Level> = chip.reads.iter().map(|&net| self.levels[net]).collect();
        let (table, cells) = match chip.holds {
            Holds::Table(table) => (table, &*netlist.tables[table]),
            Holds::Program { byte } => (netlist.tables.len() + byte, self.contents.program[byte]),
            Holds::Ram { address } => return self.look_up_ram(id, &lines, address),
        };
        Some(self.logic.look_up(table, cells, &lines, &chip.data))
    }

    fn look_up_ram(&mut self, id: ChipId, lines: &[Level], address_lines: usize) -> Option<Vec<Level>> {
        let Contents { netlist, pack, .. } = self.contents;
        let chip = &netlist.chips[id];
        let (address, inputs) = lines.split_at(address_lines);
        let (write, inputs) = inputs.split_last()?;
        let is_written = write.known()?;
        let address: Option<Vec<bool>> = address.iter().map(|level| level.known()).collect();
        let Some(address) = address else {
            // Its address is not known before the next cycle begins.
            return (!is_written)
                .then(|| chip.data.iter().map(|&net| self.logic.level(Node::Unknown(net))).collect());
        };
        let cell = address.iter().rev().fold(0, |cell, &bit| cell << 1 | u16::from(bit));
        let ram = self.layout.rams.iter().find(|ram| ram.bank == pack.chips[id].bank)?;
        let (place, first_bit) = (ram.first + cell, pack.chips[id].bit as usize);
        let known = match self.stores.iter().position(|store| store.0 == place) {
            Some(known) => known,
            None if is_written => {
                let bits = self.ram_bits(ram.bank);
                let byte = (0..bits as u8).map(|bit| self.logic.level(Node::Leaf(place, bit))).collect();
                self.stores.push((place, byte));
                self.stores.len() - 1
            }
            None => {
                let bits = (first_bit..).take(chip.data.len());
                return Some(bits.map(|bit| self.logic.level(Node::Leaf(place, bit as u8))).collect());
            }
        };
        let byte = &mut self.stores[known].1[first_bit..][..chip.data.len()];
        if is_written {
            byte.copy_from_slice(inputs);
        }
        Some(byte.to_vec())
    }

    /// The number of data lines of a RAM.
    fn ram_bits(&self, bank: usize) -> usize {
        let Contents { netlist, pack, .. } = self.contents;
        pack.banks[bank].chips.iter().map(|&chip| netlist.chips[chip].data.len()).sum()
    }
}

/// The bytes of the program that a machine holds.
pub(super) fn program(netlist: &Netlist, pack: &Pack, cells: &[Data]) -> [Vec<u8>; 2] {
    [0, 1].map(|wanted| {
        let held = netlist
            .chips
            .iter()
            .zip(&pack.chips)
            .find(|(chip, _)| chip.holds == Holds::Program { byte: wanted });
        held.map_or(Vec::new(), |(chip, bit)| {
            let cells = &cells[pack.banks[bit.bank].offset..][..1 << chip.reads.len()];
            cells.iter().map(|cell| (cell >> bit.bit) as u8).collect()
        })
    })
}
