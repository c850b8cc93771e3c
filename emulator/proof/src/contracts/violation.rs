//! The clauses of a contract, and the claims, that a run can break.

use gray1_assembler::{Contract, Promise};

/// A broken clause or claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Violation {
    /// The `.ensures` of this number.
    Ensures(usize),
    /// The `.invariant` of this number.
    Invariant(usize),
    /// The `.check` of this number.
    Check(usize),
    /// The `.variant` of this number.
    Variant(usize),
    /// `.modifies`: this byte of RAM is changed.
    Byte(u16),
    /// `.modifies`: A is changed.
    A,
    /// `.modifies`: C is changed.
    C,
    /// `.within`: the run takes too many cycles.
    Within,
    /// `.within`: the machine halts before control comes back.
    Halts,
    /// The claim `halts`: control can stay for ever in the loop at this word.
    Endless(u16),
    /// The claim `noise`: the visible store of this number depends on this byte of RAM at power-up.
    NoisyStore(usize, u16),
    /// The claim `noise`: whether the machine halts depends on this byte of RAM at power-up.
    NoisyHalt(u16),
    /// The claim `noise`: the first byte of RAM, at a halt, depends on the second at power-up.
    NoisyByte(u16, u16),
    /// The claim `same`: the visible stores of this number differ.
    StoresDiffer(usize),
}

impl Violation {
    /// Returns the broken promise, if it has a formula.
    pub fn promise(self, contract: &Contract) -> Option<&Promise> {
        match self {
            Violation::Ensures(number) => contract.ensures.get(number),
            Violation::Invariant(number) => contract.invariants.get(number).map(|(_, promise)| promise),
            Violation::Check(number) => contract.checks.get(number).map(|(_, promise)| promise),
            Violation::Variant(number) => contract.variants.get(number).map(|(_, promise)| promise),
            _ => None,
        }
    }
}
