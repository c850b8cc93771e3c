//! Registers: ROMs whose address holds their own data.

use super::contents::rom;

rom! {
    /// Remembers a byte. While the enable is 1 the output follows the input; while it is 0 the output is its
    /// own output, which comes back in on the address lines: the address holds itself.
    ///
    /// The loop survives a change of the enable because, at that moment, input and output are the same: every
    /// address between the old and the new one stores the same byte.
    LATCH(input: 8, own: 8, enable: 1) -> (own: 8) {
        (if enable == 1 { input } else { own },)
    }
}

rom! {
    /// Remembers the opposite of a byte. While the enable is 1 the output is the input with every bit inverted;
    /// while it is 0 the output is its own output, which comes back in on the address lines.
    ///
    /// It drives LEDs: outputs of memory chips can sink the current of an LED, but hardly source any. So an LED is lit
    /// by a line at 0.
    INVERTED_LATCH(input: 8, own: 8, enable: 1) -> (own: 8) {
        (if enable == 1 { input ^ 0xFF } else { own },)
    }
}

rom! {
    /// Remembers six bits of the operand field while the program counter, and with it the program word, moves:
    /// it follows W during PH1 and holds otherwise. Reset clears it: the target of a reset is address 0.
    TARGET_LATCH(w: 6, own: 6, ph1: 1, rst: 1) -> (own: 6) {
        (if rst == 1 { 0 } else if ph1 == 1 { w } else { own },)
    }
}
