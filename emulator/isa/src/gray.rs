//! The Gray code the program counter counts in: neighbours differ in one bit, so a counter made of memory
//! chips never has two address lines moving at once.

/// Returns the Gray code of a sequence number: where program memory holds the word of that number.
///
/// ```
/// assert_eq!([0, 1, 2, 3, 4].map(gray1_isa::gray), [0b000, 0b001, 0b011, 0b010, 0b110]);
/// ```
pub const fn gray(sequence: u16) -> u16 {
    sequence ^ (sequence >> 1)
}

/// Returns the sequence number that a Gray code stands for: the inverse of [`gray`].
pub const fn from_gray(code: u16) -> u16 {
    let mut sequence = code;
    sequence ^= sequence >> 8;
    sequence ^= sequence >> 4;
    sequence ^= sequence >> 2;
    sequence ^ (sequence >> 1)
}

/// The parity of a word: true when an odd number of its bits is set. The parity of `gray(i)` is the lowest
/// bit of `i`, which is how the counter knows whether it has stepped.
pub const fn parity(bits: u16) -> bool {
    bits.count_ones() % 2 == 1
}
