//! The layout of the 4,096 bytes that a program can address.
//!
//! ```text
//!   000-FDF  working RAM
//!   FE0-FE7  display, green plane: a byte a row, FE0 the top row, bit 0 the leftmost column
//!   FE8-FEF  display, red plane, likewise
//!   FF0      output port: every store sends a byte out
//!   FF1-FF7  RAM
//!   FF8      column of the pad being pressed, one bit set, or 00
//!   FF9      row of the pad being pressed, likewise
//!   FFA      keys held
//!   FFB-FFF  always read 00
//! ```

/// Bytes of RAM, the display, the ports and the inputs included.
pub const RAM_BYTES: usize = 4096;
/// The first address past working RAM.
pub const WORKING_RAM_END: u16 = 0xFE0;
/// Rows of the display, and columns.
pub const DISPLAY_SIZE: usize = 8;
/// First row of the green plane.
pub const GREEN: u16 = 0xFE0;
/// First row of the red plane.
pub const RED: u16 = 0xFE8;
/// The output port.
pub const OUT: u16 = 0xFF0;
/// The first address that reads an input instead of RAM.
pub const INPUTS: u16 = 0xFF8;
/// The column of the pad being pressed.
pub const PADCOL: u16 = 0xFF8;
/// The row of the pad being pressed.
pub const PADROW: u16 = 0xFF9;
/// The keys held.
pub const KEYS: u16 = 0xFFA;

/// The names every program knows without defining them.
pub const BUILT_IN_NAMES: [(&str, u16); 6] =
    [("GREEN", GREEN), ("RED", RED), ("OUT", OUT), ("PADCOL", PADCOL), ("PADROW", PADROW), ("KEYS", KEYS)];

/// The keys in the order of their bits at [`KEYS`]; bit 7 is always 0.
pub const KEY_NAMES: [&str; 7] = ["left", "right", "up", "down", "a", "b", "start"];
