//! The control ROMs: the clock, the write decoder, and the flags.

use super::contents::rom;
use gray1_isa::Opcode;

rom! {
    /// Turns the oscillator into four phases. The state S walks the Gray sequence 00, 01, 11, 10: it is stable
    /// while its parity equals OSC, so each edge of OSC, rising or falling, moves it exactly one step, and
    /// only one of its two lines ever moves.
    ///
    /// PH1 is 1 in state 01 and PH2 in state 10. The states 00 and 11 lie between them, so that the two
    /// never overlap: masters close before slaves open.
    ///
    /// RST takes over the reset button RSTIN in state 10 only, and otherwise holds itself. In that state the
    /// masters are closed and nothing is stored, so the button may be pressed and let go at any moment.
    SEQUENCER(osc: 1, s: 2, rstin: 1, rst: 1) -> (s: 2, ph1: 1, ph2: 1, rst: 1) {
        let rst = if s == 0b10 { rstin } else { rst };
        let s = match (s, s.count_ones() & 1 == osc) {
            (_, true) => s,
            (0b00, _) => 0b01,
            (0b01, _) => 0b11,
            (0b11, _) => 0b10,
            _ => 0b00,
        };
        (s, s == 0b01, s == 0b10, rst)
    }
}

rom! {
    /// Says when RAM is written: during PH1 of a STA, unless the machine is being reset. PH1 comes when the
    /// program word, which is RAM's address, has long settled, and it ends before the word changes. WEN is the
    /// opposite of WE, for RAM chips that are written while a line is low.
    WRITE_DECODER(opcode: 3, ph1: 1, rst: 1) -> (we: 1, wen: 1) {
        let we = opcode == Opcode::Sta as u32 && ph1 == 1 && rst == 0;
        (we, !we)
    }
}

rom! {
    /// Five one-bit registers in one chip, in two ranks. During PH1 the masters take what the instruction
    /// wants: MC the new carry, MJ whether to jump, MT the next value of TICK. During PH2 the slaves C and
    /// TICK take their masters' values, and LOAD tells the counter to load instead of counting.
    ///
    /// Flipping TICK makes the program counter count. After a jump TICK becomes M, the parity of the target:
    /// if it is the right one the counter stands still on its target, else it counts once more.
    ///
    /// Reset keeps MT at 0, the parity of address 0.
    FLAGS(nc: 1, take: 1, m: 1, ph1: 1, ph2: 1, rst: 1, mc: 1, mj: 1, mt: 1, c: 1, tick: 1) ->
        (mc: 1, mj: 1, mt: 1, c: 1, tick: 1, load: 1) {
        let (c, tick, load) = if ph2 == 1 { (mc, mt, mj) } else { (c, tick, 0) };
        let (mc, mj, mt) = match (ph1, take) {
            (0, _) => (mc, mj, mt),
            (_, 0) => (nc, take, tick ^ 1),
            _ => (nc, take, m),
        };
        let mt = if rst == 1 { 0 } else { mt };
        (mc, mj, mt, c, tick, load)
    }
}
