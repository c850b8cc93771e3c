//! The shortest sequences of instructions that compute something, found by exhaustive search.
//!
//! ```
//! use gray1_search::{Constants, Goal, Search};
//! use std::sync::atomic::AtomicBool;
//!
//! let goal = Goal::parse("a = ~a", None)?;
//! let search = Search::new(&goal, 2, Constants::All);
//! let stop = AtomicBool::new(false);
//! let found = search.jobs(1).iter().flat_map(|job| search.work(job, &stop).sequences).collect::<Vec<_>>();
//! assert_eq!(found[0].code(), ["nor #0"]);
//! # Ok::<(), gray1_search::GoalError>(())
//! ```
//!
//! ```text
//!   expression   formulas over bytes
//!   code         sequences of instructions: running and printing them
//!   goal         what a sequence has to compute, and the proof that it does so from every state
//!   lanes        test states in parallel
//!   state        the test states in the middle of a sequence
//!   moves        which instructions may come next
//!   search       how sequences are built, and when a beginning is abandoned
//!   job          all sequences of a length, in independent parts
//! ```
//!
//! The crate does no I/O and starts no threads: a search is divided into independent jobs.

mod code;
mod expression;
mod goal;
mod job;
mod lanes;
mod moves;
mod search;
mod state;

pub use expression::{ExpressionError, Inputs, Name};
pub use goal::{Cycles, Goal, GoalError};
pub use job::{Job, JobResult};
pub use search::{Constants, MAX_TEMPORARIES, Search, Sequence};
pub use state::MAX_WORDS;
