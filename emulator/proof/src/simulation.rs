//! A board on which each line reaches each chip after its own delay, simulated event by event.
//!
//! All data lines of a chip see the same address, and a RAM takes its input at once. The timed engine has a delay for
//! each output instead, and its RAMs see undelayed lines, so it cannot show all that the claims are about.

use crate::phase::memory;
use gray1_isa::Image;
use gray1_isa::memory_map::RAM_BYTES;
use gray1_machine::netlist::{ChipId, Holds, NetId, Netlist, number};
use gray1_machine::{ChipsEngine, Engine};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A level on its way to a chip: the time of its arrival, its number in the order of sending, the chip, the address
/// line, the level.
type Event = (u64, u64, ChipId, usize, bool);

/// A board with delays, and the events to come.
#[derive(Clone)]
pub(crate) struct DelayedBoard<'a> {
    pub netlist: &'a Netlist,
    proms: [Vec<u8>; 2],
    /// The cells of each RAM, by chip; empty for a ROM.
    rams: Vec<Vec<u8>>,
    /// The levels of the nets at their drivers.
    pub levels: Vec<bool>,
    /// The address that each chip sees.
    pub addresses: Vec<u32>,
    /// The time from a change of a net to each chip that reads it, by chip and line.
    pub delays: Vec<Vec<u64>>,
    /// Set if a pulse that is shorter than the delay of a line does not arrive.
    filters: bool,
    pub now: u64,
    events: BinaryHeap<Reverse<Event>>,
    sent: u64,
    /// The number of changes of each net since this was last cleared.
    pub changes: Vec<u32>,
    /// The outlets that have opened, by index, since this was last cleared.
    pub opened: Vec<usize>,
    /// For each net, the outlet that it opens.
    opens: Vec<Option<usize>>,
}

impl<'a> DelayedBoard<'a> {
    /// Creates the board at rest in the state of an engine. RAMs that programs cannot read are at 0.
    pub fn at_rest(
        netlist: &'a Netlist,
        image: &Image,
        engine: &ChipsEngine,
        delays: Vec<Vec<u64>>,
        filters: bool,
    ) -> DelayedBoard<'a> {
        let levels: Vec<bool> = (0..netlist.nets.len()).map(|net| engine.level(net)).collect();
        let blank = netlist.chips.iter().map(|chip| match chip.holds {
            Holds::Ram { address } => vec![0; 1 << address],
            _ => vec![],
        });
        let mut rams: Vec<Vec<u8>> = blank.collect();
        let ram = engine.state().ram;
        for (id, bits) in memory(netlist) {
            rams[id] = ram.iter().map(|byte| byte >> bits.start & mask(bits.len())).collect();
        }
        let mut opens = vec![None; levels.len()];
        for (index, outlet) in netlist.panel.outlets().enumerate() {
            opens[outlet.enable[0]].get_or_insert(index);
        }
        DelayedBoard {
            netlist,
            proms: image.to_proms(),
            rams,
            addresses: netlist.chips.iter().map(|chip| number(&levels, &chip.reads)).collect(),
            delays,
            filters,
            now: 0,
            events: BinaryHeap::new(),
            sent: 0,
            changes: vec![0; levels.len()],
            opened: vec![],
            opens,
            levels,
        }
    }

    /// Changes a net to its other level, which sets out for each chip that reads it.
    pub fn flip(&mut self, net: NetId) {
        let level = !self.levels[net];
        self.levels[net] = level;
        self.changes[net] += 1;
        self.opened.extend(self.opens[net].filter(|_| level));
        for pin in &self.netlist.nets[net].readers {
            self.sent += 1;
            let at = self.now + self.delays[pin.chip][pin.line];
            self.events.push(Reverse((at, self.sent, pin.chip, pin.line, level)));
        }
    }

    /// Returns the time of the next event.
    pub fn next_at(&self) -> Option<u64> {
        self.events.peek().map(|Reverse((at, ..))| *at)
    }

    /// Lets the next event happen; returns whether there was one.
    pub fn step(&mut self) -> bool {
        let Some(Reverse((at, _, id, line, sent))) = self.events.pop() else { return false };
        self.now = at;
        let chip = &self.netlist.chips[id];
        let level = if self.filters { self.levels[chip.reads[line]] } else { sent };
        let address = self.addresses[id] & !(1 << line) | u32::from(level) << line;
        if std::mem::replace(&mut self.addresses[id], address) == address {
            return true;
        }
        let data = self.look_up(id);
        for (bit, &net) in chip.data.iter().enumerate() {
            if self.levels[net] != (data >> bit & 1 == 1) {
                self.flip(net);
            }
        }
        true
    }

    /// Drops all events to come.
    pub fn abandon(&mut self) {
        self.events.clear();
    }

    /// RAM, as programs know it.
    pub fn ram(&self) -> Vec<u8> {
        let byte = |address: usize| {
            memory(self.netlist).fold(0, |byte, (id, bits)| byte | self.rams[id][address] << bits.start)
        };
        (0..RAM_BYTES).map(byte).collect()
    }

    /// Returns the output of a chip at the address that it sees. A RAM that is being written takes its input first.
    fn look_up(&mut self, id: ChipId) -> u8 {
        let (chip, address) = (&self.netlist.chips[id], self.addresses[id] as usize);
        match chip.holds {
            Holds::Table(table) => self.netlist.tables[table][address],
            Holds::Program { byte } => self.proms[byte][address],
            Holds::Ram { address: lines } => {
                let cell = &mut self.rams[id][address & ((1 << lines) - 1)];
                if address >> (chip.reads.len() - 1) == 1 {
                    *cell = (address >> lines) as u8 & mask(chip.data.len());
                }
                *cell
            }
        }
    }
}

fn mask(bits: usize) -> u8 {
    ((1u16 << bits) - 1) as u8
}
