//! What is unknown: the state at the entry, and what pads and keys give at each read.
//!
//! The numbers of variables are the order in which decision diagrams test them, which decides how large these become.
//! Bits of the same weight are neighbours, the highest first, so sums, comparisons and maxima stay small; the low byte of a
//! number follows its high byte. Bytes of larger lists come later, since others select among them. What is read from
//! inputs comes last, one read after the other: it is mostly asked whether anything was pressed, each time anew.

use crate::Obstacle;
use crate::levels::{Byte, Example, Levels, Outcome};
use gray1_logic::Variable;
use std::collections::{BTreeMap, HashMap};

/// Something that is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The accumulator at the entry.
    A,
    /// The carry at the entry.
    C,
    /// A byte of RAM at the entry.
    Ram(u16),
    /// A byte of RAM at the entry of a second run, with which the first is compared.
    Second(u16),
    /// What a read of an input gives: the input, and the number of the read.
    Read(usize, u32),
    /// What was read last from an input before the entry.
    Unread(usize),
    /// A byte at a sequence number with an invariant: its address, or one past those of RAM for A and C.
    Invariant(u16, u16),
}

/// All that is unknown so far.
#[derive(Debug, Default)]
pub struct Variables {
    origins: Vec<Origin>,
    numbers: HashMap<Origin, usize>,
    /// The weight of the lowest bit of bytes of RAM, by their addresses; that of others is 0.
    weights: BTreeMap<u16, u32>,
}

/// The most things that can be unknown.
const MOST: usize = 1 << 16;
/// Where the weights of lists begin, and those of what is read; there are more reads than weights.
pub const LISTS: u32 = 40;
const READS: u32 = 100;
const READS_WITH_WEIGHTS: u32 = 8_000;

impl Variables {
    /// Nothing is unknown yet; the bytes of numbers and lists have these weights.
    pub fn new(weights: BTreeMap<u16, u32>) -> Variables {
        Variables { weights, ..Variables::default() }
    }

    /// Eight bits of something that is unknown. What is read from the pads has at most one bit set, and from the keys
    /// seven.
    pub fn byte<B: Levels>(&mut self, origin: Origin, levels: &mut B) -> Outcome<Byte<B::Level>> {
        let input = match origin {
            Origin::Read(input, _) | Origin::Unread(input) => Some(input),
            _ => None,
        };
        let mut byte = [levels.constant(false); 8];
        match input {
            Some(0 | 1) => {
                let mut lines = [levels.constant(false); 4];
                for (bit, line) in (0..).zip(&mut lines) {
                    *line = self.bit(origin, bit, levels)?;
                }
                for (number, bit) in byte.iter_mut().enumerate() {
                    let mut is_this = lines[3];
                    for (place, &line) in lines[..3].iter().enumerate() {
                        let wanted = if number >> place & 1 == 1 { line } else { levels.not(line) };
                        is_this = levels.and(is_this, wanted)?;
                    }
                    *bit = is_this;
                }
            }
            _ => {
                let bits = if input.is_some() { 7 } else { 8 };
                for (number, bit) in (0..bits).zip(&mut byte) {
                    *bit = self.bit(origin, number, levels)?;
                }
            }
        }
        Ok(byte)
    }

    /// One bit of something that is unknown.
    pub fn bit<B: Levels>(&mut self, origin: Origin, bit: u32, levels: &mut B) -> Outcome<B::Level> {
        let variable = self.variable(origin, bit)?;
        levels.variable(variable)
    }

    /// What was read last from an input before the entry.
    pub fn unread<B: Levels>(&mut self, input: usize, levels: &mut B) -> Outcome<Byte<B::Level>> {
        self.byte(Origin::Unread(input), levels)
    }

    fn variable(&mut self, origin: Origin, bit: u32) -> Outcome<Variable> {
        let next = self.origins.len();
        let number = *self.numbers.entry(origin).or_insert(next);
        if number == next {
            if next == MOST {
                return Err(Obstacle::TooManyUnknowns(MOST));
            }
            self.origins.push(origin);
        }
        Ok(self.place(origin, bit) * MOST as u32 + number as u32)
    }

    /// The weight of the lowest bit of something.
    fn weight(&self, origin: Origin) -> u32 {
        match origin {
            Origin::Ram(address) | Origin::Second(address) | Origin::Invariant(_, address) => {
                self.weights.get(&address).copied().unwrap_or_default()
            }
            Origin::Read(_, number) => READS + 8 * (number % READS_WITH_WEIGHTS),
            Origin::A | Origin::C | Origin::Unread(_) => 0,
        }
    }

    /// The variable of the same bit of the read of this number.
    pub fn renumbered(&mut self, variable: Variable, number: u32) -> Outcome<Variable> {
        let origin = self.origin(variable);
        match origin {
            Origin::Read(input, _) => {
                let bit = variable / MOST as u32 - self.weight(origin);
                self.variable(Origin::Read(input, number), bit)
            }
            _ => Ok(variable),
        }
    }

    /// The place of a bit in the order.
    fn place(&self, origin: Origin, bit: u32) -> u32 {
        match self.weight(origin) {
            weight @ 0..LISTS => LISTS - 1 - weight - bit,
            LISTS => LISTS + 7 - bit,
            weight => weight + bit,
        }
    }

    /// What a variable is part of.
    pub fn origin(&self, variable: Variable) -> Origin {
        self.origins[variable as usize % MOST]
    }

    /// What the variables of an example say about each thing of which they are a part: its bits.
    pub fn bits_of(&self, example: &Example) -> BTreeMap<Origin, u8> {
        let mut bits: BTreeMap<Origin, u8> = BTreeMap::new();
        for (&variable, &level) in example {
            let origin = self.origin(variable);
            let place = variable / MOST as u32;
            let bit = (0..8).find(|&bit| self.place(origin, bit) == place).unwrap_or_default();
            *bits.entry(origin).or_default() |= u8::from(level) << bit;
        }
        bits
    }
}

/// What an input gives, for the bits of its variables.
pub fn given(input: usize, bits: u8) -> u8 {
    match input {
        0 | 1 if bits & 8 == 0 => 0,
        0 | 1 => 1 << (bits & 7),
        _ => bits,
    }
}
