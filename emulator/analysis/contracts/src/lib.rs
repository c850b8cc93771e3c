//! Proofs about programs of the Gray-1: a contract holds for every input, or there is an input that breaks it.
//!
//! A program cannot change itself, and has no stack and no indirect addressing. So what a few instructions do can be
//! computed for all inputs at once: each bit of A, C and RAM is a function of the bits at the entry, and of what pads
//! and keys give at each read, while the program counter is known. Where two ways meet at the same word, their states
//! become one; a loop is gone through until no input stays in it.
//!
//! ```text
//!   levels     bits that depend on variables: decision diagrams, or questions for a solver
//!   gates      the questions
//!   variables  what is unknown, in a good order
//!   number     numbers of such bits
//!   formula    the formulas of contracts, computed in a state
//!   state      the machine as a program sees it
//!   flow       the order in which words are walked
//!   walk       from the entry to all exits; scene: what its states have in common
//!   ends       where its runs begin and end
//!   part       what a run can break
//!   promises   what a contract says, checked on the way; cuts: where walks end and begin anew
//!   prove      contracts: from a program to verdicts; attempt: one walk for them; prover: the program and where
//!              runs end; proof: the result
//!   claims     claims about a program without contracts: halting; lockstep: two runs, a segment at a time;
//!              noise: what may depend on power-up; ways: on which ways
//!   repetition states that come back
//!   trace      concrete runs, which confirm a refuted claim
//!   moment     an input that breaks a promise, as a state and an input script
//!   replay     its concrete run; finals: the values at the end
//!   report     verdicts, as they are printed; wording: their sentences; lens: as editors show them
//! ```
//!
//! Nothing is cut off in silence: at a limit, the verdict is *undecided*.

mod attempt;
mod claims;
mod cut_points;
mod extent;
mod final_values;
mod flow;
mod formula;
mod gates;
mod halting;
mod lens;
mod levels;
mod lockstep;
mod witness;
mod prefix;
mod number;
mod violation;
mod promises;
mod proof;
mod contracts;
mod prover;
mod repetition;
mod replay;
mod report;
mod scene;
mod segment;
mod state;
mod trace;
mod variables;
mod execution;
mod taint;
mod wording;

pub use claims::Claim;
pub use final_values::Final;
pub use gates::Solver;
pub use lens::{lenses, title};
pub use levels::{Stop, words_walked};
pub use witness::Moment;
pub use violation::Part;
pub use proof::{Cycles, Doubt, Proof, Vacuity, Verdict};
pub use prover::{Limits, Prover};
pub use replay::Read;
pub use report::{Counterexample, Input, Known, Row, Word};

use gray1_text::grouped;
use thiserror::Error;

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Obstacle {
    /// The work was stopped.
    #[error("interrupted")]
    Stopped,
    /// Decision diagrams became too large.
    #[error("decision diagrams have more than {} nodes", grouped(*.0 as u64))]
    Diagrams(usize),
    /// The network of gates became too large.
    #[error("the question has more than {0} gates")]
    Gates(usize),
    /// The solver has no answer.
    #[error("the solver has no answer")]
    NoAnswer,
    /// A number became too wide.
    #[error("a number has more than {0} bits")]
    TooWide(usize),
    /// Too many things are unknown.
    #[error("more than {0} bytes are unknown")]
    TooManyUnknowns(usize),
    /// The reads of two runs cannot be numbered.
    #[error("whether both runs have made the same number of reads depends on the path")]
    NotAligned,
    /// Too many words were carried out.
    #[error("{} words were walked through without an end", grouped(*.0))]
    TooLong(u64),
}
