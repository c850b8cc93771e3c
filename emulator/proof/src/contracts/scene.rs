//! The context that all states of an execution share: levels, variables, the entry, and the reads of inputs.

use crate::contracts::levels::{Byte, Levels, Outcome};
use crate::contracts::state::{Counter, Entry, State};
use crate::contracts::variables::Variables;
use gray1_machine::logic::Function;

/// The context that all states of an execution share.
pub struct Scene<'s> {
    /// The functions of the bits.
    pub levels: Levels<'s>,
    /// The unknown bits.
    pub variables: Variables,
    /// The machine at the entry.
    pub entry: Entry,
    /// The reads of inputs, on all paths.
    pub reads: Vec<Read>,
}

/// The first number for reads before which the number of reads depends on the path.
pub const UNKNOWN_NUMBERS: u32 = 1 << 24;

/// A read of an input.
pub struct Read {
    /// The number of reads before it on the same path; from [`UNKNOWN_NUMBERS`] on if that depends on the path.
    pub number: u32,
    /// The input, as in [`State::inputs`].
    pub input: usize,
    /// The path condition of the read.
    pub condition: Function,
    /// The cycle of the read, counted from the entry.
    pub cycles: Counter,
}

impl Scene<'_> {
    /// Joins two states at the same word.
    pub fn join(&mut self, one: State, other: State) -> Outcome<State> {
        one.join(other, &mut self.entry, &mut self.variables, &mut self.levels)
    }

    /// Returns a byte of RAM in a state.
    pub fn byte(&mut self, address: u16, state: &State) -> Outcome<Byte> {
        match state.ram.get(&address) {
            Some(&written) => Ok(written),
            None => self.entry.byte(address, &mut self.variables, &mut self.levels),
        }
    }

    /// Simplifies the bits of a state where its path condition does not hold.
    pub fn simplify(&mut self, state: &mut State) -> Outcome<()> {
        let condition = state.condition;
        let bytes = state.ram.values_mut().chain(state.inputs.iter_mut().flatten()).chain([&mut state.a]);
        for bit in bytes.flatten().chain([&mut state.c]) {
            *bit = self.levels.constrain(*bit, condition)?;
        }
        Ok(())
    }
}
