//! A board, simulated event by event: each data line of each chip and each address line has a delay of its own.
//!
//! The only inputs are the netlist and the tables. A chip sees an address, which changes line by line; each of its data
//! lines follows what the table says of that address, one delay later. Nothing is shared with the proof or with the
//! engines of the emulator.

use super::draw::Draw;
use gray1_machine::netlist::{Holds, NetId, Netlist};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A phase that takes longer than this many of the longest delays does not settle. It ends all the same.
const MAX_DELAYS: u64 = 50;
/// After this many events in a phase, the end of the run remains unknown: pulses that run around quickly, until a slow
/// line ends them, take too long.
const MAX_EVENTS: usize = 1_000_000;

/// A change of a net, or of what a chip sees on one of its lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Net { net: u32, level: bool, version: u32 },
    Line { chip: u32, line: u32, level: bool, version: u32 },
}

/// The delays of a machine.
pub struct Delays {
    /// From a change of a chip's address to that of a net, and from there to each line that reads the net.
    outputs: Vec<u64>,
    lines: Vec<Vec<u64>>,
    /// Whether a change that is no longer due when its time comes is left out.
    pub filters: bool,
    longest: u64,
}

impl Delays {
    /// Random delays: all alike, or of very different size, or with a few lines that are much slower than all others.
    pub fn random(netlist: &Netlist, draw: &mut Draw) -> Delays {
        let kind = draw.below(4);
        let delay = |draw: &mut Draw| match kind {
            0 => 50 + draw.below(100),
            1 => 1 + draw.below(200),
            2 => 10f64.powf(3.0 * draw.share()) as usize,
            _ if draw.percent(4) => 2000 + draw.below(1000),
            _ => 20 + draw.below(60),
        } as u64;
        let wires = draw.below(3);
        let outputs: Vec<u64> = netlist.nets.iter().map(|_| delay(draw)).collect();
        let line = |draw: &mut Draw| if wires == 0 { 0 } else { delay(draw) };
        let lines = netlist.chips.iter().map(|chip| chip.reads.iter().map(|_| line(draw)).collect());
        let lines: Vec<Vec<u64>> = lines.collect();
        let longest = outputs.iter().chain(lines.iter().flatten()).max().map_or(1, |longest| *longest);
        Delays { outputs, lines, filters: draw.bit(), longest }
    }
}

/// A machine: a board with delays, a program and levels.
pub struct Machine<'a> {
    netlist: &'a Netlist,
    /// The words of the program as they are burned, by address.
    burned: &'a [u16],
    pub delays: Delays,
    pub levels: Vec<bool>,
    /// The address that each chip sees.
    seen: Vec<u32>,
    /// The level that each net is heading for, and how often that has changed.
    heading: Vec<bool>,
    versions: Vec<u32>,
    /// The number of changes of each net.
    arrivals: Vec<u32>,
    /// The cells of each RAM.
    cells: Vec<Vec<u8>>,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    added: u64,
    pub now: u64,
    /// The addresses of RAM of which a cell has changed, and how often the port was opened, since this was last reset.
    pub stored: Vec<usize>,
    pub opened: usize,
}

