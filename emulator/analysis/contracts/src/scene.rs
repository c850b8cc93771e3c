//! What the states of a walk have in common: levels, variables, the entry, and the reads of inputs.

use crate::levels::{Byte, Levels, Outcome};
use crate::state::{Count, Entry, State};
use crate::variables::Variables;

/// What every state of a walk is made of.
pub struct Scene<B: Levels> {
    /// Computes with levels.
    pub levels: B,
    /// What is unknown.
    pub variables: Variables,
    /// The machine at the entry.
    pub entry: Entry<B::Level>,
    /// The reads of inputs so far, on all ways.
    pub reads: Vec<Read<B::Level>>,
}

/// Where the numbers of reads begin of which it depends on the way how many were before.
pub const UNKNOWN_NUMBERS: u32 = 1 << 24;

/// A read of an input.
pub struct Read<L> {
    /// How many there were before on the same way; large numbers if that depends on the way.
    pub number: u32,
    /// Which input, as in [`State::inputs`].
    pub input: usize,
    /// Where control came by.
    pub condition: L,
    /// The cycle of the read, counted from the entry.
    pub cycles: Count<L>,
}

impl<B: Levels> Scene<B> {
    /// Two states at the same word as one.
    pub fn join(&mut self, one: State<B::Level>, other: State<B::Level>) -> Outcome<State<B::Level>> {
        one.joined(other, &mut self.entry, &mut self.variables, &mut self.levels)
    }

    /// A byte of RAM in a state.
    pub fn byte(&mut self, address: u16, state: &State<B::Level>) -> Outcome<Byte<B::Level>> {
        match state.ram.get(&address) {
            Some(&written) => Ok(written),
            None => self.entry.byte(address, &mut self.variables, &mut self.levels),
        }
    }

    /// Makes the bits of a state simpler that need to be right only where control is.
    pub fn simplify(&mut self, state: &mut State<B::Level>) -> Outcome<()> {
        let condition = state.condition;
        let bytes = state.ram.values_mut().chain(state.inputs.iter_mut().flatten()).chain([&mut state.a]);
        for bit in bytes.flatten().chain([&mut state.c]) {
            *bit = self.levels.within(*bit, condition)?;
        }
        Ok(())
    }
}
