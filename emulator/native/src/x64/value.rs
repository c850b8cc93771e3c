//! The locations of bytes while a trace is translated.

/// Registers for bytes: eax, ecx, edx, ebx, ebp, esi, r11d to r15d.
pub const POOL: [u8; 11] = [0, 1, 2, 3, 5, 6, 11, 12, 13, 14, 15];
/// The register of the home of a byte at an entry.
pub const BYTE: u8 = POOL[0];
/// The register of the home of a bit.
pub const BIT: u8 = 9;

/// The location of a byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Constant(u8),
    Register {
        number: u8,
        inverted: bool,
    },
    /// 0 or 1, in the processor's own carry flag. Only the bit that has a home is ever there.
    Flag,
}

/// The operand of a function.
#[derive(Clone, Copy)]
pub enum Operand {
    Value(Value),
    /// A byte in memory that is needed only once.
    Memory(i32),
}

impl Value {
    /// A byte in a register, as it is.
    pub fn of(number: u8) -> Value {
        Value::Register { number, inverted: false }
    }

    pub fn register(self) -> Option<u8> {
        match self {
            Value::Register { number, .. } => Some(number),
            Value::Constant(_) | Value::Flag => None,
        }
    }

    pub fn is_inverted(self) -> bool {
        matches!(self, Value::Register { inverted: true, .. })
    }

    pub fn opposite(self) -> Value {
        match self {
            Value::Constant(byte) => Value::Constant(!byte),
            Value::Register { number, inverted } => Value::Register { number, inverted: !inverted },
            Value::Flag => Value::Flag, // it is moved to a register before
        }
    }
}

impl Operand {
    pub fn register(self) -> Option<u8> {
        match self {
            Operand::Value(value) => value.register(),
            Operand::Memory(_) => None,
        }
    }
}
