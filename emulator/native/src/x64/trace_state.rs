//! The translator's knowledge at a point of a trace: the bytes in registers, and the cycles counted.

use super::value::{BIT, Value};

/// The number of instructions run, by opcode.
pub type Counts = [u16; 8];

/// A byte that is also in a register, or whose value is known. The places that have a home are always among them.
#[derive(Clone, Copy)]
pub struct Cached {
    pub place: u16,
    pub value: Value,
    /// Whether it has not been stored, because it is overwritten soon.
    pub is_unsaved: bool,
    /// The last cycle of the trace that reads it.
    pub until: usize,
}

/// The translator's knowledge before a cycle.
#[derive(Clone)]
pub struct TraceState {
    pub cache: Vec<Cached>,
    /// The register whose byte set the processor's zero flag.
    pub zero: Option<u8>,
    /// The contents of the bit's register, if known.
    pub home_bit: Option<u8>,
    /// The instructions run since the entry.
    pub counts: Counts,
    /// Number of bytes recorded since the entry.
    pub stores: i32,
}

impl TraceState {
    /// The value of a place that is in a register, or known.
    pub fn value(&self, place: u16) -> Value {
        let cached = self.cache.iter().find(|cached| cached.place == place);
        cached.map_or(Value::Constant(0), |cached| cached.value) // homes are always cached
    }

    /// Records the byte at a place, which may be in a register.
    pub fn learn(&mut self, place: u16, byte: u8) {
        if self.value(place) == Value::of(BIT) {
            self.home_bit = Some(byte);
        }
        self.set(place, Value::Constant(byte));
    }

    pub fn set(&mut self, place: u16, value: Value) {
        self.cache.iter_mut().filter(|cached| cached.place == place).for_each(|cached| cached.value = value);
    }
}

/// An exit of a trace.
#[derive(Clone)]
pub struct Exit {
    pub now: TraceState,
    /// Number of cycles since the entry.
    pub ran: usize,
    pub to: u32,
    /// Whether the next cycle halts, so that it must not be run here.
    pub halts: bool,
}
