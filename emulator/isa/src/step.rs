//! The effect of each instruction, for any kind of values: bytes, or bits that are functions of unknown ones.
//!
//! Engines and proofs supply the values and the memory as a [`Domain`]. The contents of the ROMs are written down
//! independently, so that comparing the two is a test.

use crate::Opcode;

/// The values that instructions compute with, and the memory as one instruction accesses it.
pub trait Domain {
    /// A byte.
    type Byte: Copy;
    /// A level: the carry, or the condition of a jump.
    type Bit: Copy;
    /// The reason why an operation has no result.
    type Error;

    /// Reads the operand of the instruction.
    fn operand(&mut self) -> Result<Self::Byte, Self::Error>;
    /// Stores a byte at the address in the instruction.
    fn store(&mut self, byte: Self::Byte) -> Result<(), Self::Error>;
    /// Adds two bytes; returns the sum and the carry.
    fn add(&mut self, one: Self::Byte, other: Self::Byte) -> Result<(Self::Byte, Self::Bit), Self::Error>;
    /// Returns the bits that are set in neither byte.
    fn nor(&mut self, one: Self::Byte, other: Self::Byte) -> Result<Self::Byte, Self::Error>;
    /// Shifts a byte right by one; returns it and the bit that is shifted out.
    fn shift(&mut self, byte: Self::Byte) -> (Self::Byte, Self::Bit);
    /// Compares a byte with 0.
    fn is_zero(&mut self, byte: Self::Byte) -> Result<Self::Bit, Self::Error>;
    /// Returns the level 1.
    fn always(&self) -> Self::Bit;
}

/// Executes an instruction on the accumulator and the carry. Returns the condition of a jump; `None` for any other
/// instruction.
#[inline(always)]
pub fn step<D: Domain>(
    opcode: Opcode,
    a: &mut D::Byte,
    c: &mut D::Bit,
    domain: &mut D,
) -> Result<Option<D::Bit>, D::Error> {
    match opcode {
        Opcode::Lda => *a = domain.operand()?,
        Opcode::Sta => domain.store(*a)?,
        Opcode::Add => {
            let operand = domain.operand()?;
            (*a, *c) = domain.add(*a, operand)?;
        }
        Opcode::Nor => {
            let operand = domain.operand()?;
            *a = domain.nor(*a, operand)?;
        }
        Opcode::Shr => {
            let operand = domain.operand()?;
            (*a, *c) = domain.shift(operand);
        }
        Opcode::Jmp => return Ok(Some(domain.always())),
        Opcode::Jc => return Ok(Some(*c)),
        Opcode::Jz => return domain.is_zero(*a).map(Some),
    }
    Ok(None)
}
