//! The table of the eight instructions, and the 16-bit word that holds one.

use crate::{from_gray, gray, parity};
use std::fmt;

/// The kind of an instruction's operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A byte: the constant X\[7:0\] when M = 1, the RAM byte at X when M = 0.
    Value,
    /// An address in RAM; M is ignored.
    Address,
    /// The Gray code of a place in the program; M is its parity.
    Target,
}

/// One row of the instruction table.
#[derive(Clone, Copy, Debug)]
pub struct Instruction {
    /// The opcode that this row describes; its discriminant is the code.
    pub opcode: Opcode,
    /// The mnemonic, upper case.
    pub mnemonic: &'static str,
    /// The meaning of the operand field.
    pub operand: Operand,
    /// The effect, as a formula.
    pub effect: &'static str,
    /// The effect, as a sentence.
    pub meaning: &'static str,
}

/// The eight instructions, in the order of their codes. The assembler, the disassembler, the documents and
/// the traces all read this table.
pub const INSTRUCTIONS: [Instruction; 8] = [
    row(Opcode::Lda, "LDA", Operand::Value, "A ← v", "load the accumulator"),
    row(Opcode::Sta, "STA", Operand::Address, "RAM[x] ← A", "store the accumulator"),
    row(Opcode::Add, "ADD", Operand::Value, "A ← A + v, C ← carry out", "add to the accumulator"),
    row(Opcode::Nor, "NOR", Operand::Value, "A ← NOT (A OR v)", "neither A nor v, bit by bit"),
    row(Opcode::Shr, "SHR", Operand::Value, "A ← v >> 1, C ← bit 0 of v", "load, shifted right by one"),
    row(Opcode::Jmp, "JMP", Operand::Target, "PC ← t", "jump"),
    row(Opcode::Jc, "JC", Operand::Target, "PC ← t if C = 1", "jump if the carry is set"),
    row(Opcode::Jz, "JZ", Operand::Target, "PC ← t if A = 0", "jump if the accumulator is zero"),
];

const fn row(
    opcode: Opcode,
    mnemonic: &'static str,
    operand: Operand,
    effect: &'static str,
    meaning: &'static str,
) -> Instruction {
    Instruction { opcode, mnemonic, operand, effect, meaning }
}

/// The opcode field, bits 15 to 13 of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)] // the table above says what each does
pub enum Opcode {
    Lda,
    Sta,
    Add,
    Nor,
    Shr,
    Jmp,
    Jc,
    Jz,
}

/// A register that instructions read and write without naming it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Register {
    /// The accumulator.
    A,
    /// The carry.
    C,
}

impl Opcode {
    /// Whether the effect of the instruction depends on a register.
    pub const fn reads(self, register: Register) -> bool {
        match register {
            Register::A => matches!(self, Opcode::Sta | Opcode::Add | Opcode::Nor | Opcode::Jz),
            Register::C => matches!(self, Opcode::Jc),
        }
    }

    /// Whether the instruction loads a register, even if its value stays the same.
    pub const fn writes(self, register: Register) -> bool {
        match register {
            Register::A => matches!(self, Opcode::Lda | Opcode::Add | Opcode::Nor | Opcode::Shr),
            Register::C => matches!(self, Opcode::Add | Opcode::Shr),
        }
    }

    /// Returns this opcode's row of the instruction table.
    pub const fn row(self) -> &'static Instruction {
        &INSTRUCTIONS[self as usize]
    }

    /// Returns the opcode of a mnemonic, in any mixture of cases.
    pub fn from_mnemonic(name: &str) -> Option<Opcode> {
        INSTRUCTIONS.iter().find(|row| row.mnemonic.eq_ignore_ascii_case(name)).map(|row| row.opcode)
    }
}

/// One word of program memory.
///
/// ```text
///   15 14 13 | 12 | 11 10 9 8 7 6 5 4 3 2 1 0
///    opcode  |  M |             X
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Word(pub u16);

impl Word {
    /// Packs the three fields; X is cut to its 12 bits.
    pub const fn new(opcode: Opcode, m: bool, x: u16) -> Word {
        Word((opcode as u16) << 13 | (m as u16) << 12 | (x & 0xFFF))
    }

    /// Returns an instruction with a constant operand (`LDA #5`).
    pub const fn constant(opcode: Opcode, value: u8) -> Word {
        Word::new(opcode, true, value as u16)
    }

    /// Returns an instruction with a RAM operand (`LDA $5`).
    pub const fn ram(opcode: Opcode, address: u16) -> Word {
        Word::new(opcode, false, address)
    }

    /// Returns a jump to a sequence number, with the right Gray code and parity.
    pub const fn jump(opcode: Opcode, target: u16) -> Word {
        let code = gray(target & 0xFFF);
        Word::new(opcode, parity(code), code)
    }

    /// Returns the opcode field.
    pub const fn opcode(self) -> Opcode {
        INSTRUCTIONS[(self.0 >> 13) as usize].opcode
    }

    /// The mode bit M.
    pub const fn m(self) -> bool {
        self.0 >> 12 & 1 == 1
    }

    /// Returns the operand field X.
    pub const fn x(self) -> u16 {
        self.0 & 0xFFF
    }

    /// Returns the word at which a taken jump lands: its target, or one word further if M is not the parity of X, since
    /// the counter then sees a parity that does not match and counts once.
    pub const fn landing(self) -> Option<u16> {
        match self.opcode().row().operand {
            Operand::Target => {
                let wrong_parity = parity(self.x()) != self.m();
                Some((from_gray(self.x()) + wrong_parity as u16) & 0xFFF)
            }
            _ => None,
        }
    }
}

/// Reads like a line of source: `LDA #$05`, `STA $FE0`, `JMP 17`; a jump of wrong parity shows as `JMP 16+1`.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.opcode().row();
        write!(f, "{} ", row.mnemonic)?;
        match row.operand {
            Operand::Value if self.m() => write!(f, "#${:02X}", self.x() & 0xFF),
            Operand::Value | Operand::Address => write!(f, "${:03X}", self.x()),
            Operand::Target if parity(self.x()) == self.m() => write!(f, "{}", from_gray(self.x())),
            Operand::Target => write!(f, "{}+1", from_gray(self.x())),
        }
    }
}
