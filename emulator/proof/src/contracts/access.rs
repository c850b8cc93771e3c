//! The address that a word reads or writes.

use gray1_isa::memory_map::{GREEN, KEYS, OUT, PADCOL, PADROW};
use gray1_isa::{Opcode, Operand, Word};

/// The inputs of a program: address and name. Everywhere, an input is an index of this table.
pub const INPUT_NAMES: [(u16, &str); 3] = [(PADCOL, "PADCOL"), (PADROW, "PADROW"), (KEYS, "KEYS")];

/// Whether a word reads the byte at an address.
pub fn reads(word: Word) -> bool {
    word.opcode().row().operand == Operand::Value && !word.m()
}

/// Returns the index of the input that a word reads, if any.
pub fn input_of(word: Word) -> Option<usize> {
    INPUT_NAMES.iter().position(|&(address, _)| address == word.x()).filter(|_| reads(word))
}

/// Whether an address belongs to the display or the port.
pub fn is_visible(address: u16) -> bool {
    (GREEN..=OUT).contains(&address)
}

/// Whether a word makes a visible store.
pub fn is_visible_store(word: Word) -> bool {
    word.opcode() == Opcode::Sta && is_visible(word.x())
}
