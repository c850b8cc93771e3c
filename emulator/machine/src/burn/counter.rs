//! The program counter: two ROMs that count in Gray code, on both edges of TICK.
//!
//! A Gray code's parity flips with each step. That is all the counter needs to know: while its parity equals
//! TICK it holds, else it makes the one step that puts that right, and holds again. No edge is detected
//! anywhere, so the step cannot be missed or made twice, however slowly the lines move.

use super::contents::rom;

rom! {
    /// The lower six bits of the program counter. It holds while the parity of the whole counter (its own
    /// bits and PARH) equals TICK. Otherwise one Gray step is due: with parity 0, flip bit 0; with parity 1,
    /// flip the bit left of the lowest 1.
    ///
    /// When the lowest 1 is bit 5 or further up, that bit lies in the upper half: this chip asks for it by
    /// making TICKH differ from PARH, and the upper half answers with a new PARH. In every other case
    /// TICKH = PARH, and the upper half holds.
    ///
    /// While LOAD is 1 it takes the jump's target instead.
    COUNTER_LOW(pc: 6, tg: 6, load: 1, tick: 1, parh: 1) -> (pc: 6, tickh: 1) {
        let parity = pc.count_ones() & 1 ^ parh;
        if load == 1 {
            (tg, parh)
        } else if parity == tick {
            (pc, parh)
        } else if parity == 0 {
            (pc ^ 1, parh)
        } else if pc & 0b11111 == 0 {
            (pc, parh ^ 1)
        } else {
            (pc ^ left_of_lowest_one(pc), parh)
        }
    }
}

rom! {
    /// The upper six bits of the program counter: the same counter on its own. It holds while its parity,
    /// which it gives as PARH, equals TICKH; else it makes one Gray step. Its last step, from 100000, returns
    /// to 000000: after 4095 comes 0.
    ///
    /// While LOAD is 1 it takes the jump's target instead.
    COUNTER_HIGH(pc: 6, tg: 6, load: 1, tickh: 1) -> (pc: 6, parh: 1) {
        let parity = pc.count_ones() & 1;
        let pc = if load == 1 {
            tg
        } else if parity == tickh {
            pc
        } else if parity == 0 {
            pc ^ 1
        } else if pc == 0b100000 {
            0
        } else {
            pc ^ left_of_lowest_one(pc)
        };
        (pc, pc.count_ones() & 1)
    }
}

fn left_of_lowest_one(bits: u32) -> u32 {
    (bits & bits.wrapping_neg()) << 1
}
