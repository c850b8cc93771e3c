//! The locations of bytes and of the carry while a trace is translated.

/// The location of a byte.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    Constant(u8),
    Register { number: u8, inverted: bool },
}

/// The location of the carry, and whether its value is known.
#[derive(Clone, Copy)]
pub struct Carry {
    pub place: Place,
    pub known: Option<bool>,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Register,
    /// In the processor's own carry flag.
    Flag,
    /// In no register: it is known, or it is written before it is read.
    Nowhere,
}

/// The operand of an instruction.
#[derive(Clone, Copy)]
pub enum Operand {
    Value(Value),
    /// A byte in memory that is needed only once.
    Memory(i32),
}

impl Value {
    pub fn register(self) -> Option<u8> {
        match self {
            Value::Constant(_) => None,
            Value::Register { number, .. } => Some(number),
        }
    }

    pub fn is_inverted(self) -> bool {
        matches!(self, Value::Register { inverted: true, .. })
    }

    pub fn opposite(self) -> Value {
        match self {
            Value::Constant(byte) => Value::Constant(!byte),
            Value::Register { number, inverted } => Value::Register { number, inverted: !inverted },
        }
    }
}
