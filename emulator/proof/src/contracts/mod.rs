//! Proofs about programs of the Gray-1: a contract holds for every input, or there is a counterexample.
//!
//! A program cannot modify itself, and has no stack and no indirect addressing. So symbolic execution covers all inputs
//! at once: the program counter is concrete, and each bit of A, C and RAM is a Boolean function of the bits at the entry
//! and of the values of pads and keys at each read. Where two paths meet at the same word, their states are joined. A
//! loop is unrolled until no input stays in it, or cut at an invariant.
//!
//! ```text
//!   symbolic values
//!     levels        Boolean functions, as decision diagrams
//!     variables     the unknown bits, and the order in which decision diagrams test them
//!     number        integers of such bits
//!     state         the machine as a program sees it
//!     scene         the context that all states of an execution share
//!     formula       the formulas of contracts, evaluated in a state
//!   symbolic execution
//!     access        the address that a word reads or writes
//!     flow          the order in which words are executed
//!     execution     the execution, from an entry to all exits
//!     repetition    states that repeat
//!   contracts
//!     prove         from a contract to its proof
//!     prover        the program, and the extents of its contracts
//!     extent        the entry and the exits of a contract
//!     attempt       one attempt at a proof
//!     promises      the clauses of a contract, checked during the execution; clauses: formulas derived from them
//!     cut_points    the invariants at which executions end and begin
//!     cycles        the least and the most cycles
//!   claims about programs without contracts
//!     claims        from a claim to its proof
//!     halting       the claim that a program halts
//!     lockstep      two runs with the same inputs, side by side; segment: one of them, between two events
//!     prefix        the beginning of a program, before its first input
//!     taint         the bytes that may depend on noise after that
//!     path_keys     the bytes that tell the paths of this analysis apart
//!     trace         concrete runs, which confirm a refuted claim
//!   results
//!     violation     the clauses and claims that a run can break
//!     proof         a verdict with its evidence
//!     witness       an input of interest, as a state and an input script
//!     replay        the concrete run of a witness; final_values: the values at its end
//!     report        verdicts as text and as JSON; wording: their sentences; lens: as editors show them
//! ```
//!
//! Nothing is cut off silently: at a limit, the verdict is *undecided*.

mod access;
mod attempt;
mod claims;
mod clauses;
mod cut_points;
mod cycles;
mod execution;
mod extent;
mod final_values;
mod flow;
mod formula;
mod halting;
mod lens;
mod levels;
mod lockstep;
mod number;
mod path_keys;
mod prefix;
mod promises;
mod proof;
mod prove;
mod prover;
mod repetition;
mod replay;
mod report;
mod scene;
mod segment;
mod state;
mod taint;
mod trace;
mod variables;
mod violation;
mod witness;
mod wording;

pub use claims::Claim;
pub use cycles::Cycles;
pub use final_values::FinalValue;
pub use lens::{lenses, title};
pub use levels::{Stop, words_executed};
pub use proof::{Doubt, Proof, Vacuity, Verdict};
pub use prover::{Limits, Prover};
pub use replay::Read;
pub use report::{Counterexample, CycleBounds, Input, Row, VerdictKind};
pub use violation::Violation;
pub use witness::Witness;

use gray1_text::grouped;
use thiserror::Error;

/// The reason for the lack of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Obstacle {
    /// The caller has cancelled the work.
    #[error("interrupted")]
    Stopped,
    /// Decision diagrams became too large.
    #[error("decision diagrams have more than {} nodes", grouped(*.0 as u64))]
    Diagrams(usize),
    /// A number became too wide.
    #[error("a number has more than {0} bits")]
    TooWide(usize),
    /// Too many bytes are unknown.
    #[error("more than {0} bytes are unknown")]
    TooManyUnknowns(usize),
    /// Two runs may have made different numbers of reads, depending on the path.
    #[error("whether both runs have made the same number of reads depends on the path")]
    NotAligned,
    /// Too many words were executed.
    #[error("{} words were walked through without an end", grouped(*.0))]
    TooLong(u64),
}
