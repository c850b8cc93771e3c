//! The context shared by all states of a walk: levels, variables, the entry, and the reads of inputs.

use crate::levels::{Byte, Levels, Outcome};
use crate::state::{Count, Entry, State};
use crate::variables::Variables;

/// The context shared by all states of a walk.
pub struct Scene<B: Levels> {
    /// Computes with levels.
    pub levels: B,
    /// The unknown bits.
    pub variables: Variables,
    /// The machine at the entry.
    pub entry: Entry<B::Level>,
    /// The reads of inputs so far, on all paths.
    pub reads: Vec<Read<B::Level>>,
}

/// Reads get numbers from here on if the number of reads before them depends on the path.
pub const UNKNOWN_NUMBERS: u32 = 1 << 24;

/// A read of an input.
pub struct Read<L> {
    /// The number of reads before it on the same path; from [`UNKNOWN_NUMBERS`] on if that depends on the path.
    pub number: u32,
    /// The input, as in [`State::inputs`].
    pub input: usize,
    /// The inputs with which control reaches the read.
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
