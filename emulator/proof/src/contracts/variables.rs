//! The unknown bits: the state at the entry, and the values of pads and keys at each read.
//!
//! Decision diagrams test variables in the order of their numbers, and this order decides how large the diagrams become.
//! Bits of the same weight are neighbours, the highest first, so sums, comparisons and maxima stay small. The low byte of
//! a number follows its high byte. Bytes of larger lists come later, since other bytes select among them. Reads of inputs
//! come last, one after the other: most programs only test whether anything is pressed, at each read anew.

use crate::contracts::Obstacle;
use crate::contracts::levels::{Assignment, Byte, Levels, Outcome};
use gray1_machine::logic::{FALSE, Function, Variable};
use std::collections::{BTreeMap, HashMap};

/// An unknown byte or bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    /// The accumulator at the entry.
    A,
    /// The carry at the entry.
    C,
    /// A byte of RAM at the entry.
    Ram(u16),
    /// A byte of RAM at the entry of a second run, with which the first is compared.
    SecondRam(u16),
    /// The value of a read: the input, and the number of the read.
    Read(usize, u32),
    /// The value read last from an input before the entry.
    PriorRead(usize),
    /// A byte that is forgotten at a cut point: the cut point, and the address. A and C have addresses past RAM.
    Havoc(u16, u16),
}

/// All unknown bits so far.
#[derive(Debug, Default)]
pub struct Variables {
    origins: Vec<Origin>,
    numbers: HashMap<Origin, usize>,
    /// The weight of the lowest bit of each byte of RAM, by address; 0 for other bytes.
    weights: BTreeMap<u16, u32>,
}

/// The maximum number of origins.
const MAX_ORIGINS: usize = 1 << 16;
/// The weight of bytes in lists.
pub const LISTS: u32 = 40;
/// The weight of the first read.
const READS: u32 = 100;
/// Later reads get the weights of earlier ones again.
const READS_WITH_WEIGHTS: u32 = 8_000;

impl Variables {
    /// Creates no variables yet. The bytes of numbers and lists have these weights.
    pub fn new(weights: BTreeMap<u16, u32>) -> Variables {
        Variables { weights, ..Variables::default() }
    }

    /// Returns an unknown byte. A read of the pads has at most one bit set, a read of the keys only the lowest seven.
    pub fn byte(&mut self, origin: Origin, levels: &mut Levels) -> Outcome<Byte> {
        let input = match origin {
            Origin::Read(input, _) | Origin::PriorRead(input) => Some(input),
            _ => None,
        };
        let mut byte = [FALSE; 8];
        match input {
            Some(0 | 1) => {
                let mut lines = [FALSE; 4];
                for (bit, line) in (0..).zip(&mut lines) {
                    *line = self.bit(origin, bit, levels)?;
                }
                for (number, bit) in byte.iter_mut().enumerate() {
                    let mut is_this = lines[3];
                    for (place, &line) in lines[..3].iter().enumerate() {
                        let wanted = if number >> place & 1 == 1 { line } else { !line };
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

    /// Returns an unknown bit.
    pub fn bit(&mut self, origin: Origin, bit: u32, levels: &mut Levels) -> Outcome<Function> {
        let variable = self.variable(origin, bit)?;
        levels.variable(variable)
    }

    /// Returns the value read last from an input before the entry.
    pub fn prior_read(&mut self, input: usize, levels: &mut Levels) -> Outcome<Byte> {
        self.byte(Origin::PriorRead(input), levels)
    }

    fn variable(&mut self, origin: Origin, bit: u32) -> Outcome<Variable> {
        let next = self.origins.len();
        let number = *self.numbers.entry(origin).or_insert(next);
        if number == next {
            if next == MAX_ORIGINS {
                return Err(Obstacle::TooManyUnknowns(MAX_ORIGINS));
            }
            self.origins.push(origin);
        }
        Ok(self.place(origin, bit) * MAX_ORIGINS as u32 + number as u32)
    }

    /// Returns the weight of the lowest bit of an origin.
    fn weight(&self, origin: Origin) -> u32 {
        match origin {
            Origin::Ram(address) | Origin::SecondRam(address) | Origin::Havoc(_, address) => {
                self.weights.get(&address).copied().unwrap_or_default()
            }
            Origin::Read(_, number) => READS + 8 * (number % READS_WITH_WEIGHTS),
            Origin::A | Origin::C | Origin::PriorRead(_) => 0,
        }
    }

    /// Returns the variable for the same bit of another read of the same input.
    pub fn renumbered(&mut self, variable: Variable, number: u32) -> Outcome<Variable> {
        let origin = self.origin(variable);
        match origin {
            Origin::Read(input, _) => {
                let bit = variable / MAX_ORIGINS as u32 - self.weight(origin);
                self.variable(Origin::Read(input, number), bit)
            }
            _ => Ok(variable),
        }
    }

    /// Returns the place of a bit in the variable order.
    fn place(&self, origin: Origin, bit: u32) -> u32 {
        match self.weight(origin) {
            weight @ 0..LISTS => LISTS - 1 - weight - bit,
            LISTS => LISTS + 7 - bit,
            weight => weight + bit,
        }
    }

    /// Returns the origin of a variable.
    pub fn origin(&self, variable: Variable) -> Origin {
        self.origins[variable as usize % MAX_ORIGINS]
    }

    /// Returns the bits of each origin in an assignment.
    pub fn bits_of(&self, assignment: &Assignment) -> BTreeMap<Origin, u8> {
        let mut bits: BTreeMap<Origin, u8> = BTreeMap::new();
        for (&variable, &level) in assignment {
            let origin = self.origin(variable);
            let place = variable / MAX_ORIGINS as u32;
            let bit = (0..8).find(|&bit| self.place(origin, bit) == place).unwrap_or_default();
            *bits.entry(origin).or_default() |= u8::from(level) << bit;
        }
        bits
    }
}

/// Decodes the value of an input from the bits of its variables.
pub fn input_value(input: usize, bits: u8) -> u8 {
    match input {
        0 | 1 if bits & 8 == 0 => 0,
        0 | 1 => 1 << (bits & 7),
        _ => bits,
    }
}
