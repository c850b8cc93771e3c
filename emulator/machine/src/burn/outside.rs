//! Multiplexers and decoders: how operands, display, port, pads and keys meet the data bus.

use super::contents::rom;
use gray1_isa::memory_map::{GREEN, INPUTS, KEYS, OUT, PADCOL, PADROW, RED};

rom! {
    /// Chooses between two bytes: the first while the select line is 0, the second while it is 1.
    MUX(first: 8, second: 8, select: 1) -> (chosen: 8) {
        (if select == 1 { second } else { first },)
    }
}

rom! {
    /// Chooses what a program reads at an input address: the pad byte, the seven keys, or nothing (00).
    KEY_MUX(pad: 8, keys: 7, select_keys: 1, select_none: 1) -> (chosen: 8) {
        (match (select_keys, select_none) {
            (_, 1) => 0,
            (1, _) => keys,
            _ => pad,
        },)
    }
}

rom! {
    /// Opens the latch of one green row while RAM is written at FE0 to FE7. All enables stay at 0 while WE is
    /// 0, whatever the address does: no latch opens by accident while the address moves.
    GREEN_DECODER(address: 12, we: 1) -> (enable: 8) {
        (row_enable(GREEN, address, we),)
    }
}

rom! {
    /// Opens the latch of one red row while RAM is written at FE8 to FEF, like GREEN_DECODER for the green rows.
    RED_DECODER(address: 12, we: 1) -> (enable: 8) {
        (row_enable(RED, address, we),)
    }
}

rom! {
    /// Opens the latch of the output port while RAM is written at FF0; its enable is also the strobe that signals a new
    /// byte to the outside. For reads, it selects the byte that replaces that of RAM at FF8 to FFF: the row of a pad
    /// instead of its column, the keys, or nothing.
    PORT_DECODER(address: 12, we: 1) -> (out: 1, input: 1, row: 1, keys: 1, none: 1) {
        let at = |place: u16| address == u32::from(place);
        let input = address >= u32::from(INPUTS);
        (at(OUT) && we == 1, input, at(PADROW), at(KEYS), input && !at(PADCOL) && !at(PADROW) && !at(KEYS))
    }
}

fn row_enable(plane: u16, address: u32, we: u32) -> u32 {
    match address.wrapping_sub(u32::from(plane)) {
        row @ 0..8 if we == 1 => 1 << row,
        _ => 0,
    }
}
