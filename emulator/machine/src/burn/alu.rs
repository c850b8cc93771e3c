//! The arithmetic unit: two ROMs of four bits each, the carry between them on a wire.

use super::contents::rom;
use gray1_isa::Opcode;

const LDA: u32 = Opcode::Lda as u32;
const ADD: u32 = Opcode::Add as u32;
const NOR: u32 = Opcode::Nor as u32;
const SHR: u32 = Opcode::Shr as u32;
const JMP: u32 = Opcode::Jmp as u32;
const JC: u32 = Opcode::Jc as u32;
const JZ: u32 = Opcode::Jz as u32;

rom! {
    /// The lower half of the result R, by opcode: X for LDA, A + X for ADD, NOT (A OR X) for NOR, X shifted
    /// right for SHR (that is why X4 comes in); everything else passes A, so that A keeps its value.
    ///
    /// C4 is the carry into the upper half; for SHR it carries bit 0 of X, the new C. ZL says that the lower
    /// half of A is zero. Reset forces R to 0.
    ALU_LOW(opcode: 3, a: 4, x: 4, x4: 1, rst: 1) -> (r: 4, c4: 1, zl: 1) {
        let (r, c4) = match opcode {
            _ if rst == 1 => (0, 0),
            LDA => (x, 0),
            ADD => (a + x, (a + x) >> 4),
            NOR => (!(a | x), 0),
            SHR => (x >> 1 | x4 << 3, x & 1),
            _ => (a, 0),
        };
        (r, c4, a == 0)
    }
}

rom! {
    /// The upper half of the result R, like the lower one; bit 7 of a SHR is 0.
    ///
    /// NC is the new carry: the carry out of an ADD, the bit that a SHR shifted out, else the old C. TAKE says
    /// that the instruction jumps: JMP always, JC when C is 1, JZ when both halves of A are zero. Reset forces
    /// R and NC to 0 and TAKE to 1, a jump to address 0.
    ALU_HIGH(opcode: 3, a: 4, x: 4, c4: 1, zl: 1, c: 1, rst: 1) -> (r: 4, nc: 1, take: 1) {
        let (r, nc) = match opcode {
            _ if rst == 1 => (0, 0),
            LDA => (x, c),
            ADD => (a + x + c4, (a + x + c4) >> 4),
            NOR => (!(a | x), c),
            SHR => (x >> 1, c4),
            _ => (a, c),
        };
        let take = rst == 1
            || match opcode {
                JMP => true,
                JC => c == 1,
                JZ => a == 0 && zl == 1,
                _ => false,
            };
        (r, nc, take)
    }
}
