//! The bytes that an instruction can name, in one array.

use gray1_isa::Word;
use gray1_isa::memory_map::{INPUTS, RAM_BYTES};

/// Bytes that an instruction can name: RAM, with the inputs in their place; after it all 256 constants, so that a
/// constant operand is read like any other; and then the RAM cells at the addresses where programs read inputs. Rounded
/// up to a power of two.
pub(super) const BYTES: usize = 2 * RAM_BYTES;
/// The index of the first constant.
pub(super) const CONSTANTS: u16 = RAM_BYTES as u16;
/// The index of the first RAM cell behind the inputs.
pub(super) const BEHIND_INPUTS: usize = CONSTANTS as usize + 256;

/// The index of the byte that is an instruction's operand.
pub(super) fn operand(word: Word) -> usize {
    usize::from(if word.m() { CONSTANTS + (word.x() & 0xFF) } else { word.x() })
}

/// The index of the byte that a store writes; a store to the address of an input writes the cell behind it.
pub(super) fn stored_at(address: u16) -> usize {
    match usize::from(address) {
        address if address < usize::from(INPUTS) => address,
        address => BEHIND_INPUTS + (address - usize::from(INPUTS)) % (RAM_BYTES - usize::from(INPUTS)),
    }
}