impl<'a> Machine<'a> {
    /// A machine at power-up: everything has any level.
    pub fn new(netlist: &'a Netlist, burned: &'a [u16], draw: &mut Draw) -> Machine<'a> {
        let levels: Vec<bool> = netlist.nets.iter().map(|_| draw.bit()).collect();
        let cells = netlist.chips.iter().map(|chip| match chip.holds {
            Holds::Ram { address } => {
                (0..1 << address).map(|_| draw.byte() & mask(chip.data.len())).collect()
            }
            _ => vec![],
        });
        let cells = cells.collect();
        Machine {
            netlist,
            burned,
            delays: Delays::random(netlist, draw),
            seen: vec![0; netlist.chips.len()],
            heading: levels.clone(),
            versions: vec![0; levels.len()],
            arrivals: vec![0; levels.len()],
            cells,
            levels,
            events: BinaryHeap::new(),
            added: 0,
            now: 0,
            stored: vec![],
            opened: 0,
        }
    }

    /// Comes to rest in some state after power-up: chips are looked up in a random order until nothing changes.
    pub fn rest(&mut self, draw: &mut Draw) -> bool {
        let chips = self.netlist.chips.len();
        for _ in 0..100 {
            let (first, before) = (draw.below(chips), self.levels.clone());
            for id in (first..chips).chain(0..first) {
                self.seen[id] = self.number(&self.netlist.chips[id].reads) as u32;
                let data = self.gives(id);
                for (bit, &net) in self.netlist.chips[id].data.iter().enumerate() {
                    self.levels[net] = data >> bit & 1 == 1;
                }
            }
            if self.levels == before {
                self.heading.clone_from(&self.levels);
                self.stored.clear();
                return true;
            }
        }
        false
    }

    /// Sets an input, after some time.
    pub fn set(&mut self, net: NetId, level: bool, after: u64) {
        let event = Event::Net { net: net as u32, level, version: self.versions[net] };
        self.add(after, event);
    }

    /// Lets all events happen, until there are no more. False if that takes too long; `None` if there are too many.
    pub fn settle(&mut self) -> Option<bool> {
        let end = self.now + MAX_DELAYS * self.delays.longest;
        for _ in 0..MAX_EVENTS {
            match self.events.peek() {
                None => return Some(true),
                Some(&Reverse((now, ..))) if now > end => return Some(false),
                Some(_) => self.next(),
            }
        }
        None
    }

    fn next(&mut self) {
        let Some(Reverse((now, _, event))) = self.events.pop() else { return };
        self.now = now;
        match event {
            Event::Net { net, level, version } => self.change(net as usize, level, version),
            Event::Line { chip, line, level, version } => {
                let net = self.netlist.chips[chip as usize].reads[line as usize];
                if !self.delays.filters || version == self.arrivals[net] {
                    let seen = &mut self.seen[chip as usize];
                    *seen = *seen & !(1 << line) | u32::from(level) << line;
                    self.look_up(chip as usize);
                }
            }
        }
    }

    /// The levels of some nets as a number.
    pub fn number(&self, nets: &[NetId]) -> usize {
        nets.iter().rev().fold(0, |number, &net| number << 1 | usize::from(self.levels[net]))
    }

    /// The byte in RAM at an address.
    pub fn byte(&self, address: usize) -> u8 {
        let (mut byte, mut bits) = (0, 0);
        for &ram in &self.netlist.panel.memory {
            byte |= self.cells[ram][address] << bits;
            bits += self.netlist.chips[ram].data.len();
        }
        byte
    }

    fn add(&mut self, after: u64, event: Event) {
        self.added += 1;
        self.events.push(Reverse((self.now + after, self.added, event)));
    }

    fn change(&mut self, net: NetId, level: bool, version: u32) {
        let is_input = self.netlist.nets[net].driver.is_none();
        if self.levels[net] == level || self.delays.filters && !is_input && version != self.versions[net] {
            return;
        }
        self.levels[net] = level;
        self.arrivals[net] += 1;
        self.opened += usize::from(level && net == self.netlist.panel.port.enable[0]);
        for pin in &self.netlist.nets[net].readers {
            let delay = self.delays.lines[pin.chip][pin.line];
            let version = self.arrivals[net];
            self.add(delay, Event::Line { chip: pin.chip as u32, line: pin.line as u32, level, version });
        }
    }

    /// The output of a chip at the address that it sees. A RAM that is written takes its input first.
    fn gives(&mut self, id: usize) -> u8 {
        let chip = &self.netlist.chips[id];
        let seen = self.seen[id] as usize;
        match chip.holds {
            Holds::Table(table) => self.netlist.tables[table][seen],
            Holds::Program { byte } => (self.burned[seen & 0xFFF] >> (8 * byte)) as u8,
            Holds::Ram { address } => {
                let at = seen & ((1 << address) - 1);
                if seen >> (chip.reads.len() - 1) == 1 {
                    let input = (seen >> address) as u8 & mask(chip.data.len());
                    if std::mem::replace(&mut self.cells[id][at], input) != input
                        && self.netlist.panel.memory.contains(&id)
                    {
                        self.stored.push(at);
                    }
                }
                self.cells[id][at]
            }
        }
    }

    fn look_up(&mut self, id: usize) {
        let data = self.gives(id);
        let chip = &self.netlist.chips[id];
        for (bit, &net) in chip.data.iter().enumerate() {
            let level = data >> bit & 1 == 1;
            if self.heading[net] != level {
                self.heading[net] = level;
                self.versions[net] += 1;
                let event = Event::Net { net: net as u32, level, version: self.versions[net] };
                self.add(self.delays.outputs[net], event);
            }
        }
    }
}

fn mask(lines: usize) -> u8 {
    ((1u16 << lines) - 1) as u8
}
