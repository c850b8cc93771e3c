//! The result for a contract: verdict, counterexample or reason, and cycles.

use crate::Obstacle;
use crate::witness::Moment;
use crate::violation::Part;
use serde::Serialize;

/// The result for a contract.
#[derive(Clone, Debug)]
pub struct Proof {
    /// Whether it holds.
    pub verdict: Verdict,
    /// The least and the most cycles, as far as they are known.
    pub cycles: Option<Cycles>,
    /// The method that decided it.
    pub by: By,
    /// The sequence number at which a promise is broken.
    pub broken_at: Option<u16>,
    /// An input with which control stays for ever in the loop at this word.
    pub endless: Option<(u16, Moment)>,
    /// Why the contract promises nothing, if it does not.
    pub vacuous: Option<Vacuity>,
}

/// Why a contract promises nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vacuity {
    /// No input satisfies `.requires`.
    NoInput,
    /// No run ends.
    NoEnd,
}

/// The methods that decide a contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// Decision diagrams.
    Diagrams,
    /// A solver.
    Solver,
}

/// Whether a contract holds.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// For every input.
    Proved,
    /// Not for this input.
    Refuted(Part, Moment),
    /// Neither is shown.
    Undecided(Doubt),
}

/// Why there is no verdict.
#[derive(Clone, Debug)]
pub enum Doubt {
    /// A limit was reached; the head of the loop that was walked through last.
    Limit(Obstacle, Option<u16>),
    /// A promise does not follow from the invariant at the last word before it.
    Invariant(Part, u16),
    /// The byte stored at this word, or the path from there, may depend on noise.
    Noise(u16),
    /// No concrete run shows whether control stays for ever in the loop at this word.
    Endless(u16),
    /// The run of a counterexample does not break this promise: the symbolic execution is wrong.
    NotConfirmed(Part),
    /// Loops were cut at invariants, and variants do not show that all runs end within the cycles of `.within`.
    Unbounded,
}

/// The least and the most cycles, and inputs that take them.
#[derive(Clone, Debug)]
pub struct Cycles {
    /// The least.
    pub least: Option<(u64, Moment)>,
    /// The most; `None` if there may be no bound.
    pub most: Option<(u64, Moment)>,
}

impl Proof {
    /// Without a verdict.
    pub fn undecided(doubt: Doubt) -> Proof {
        Proof::of(Verdict::Undecided(doubt))
    }

    /// Whether it has no verdict because decision diagrams became too large, where a solver may do better.
    pub fn is_too_large(&self) -> bool {
        matches!(self.verdict, Verdict::Undecided(Doubt::Limit(Obstacle::Diagrams(_), _)))
    }

    /// A verdict by diagrams, without anything else.
    pub fn of(verdict: Verdict) -> Proof {
        Proof { verdict, cycles: None, by: By::Diagrams, broken_at: None, endless: None, vacuous: None }
    }
}
