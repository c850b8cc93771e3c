//! Inference from the tables when some levels are known: which other levels are known too, and which lines can still
//! change the data of their chip.
//!
//! For instance, a latch whose enable is 0 ignores its input. This need not be stated anywhere: in its table, cells
//! with the enable at 0 are equal if they differ only in the input. The chips engine plans its lookups with such facts,
//! the timing analysis finds its paths with them, and the proof its constants. The code here does not know what a chip
//! is for, and assumes nothing about the program or the contents of RAM.

use crate::board::netlist::{ChipId, Holds, NetId, Netlist};
use std::collections::HashMap;
use std::rc::Rc;

/// For each net its level, if known.
pub type Known = Vec<Option<bool>>;

/// Facts about a chip's table when some of its lines are known.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Data lines that are 1 at every address that is possible, one bit each.
    pub ones: u8,
    /// Data lines that are 0 at every address that is possible.
    pub zeros: u8,
    /// For each line that the chip reads, the data lines that it can change.
    pub moves: Vec<u8>,
}

/// The tables of a board, with a cache of the facts derived from them.
pub struct Tables<'a> {
    netlist: &'a Netlist,
    facts: HashMap<(Contents, Levels), Rc<Facts>>,
    changes: HashMap<Change, u8>,
    rests: HashMap<Loops, bool>,
}

/// The contents of a chip and the number of its lines. Chips that agree in both have the same facts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Contents {
    holds: Holds,
    reads: usize,
    data: usize,
}

/// A change at a chip: its known lines change from some levels to others.
#[derive(PartialEq, Eq, Hash)]
struct Change {
    contents: Contents,
    before: Levels,
    after: Levels,
    own: Vec<(usize, usize)>,
}

/// The loops of a chip while some of its lines are known.
#[derive(PartialEq, Eq, Hash)]
struct Loops {
    contents: Contents,
    levels: Levels,
    own: Vec<(usize, usize)>,
}

/// The lines of a chip that are known, and their levels.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Levels {
    mask: u32,
    value: u32,
}

