//! The parts of a contract, and the claims, that a run can break.

use gray1_assembler::{Contract, Promise};

/// The part of a contract that does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The `.ensures` of this number.
    Ensures(usize),
    /// The `.invariant` of this number.
    Invariant(usize),
    /// The `.check` of this number.
    Check(usize),
    /// The `.variant` of this number.
    Variant(usize),
    /// `.modifies`, because this byte of RAM has been changed.
    Byte(u16),
    /// `.modifies`, because of A.
    A,
    /// `.modifies`, because of C.
    C,
    /// `.within`.
    Within,
    /// The machine halts, where `.within` says that control comes back.
    Halts,
    /// The claim `halts`: control can stay for ever in the loop at this word.
    Endless(u16),
    /// The claim `noise`: the store of this number depends on what this byte of RAM held.
    Shown(usize, u16),
    /// The claim `noise`: whether the machine halts depends on what this byte of RAM held.
    HaltOfNoise(u16),
    /// The claim `noise`: a byte of RAM depends on what another held.
    Kept(u16, u16),
    /// The claim `same`: the stores of this number are not the same.
    Differs(usize),
}

impl Part {
    /// The promise of a contract that has a formula.
    pub fn promise(self, contract: &Contract) -> Option<&Promise> {
        match self {
            Part::Ensures(number) => contract.ensures.get(number),
            Part::Invariant(number) => contract.invariants.get(number).map(|(_, promise)| promise),
            Part::Check(number) => contract.checks.get(number).map(|(_, promise)| promise),
            Part::Variant(number) => contract.variants.get(number).map(|(_, promise)| promise),
            _ => None,
        }
    }
}
