//! The eight instructions once more, written from the description of the machine and used by the judge alone.
//!
//! A state holds only the cells that a program mentions. A cell of the entry may be unknown. Where a run needs its
//! value, the run stops with an error that names the cell, and the caller begins again with each of its values.

use gray1_isa::Image;
use std::ops::Range;

/// The accumulator.
pub const A: usize = 0;
/// The carry.
pub const C: usize = 1;
/// The values read last from `PADCOL`, `PADROW` and `KEYS`.
pub const READ: Range<usize> = 2..5;
/// 1 once a byte has been sent.
pub const SENT: usize = 5;
/// The first byte of RAM.
pub const RAM: usize = 6;
/// The most cells of a state.
pub const MAX_CELLS: usize = 24;
/// The address of the output port.
pub const OUT: u16 = 0xFF0;
/// The first address past RAM; `PADCOL`, `PADROW` and `KEYS` are the first three.
const INPUTS: u16 = 0xFF8;

/// A state between two cycles.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub pc: u16,
    pub cells: [u8; MAX_CELLS],
    /// The cells that still have the unknown value of the entry.
    pub unknown: u32,
    /// The cells of RAM that have been written.
    pub written: u32,
    /// The variant at the last arrival; 256 before the first.
    pub variant: u16,
}

/// The reason why a run cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gap {
    /// The value of this cell at the entry matters.
    Unknown(usize),
    /// There are more states than the judge follows.
    TooLarge,
}

impl State {
    pub fn cell(&self, cell: usize) -> Result<u8, Gap> {
        if self.unknown >> cell & 1 == 1 { Err(Gap::Unknown(cell)) } else { Ok(self.cells[cell]) }
    }

    pub fn with(mut self, cell: usize, value: u8) -> State {
        self.cells[cell] = value;
        self.unknown &= !(1 << cell);
        self
    }
}

/// Returns the values that a cell can have.
pub fn domain(cell: usize) -> Vec<u8> {
    match cell {
        C | SENT => vec![0, 1],
        2 | 3 => [0].into_iter().chain((0..8).map(|bit| 1 << bit)).collect(),
        4 => (0..128).collect(),
        _ => (0..=255).collect(),
    }
}

/// A program and the bytes of RAM that it mentions.
pub struct Machine {
    words: Vec<u16>,
    pub addresses: Vec<u16>,
    /// Whether states contain the values read last.
    pub remembers_reads: bool,
    /// Whether states contain the fact that a byte was sent.
    pub remembers_sending: bool,
}

impl Machine {
    /// Creates a machine; `more` are addresses that the words do not mention. Returns `None` if there are too many.
    pub fn new(image: &Image, more: impl IntoIterator<Item = u16>) -> Option<Machine> {
        let words: Vec<u16> = image.words().iter().map(|word| word.0).collect();
        let mentioned =
            words.iter().filter(|&&word| word >> 13 == 1 || word >> 13 < 5 && word >> 12 & 1 == 0);
        let mut addresses: Vec<u16> = mentioned.map(|word| word & 0xFFF).chain(more).collect();
        addresses.retain(|&address| address < INPUTS);
        addresses.sort_unstable();
        addresses.dedup();
        let fits = addresses.len() <= MAX_CELLS - RAM;
        fits.then_some(Machine { words, addresses, remembers_reads: true, remembers_sending: false })
    }

    /// Whether a word reads the byte at an address.
    pub fn reads(&self, address: u16) -> bool {
        self.words
            .iter()
            .any(|word| word >> 13 < 5 && word >> 13 != 1 && word >> 12 & 1 == 0 && word & 0xFFF == address)
    }

    /// Returns the cell of an address of RAM.
    pub fn cell_of(&self, address: u16) -> Option<usize> {
        self.addresses.binary_search(&address).ok().map(|place| RAM + place)
    }

    /// Creates a state of which only the program counter is known.
    pub fn state(&self, pc: u16) -> State {
        let unknown = (1 << (RAM + self.addresses.len())) - 1;
        let mut state = State { pc, cells: [0; MAX_CELLS], unknown, written: 0, variant: 256 }.with(SENT, 0);
        if !self.remembers_reads {
            state.unknown &= !0b11100;
        }
        state
    }

    /// Returns the cell of the input that the next word reads.
    pub fn input(&self, state: &State) -> Option<usize> {
        let word = self.words[state.pc as usize];
        let place = (word & 0xFFF).checked_sub(INPUTS).filter(|place| *place < 3)?;
        (word >> 13 < 5 && word >> 13 != 1 && word >> 12 & 1 == 0).then_some(READ.start + place as usize)
    }

    /// Whether the next word overwrites A without reading it.
    pub fn overwrites_a(&self, state: &State) -> bool {
        matches!(self.words[state.pc as usize] >> 13, 0 | 4)
    }

    /// Returns the visible store of the next word, if it makes one.
    pub fn store(&self, state: &State) -> Result<Option<(u16, u8)>, Gap> {
        let word = self.words[state.pc as usize];
        let is_seen = word >> 13 == 1 && (0xFE0..=OUT).contains(&(word & 0xFFF));
        if is_seen { Ok(Some((word & 0xFFF, state.cell(A)?))) } else { Ok(None) }
    }

    /// Executes one cycle. If the word reads an input, the value is `read`. A machine that halts stays at its word.
    pub fn step(&self, mut state: State, read: u8) -> Result<State, Gap> {
        let word = self.words[state.pc as usize];
        let (opcode, m, x) = (word >> 13, word >> 12 & 1, word & 0xFFF);
        let next = (state.pc + 1) % 4096;
        let taken = match opcode {
            5 => true,
            6 => state.cell(C)? == 1,
            7 => state.cell(A)? == 0,
            _ => false,
        };
        if taken {
            let target = (0..12).fold(0, |target, shift| target ^ x >> shift);
            state.pc = if x.count_ones() as u16 & 1 == m { target } else { (target + 1) % 4096 };
            return Ok(state);
        }
        state.pc = next;
        if opcode == 1 {
            if let Some(cell) = self.cell_of(x) {
                state = state.with(cell, state.cell(A)?);
                state.written |= 1 << cell;
                state.cells[SENT] |= u8::from(x == OUT && self.remembers_sending);
            }
            return Ok(state);
        }
        if opcode > 4 {
            return Ok(state);
        }
        let value = match (m, self.cell_of(x)) {
            (1, _) => x as u8,
            (_, Some(cell)) => state.cell(cell)?,
            _ if x < INPUTS + 3 => {
                if self.remembers_reads {
                    state = state.with(READ.start + (x - INPUTS) as usize, read);
                }
                read
            }
            _ => 0,
        };
        Ok(match opcode {
            0 => state.with(A, value),
            2 => {
                let (sum, carry) = state.cell(A)?.overflowing_add(value);
                state.with(A, sum).with(C, carry.into())
            }
            3 => state.with(A, !(state.cell(A)? | value)),
            _ => state.with(A, value >> 1).with(C, value & 1),
        })
    }
}
