//! The places of a machine's bytes while its board is evaluated.

/// The number of places for bytes; a power of two.
pub(super) const PLACES: usize = 8192;
/// No byte is kept here, or at the eight places before.
pub(super) const SPARE: u16 = PLACES as u16 - 1;
/// The first of the 256 constants, after the cells of RAM.
pub(super) const CONSTANTS: u16 = 4096;
/// The first register or input.
pub(super) const REGISTERS: u16 = CONSTANTS + 256;

/// The constant at a place, if its byte never changes.
pub fn constant(place: u16) -> Option<u8> {
    place.checked_sub(CONSTANTS).and_then(|value| u8::try_from(value).ok())
}
