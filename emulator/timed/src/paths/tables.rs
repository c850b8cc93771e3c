//! What the tables say while some lines are known: which outputs are then known too, and which lines can still
//! change which outputs. Nothing here knows what any chip is for, nor what the program is or RAM holds.

use crate::circuit::{Chip, Circuit, Kind, Net};
use std::collections::HashMap;
use std::sync::Arc;

/// What is known of the nets.
pub type Known = Vec<Option<bool>>;

/// What a table says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Data bits that are 1, and that are 0, at every address that is possible.
    ones: u8,
    zeros: u8,
    /// For each line, the data bits that it can change.
    pub moves: Vec<u8>,
}

/// The tables of a circuit; what has been asked once is remembered.
pub struct Tables<'a> {
    circuit: &'a Circuit,
    facts: HashMap<(Contents, u32, u32), Arc<Facts>>,
    changes: HashMap<(Contents, [u32; 4], Vec<u32>), u8>,
}

/// Chips with the same contents give the same facts.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Contents {
    Table(usize, usize),
    /// Anything at all: a program chip with so many lines, both ways.
    Any(usize, usize),
    /// A RAM's address and data lines.
    Ram(u32, usize),
}

impl<'a> Tables<'a> {
    pub fn new(circuit: &'a Circuit) -> Tables<'a> {
        Tables { circuit, facts: HashMap::new(), changes: HashMap::new() }
    }

    /// Follows what is known through the tables, until they say nothing new.
    pub fn follow(&mut self, known: &mut Known) {
        loop {
            let mut is_new = false;
            for chip in &self.circuit.chips {
                let facts = self.facts(chip, known);
                for (bit, net) in chip.gives().enumerate() {
                    if known[net].is_none() && (facts.ones | facts.zeros) >> bit & 1 == 1 {
                        known[net] = Some(facts.ones >> bit & 1 == 1);
                        is_new = true;
                    }
                }
            }
            if !is_new {
                return;
            }
        }
    }

    /// What a chip's table says while these lines are known.
    pub fn facts(&mut self, chip: &Chip, known: &Known) -> Arc<Facts> {
        let (mask, value) = lines(&chip.reads, known);
        let contents = contents(chip);
        let circuit = self.circuit;
        let facts = self.facts.entry((contents, mask, value)).or_insert_with(|| {
            Arc::new(match contents {
                Contents::Table(offset, lines) => {
                    table_facts(&circuit.cells[offset..][..1 << lines], lines, mask, value)
                }
                Contents::Any(lines, data) => Facts {
                    moves: (0..lines).map(|line| all(data) * u8::from(mask >> line & 1 == 0)).collect(),
                    ..Facts::default()
                },
                Contents::Ram(address, data) => ram_facts(address as usize, data, mask, value),
            })
        });
        Arc::clone(facts)
    }

    /// The data bits that change when a chip at rest sees its known lines go from one level to another.
    pub fn changes(&mut self, chip: &Chip, before: &Known, after: &Known) -> u8 {
        let ((mask, value), (new_mask, new_value)) = (lines(&chip.reads, before), lines(&chip.reads, after));
        let both = mask & new_mask;
        match contents(chip) {
            Contents::Any(_, data) => all(data) * u8::from(both & (value ^ new_value) != 0),
            // What a RAM gives while it is written is what it then holds.
            Contents::Ram(_, data) => {
                let write = 1 << (chip.reads.len() - 1);
                let rises = both & (value ^ new_value) & !(value & write) != 0;
                all(data) * u8::from(rises)
            }
            contents @ Contents::Table(offset, lines) => {
                let own: Vec<u32> = (chip.gives())
                    .map(|net| chip.reads.iter().position(|&read| read == net).map_or(0, |line| 1 << line))
                    .collect();
                let circuit = self.circuit;
                let key = (contents, [mask, value, new_mask, new_value], own);
                *self.changes.entry(key).or_insert_with_key(|(_, _, own)| {
                    let cells = &circuit.cells[offset..][..1 << lines];
                    let at_rest = |address: u32, cell: u8| {
                        own.iter()
                            .enumerate()
                            .all(|(bit, &line)| line == 0 || (address & line != 0) == (cell >> bit & 1 == 1))
                    };
                    (0u32..).zip(cells).fold(0, |bits, (address, &cell)| {
                        let is_possible = address & mask == value && at_rest(address, cell);
                        if is_possible {
                            bits | cell ^ cells[(address & !new_mask | new_value) as usize]
                        } else {
                            bits
                        }
                    })
                })
            }
        }
    }
}

/// Of these nets, which are known, and their levels.
fn lines(nets: &[Net], known: &Known) -> (u32, u32) {
    nets.iter().enumerate().fold((0, 0), |(mask, value), (line, &net)| match known[net] {
        Some(level) => (mask | 1 << line, value | u32::from(level) << line),
        None => (mask, value),
    })
}

fn contents(chip: &Chip) -> Contents {
    match chip.kind {
        Kind::Ram { address, .. } => Contents::Ram(address, chip.lines),
        Kind::Rom { .. } if chip.is_program => Contents::Any(chip.reads.len(), chip.lines),
        Kind::Rom { offset } => Contents::Table(offset, chip.reads.len()),
    }
}

/// All data bits of a chip.
fn all(data: usize) -> u8 {
    (0..data).fold(0, |bits, bit| bits | 1 << bit)
}

fn table_facts(cells: &[u8], lines: usize, mask: u32, value: u32) -> Facts {
    let is_possible = |address: u32| address & mask == value;
    let possible = (0u32..).zip(cells).filter(|&(address, _)| is_possible(address));
    let (ones, any) = possible.fold((u8::MAX, 0), |(ones, any), (_, &cell)| (ones & cell, any | cell));
    let moves = (0..lines).map(|line| {
        if mask >> line & 1 == 1 {
            return 0;
        }
        (0u32..)
            .zip(cells)
            .filter(|&(address, _)| is_possible(address))
            .fold(0, |bits, (address, &cell)| bits | cell ^ cells[(address ^ 1 << line) as usize])
    });
    Facts { ones, zeros: !any, moves: moves.collect() }
}

/// A RAM can hold anything; its data inputs matter unless it is known not to be written.
fn ram_facts(address: usize, data: usize, mask: u32, value: u32) -> Facts {
    let write = address + data;
    let is_reading = mask >> write & 1 == 1 && value >> write & 1 == 0;
    let moves = (0..=write).map(|line| match line {
        _ if mask >> line & 1 == 1 => 0,
        line if line < address || line == write => all(data),
        _ if is_reading => 0,
        line => 1 << (line - address),
    });
    Facts { ones: 0, zeros: 0, moves: moves.collect() }
}
