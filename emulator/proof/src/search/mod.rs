//! Superoptimisation: finds the shortest instruction sequences for a goal by exhaustive search.
//!
//! ```
//! use gray1_proof::search::{Constants, Goal, Search};
//! use std::sync::atomic::AtomicBool;
//!
//! let goal = Goal::parse("a = ~a", None)?;
//! let search = Search::new(&goal, 2, Constants::All);
//! let stop = AtomicBool::new(false);
//! let found = search.jobs(1).iter().flat_map(|job| search.work(job, &stop).sequences).collect::<Vec<_>>();
//! assert_eq!(found[0].code(), ["nor #0"]);
//! # Ok::<(), gray1_proof::search::GoalError>(())
//! ```
//!
//! ```text
//!   expression   formulas over bytes
//!   code         instruction sequences: execution and printing
//!   goal         the goal of a search, and the proof that a sequence reaches it from every state
//!   lanes        test states in parallel
//!   state        the test states in the middle of a sequence
//!   moves        the instructions that may come next
//!   sequences    the construction of sequences, and the pruning of beginnings
//!   job          all sequences of a length, in independent parts
//! ```
//!
//! This module does no I/O and starts no threads: a search is divided into independent jobs.

mod code;
mod expression;
mod goal;
mod job;
mod lanes;
mod moves;
mod sequences;
mod state;

pub use expression::{ExpressionError, Inputs, Name};
pub use goal::{Cycles, Goal, GoalError};
pub use job::{Job, JobResult};
pub use sequences::{Constants, MAX_TEMPORARIES, Search, Sequence};
pub use state::MAX_WORDS;
