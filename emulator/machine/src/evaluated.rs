//! Evaluated cycles: what each does to the bytes of a machine, as functions of bytes, and the graph of which follows
//! which. Partial evaluation makes them; a translator in a crate above this one compiles them.

use crate::engine::OutputSink;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of bytes of a machine while its board is evaluated; a power of two.
pub const BYTES: usize = 8192;
/// The bytes: RAM, then all 256 constants, then registers and inputs.
pub type Bytes = [u8; BYTES];
/// The place of the first constant, after the cells of RAM.
pub(crate) const CONSTANTS: u16 = 4096;

/// A byte as a function of the bytes at up to three places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// The byte at a place; constants have places, too.
    Copy(u16),
    /// A table of 256 bytes for the byte at a place.
    Map(u16, u16),
    /// A function of the bytes at two places.
    Two(Two, [u16; 2]),
    /// A large table, indexed by the bytes at two places and the lowest bit of a third, or 0.
    Table(u16, [u16; 3]),
}

/// A function of two bytes that processors have. All are symmetric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Two {
    Sum,
    Carry,
    Nor,
    And,
    Or,
    Xor,
}

/// The kind of a function, apart from its places.
#[derive(Clone, Copy)]
pub(crate) enum Shape {
    Map(u16),
    Two(Two),
    Table(u16),
}

/// All tables, and the functions that have been recognised.
#[derive(Default)]
pub struct Functions {
    /// The tables for one byte.
    pub maps: Vec<[u8; 256]>,
    map_numbers: FxHashMap<[u8; 256], u16>,
    /// The tables for two bytes, and those for two bytes and a bit.
    pub tables: Vec<Arc<[u8]>>,
    pub(crate) shapes: FxHashMap<Vec<u32>, Shape>,
}

/// The constant at a place, if its byte never changes.
pub fn constant(place: u16) -> Option<u8> {
    place.checked_sub(CONSTANTS).and_then(|value| u8::try_from(value).ok())
}

impl Function {
    /// The places of the bytes on which it depends; constants have none.
    pub fn places(&self) -> impl Iterator<Item = u16> + use<> {
        let places = match *self {
            Function::Copy(place) | Function::Map(_, place) => [place, CONSTANTS, CONSTANTS],
            Function::Two(_, [a, b]) => [a, b, CONSTANTS],
            Function::Table(_, places) => places,
        };
        places.into_iter().filter(|place| constant(*place).is_none())
    }
}

impl Two {
    pub(crate) const ALL: [Two; 6] = [Two::Sum, Two::Carry, Two::Nor, Two::And, Two::Or, Two::Xor];

    /// Its result.
    #[inline(always)]
    pub fn of(self, a: u8, b: u8) -> u8 {
        match self {
            Two::Sum => a.wrapping_add(b),
            Two::Carry => u8::from(a.overflowing_add(b).1),
            Two::Nor => !(a | b),
            Two::And => a & b,
            Two::Or => a | b,
            Two::Xor => a ^ b,
        }
    }
}

impl Functions {
    /// The number of a table for one byte; `None` if there are too many.
    pub(crate) fn map(&mut self, map: [u8; 256]) -> Option<u16> {
        if let Some(number) = self.map_numbers.get(&map) {
            return Some(*number);
        }
        let number = u16::try_from(self.maps.len()).ok()?;
        self.map_numbers.insert(map, number);
        self.maps.push(map);
        Some(number)
    }
}

/// Cycles that can follow each other, and what each does to the bytes of the machine.
pub struct Graph<'a> {
    /// The tables that functions refer to.
    pub functions: &'a Functions,
    /// The cycles by number; `None` for those that cannot be evaluated.
    pub nodes: Vec<Option<Node>>,
    /// The places of a byte and of a single bit, 0 or 1, that are used most.
    pub homes: [u16; 2],
}

/// A cycle. All functions are of the bytes at its beginning.
#[derive(Clone)]
pub struct Node {
    /// The opcode of its instruction.
    pub opcode: u8,
    /// The new values, with their places.
    pub changes: Vec<(u16, Function)>,
    /// The bytes that are shown, with their addresses.
    pub outlets: Vec<(u16, Function)>,
    /// The cycle that follows.
    pub next: Next,
}

/// The successor of a cycle.
#[derive(Clone, Copy)]
pub enum Next {
    /// This node.
    Always(u32),
    /// The first one if the function is 0, otherwise the second one.
    Fork(Function, [Branch; 2]),
}

/// A side of a fork. No more than one of them halts, and then nothing is changed or shown.
#[derive(Clone, Copy)]
pub struct Branch {
    /// The node that follows.
    pub node: u32,
    /// Whether the machine halts there, so the cycle must not be run if it goes this way.
    pub has_halted: bool,
}

/// A graph, translated to machine code.
pub trait Code: Send + Sync {
    /// Whether a run may begin at this node.
    fn begins_at(&self, node: u32) -> bool;

    /// Runs up to this many cycles from a node at which a run may begin. Returns the number of cycles run, which may
    /// be 0, and the node that follows.
    fn run(&mut self, machine: Running, node: u32, cycles: u64, outside: &mut dyn OutputSink) -> (u64, u32);
}

/// A machine that is run by such code.
pub struct Running<'a> {
    /// Its bytes.
    pub bytes: &'a mut Bytes,
    /// The cycles that it has run since reset.
    pub cycle: u64,
    /// The instruction counts, by opcode.
    pub executed: &'a mut [u64; 8],
}

/// Translates a graph; `None` if that is not possible on this computer.
pub type Translator = fn(&Graph) -> Option<Box<dyn Code>>;