impl<'a> Tables<'a> {
    /// The tables of this board.
    pub fn new(netlist: &'a Netlist) -> Tables<'a> {
        Tables { netlist, facts: HashMap::new(), changes: HashMap::new(), rests: HashMap::new() }
    }

    /// Propagates the known levels through the tables until nothing new follows.
    pub fn follow(&mut self, known: &mut Known) {
        let netlist = self.netlist;
        let mut is_new = true;
        while std::mem::take(&mut is_new) {
            for (id, chip) in netlist.chips.iter().enumerate() {
                let facts = self.facts(id, known);
                for (bit, &net) in chip.data.iter().enumerate() {
                    if known[net].is_none() && (facts.ones | facts.zeros) >> bit & 1 == 1 {
                        known[net] = Some(facts.ones >> bit & 1 == 1);
                        is_new = true;
                    }
                }
            }
        }
    }

    /// Infers the facts about a chip's table when these levels are known.
    pub fn facts(&mut self, chip: ChipId, known: &Known) -> Rc<Facts> {
        let netlist = self.netlist;
        let levels = levels(&netlist.chips[chip].reads, known);
        let contents = contents(netlist, chip);
        let facts = self.facts.entry((contents, levels)).or_insert_with(|| {
            Rc::new(match contents.holds {
                Holds::Table(table) => table_facts(&netlist.tables[table], contents.reads, levels),
                Holds::Program { .. } => any_facts(contents, levels),
                Holds::Ram { address } => ram_facts(address, contents, levels),
            })
        });
        Rc::clone(facts)
    }

    /// Whether a chip is at rest after one lookup, until a line changes that is not its own data.
    pub fn rests_at_once(&mut self, chip: ChipId, known: &Known) -> bool {
        let netlist = self.netlist;
        let contents = contents(netlist, chip);
        let chip = &netlist.chips[chip];
        let Holds::Table(table) = contents.holds else { return chip.own.is_empty() };
        let levels = levels(&chip.reads, known);
        let own = chip.own_lines() & !levels.mask;
        if own == 0 {
            return true;
        }
        *self.rests.entry(Loops { contents, levels, own: chip.own.clone() }).or_insert_with(|| {
            let cells = &netlist.tables[table];
            let fed_back: [u32; 256] = std::array::from_fn(|data| chip.fed_back(data as u8) & own);
            let possible = |(address, _): &(u32, &u8)| address & levels.mask == levels.value;
            (0u32..).zip(cells).filter(possible).all(|(address, &cell)| {
                cells[(address & !own | fed_back[usize::from(cell)]) as usize] == cell
            })
        })
    }

    /// The data lines that can change when the known lines of a chip at rest change from the levels `before` to the
    /// levels `after`, and nothing else that it reads changes. A latch whose enable falls changes nothing.
    pub fn changes(&mut self, chip: ChipId, before: &Known, after: &Known) -> u8 {
        let netlist = self.netlist;
        let reads = &netlist.chips[chip].reads;
        let (before, after) = (levels(reads, before), levels(reads, after));
        let moved = after.mask & !before.mask | after.mask & before.mask & (before.value ^ after.value);
        if moved == 0 {
            return 0;
        }
        let contents = contents(netlist, chip);
        match contents.holds {
            Holds::Program { .. } => all(contents.data),
            Holds::Ram { .. } => {
                // While a RAM is written, its output is the data that it stores.
                let write = 1 << (contents.reads - 1);
                let is_closed = after.mask & write != 0 && after.value & write == 0;
                if is_closed && moved == write { 0 } else { all(contents.data) }
            }
            Holds::Table(table) => {
                let chip = &netlist.chips[chip];
                let key = Change { contents, before, after, own: chip.own.clone() };
                *self.changes.entry(key).or_insert_with(|| {
                    let cells = &netlist.tables[table];
                    let fed_back: [u32; 256] = std::array::from_fn(|data| chip.fed_back(data as u8));
                    let (own_lines, mut bits) = (chip.own_lines(), 0);
                    for (address, &cell) in (0u32..).zip(cells) {
                        let rests = address & own_lines == fed_back[usize::from(cell)];
                        if rests && address & before.mask == before.value {
                            bits |= cell ^ cells[(address & !after.mask | after.value) as usize];
                        }
                    }
                    bits
                })
            }
        }
    }
}

/// For each address line of a table, the data lines that it can change, one bit each.
pub fn moves(cells: &[u8]) -> Vec<u8> {
    // Slice by slice, not by `flips`, so that the processor takes many cells at once.
    let flipped = |pair: &[u8]| {
        let (low, high) = pair.split_at(pair.len() / 2);
        low.iter().zip(high).fold(0, |bits, (low, high)| bits | low ^ high)
    };
    (0..cells.len().ilog2())
        .map(|line| cells.chunks_exact(2 << line).fold(0, |bits, pair| bits | flipped(pair)))
        .collect()
}

/// The data lines that flip with an address line, for each address at which it is 0.
pub fn flips(cells: &[u8], line: u32) -> impl Iterator<Item = (u32, u8)> {
    let half = 1 << line;
    (0..).step_by(2 * half).zip(cells.chunks_exact(2 * half)).flat_map(move |(first, pair)| {
        let (low, high) = pair.split_at(half);
        (first..).zip(low.iter().zip(high).map(|(low, high)| low ^ high))
    })
}

/// Which of these nets are known, and their levels.
fn levels(nets: &[NetId], known: &Known) -> Levels {
    let mut levels = Levels { mask: 0, value: 0 };
    for (line, &net) in nets.iter().enumerate() {
        if let Some(level) = known[net] {
            levels.mask |= 1 << line;
            levels.value |= u32::from(level) << line;
        }
    }
    levels
}

fn contents(netlist: &Netlist, chip: ChipId) -> Contents {
    let chip = &netlist.chips[chip];
    Contents { holds: chip.holds, reads: chip.reads.len(), data: chip.data.len() }
}

/// All data lines of a chip.
fn all(data: usize) -> u8 {
    ((1u16 << data) - 1) as u8
}

fn table_facts(cells: &[u8], lines: usize, levels: Levels) -> Facts {
    let possible: Vec<u8> = if levels.mask == 0 {
        cells.to_vec()
    } else {
        let cells = (0u32..).zip(cells);
        cells.filter(|(address, _)| address & levels.mask == levels.value).map(|(_, &cell)| cell).collect()
    };
    let (ones, any) = possible.iter().fold((u8::MAX, 0), |(ones, any), cell| (ones & cell, any | cell));
    // The possible cells are indexed as if the known lines did not exist.
    let mut free = moves(&possible).into_iter();
    let moves = (0..lines).map(|line| match levels.mask >> line & 1 {
        0 => free.next().unwrap_or_default(),
        _ => 0,
    });
    Facts { moves: moves.collect(), ones, zeros: !any }
}

/// Nothing is known about the program.
fn any_facts(contents: Contents, levels: Levels) -> Facts {
    let moves = (0..contents.reads).map(|line| match levels.mask >> line & 1 {
        0 => all(contents.data),
        _ => 0,
    });
    Facts { ones: 0, zeros: 0, moves: moves.collect() }
}

/// A RAM can hold anything; its data inputs matter unless it is known not to be written.
fn ram_facts(address: usize, contents: Contents, levels: Levels) -> Facts {
    let write = contents.reads - 1;
    let is_closed = levels.mask >> write & 1 == 1 && levels.value >> write & 1 == 0;
    let moves = (0..=write).map(|line| match line {
        _ if levels.mask >> line & 1 == 1 => 0,
        line if line < address || line == write => all(contents.data),
        _ if is_closed => 0,
        line => 1 << (line - address),
    });
    Facts { ones: 0, zeros: 0, moves: moves.collect() }
}
