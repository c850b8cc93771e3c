//! The result for a contract or a claim: a verdict with its evidence.

use crate::contracts::Obstacle;
use crate::contracts::cycles::Cycles;
use crate::contracts::violation::Violation;
use crate::contracts::witness::Witness;

/// The result for a contract or a claim.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The verdict.
    pub verdict: Verdict,
    /// The least and the most cycles, if they are known.
    pub cycles: Option<Cycles>,
    /// The sequence number at which a promise is broken.
    pub broken_at: Option<u16>,
    /// A loop, and an input with which control stays in it for ever.
    pub endless: Option<(u16, Witness)>,
    /// The reason why the contract is vacuous, if it is.
    pub vacuous: Option<Vacuity>,
}

/// The reason why a contract promises nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// No input satisfies `.requires`.
    NoInput,
    /// No run ends.
    NoEnd,
}

/// Whether a contract or claim holds.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It holds for every input.
    Proved,
    /// It does not hold for this input.
    Refuted(Violation, Witness),
    /// Neither was proved.
    Undecided(Doubt),
}

/// The reason for an undecided verdict.
#[derive(Clone, Debug)]
pub enum Doubt {
    /// A limit was reached; with the loop head that was executed last.
    Limit(Obstacle, Option<u16>),
    /// A promise does not follow from the invariant at this word.
    Invariant(Violation, u16),
    /// The store or the jump at this word may depend on noise.
    Noise(u16),
    /// No concrete run shows whether control stays for ever in the loop at this word.
    Endless(u16),
    /// The concrete run of a counterexample does not break this promise, so the symbolic execution is wrong.
    NotConfirmed(Violation),
    /// Loops were cut at invariants, and variants do not prove that all runs end within the cycles of `.within`.
    Unbounded,
}

impl Proof {
    /// Creates a result without a verdict.
    pub fn undecided(doubt: Doubt) -> Proof {
        Proof::new(Verdict::Undecided(doubt))
    }

    /// Creates a result without further evidence.
    pub fn new(verdict: Verdict) -> Proof {
        Proof { verdict, cycles: None, broken_at: None, endless: None, vacuous: None }
    }
}
