//! Evaluated cycles as a graph, the input of a compiler in a crate above this one.

use super::bytes::{Function, Functions};
use super::places::PLACES;
use crate::engine::OutputSink;

/// The number of bytes of a machine while its board is evaluated.
pub const BYTES: usize = PLACES;
/// The bytes: RAM, then all 256 constants, then registers and inputs.
pub type Bytes = [u8; BYTES];

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
