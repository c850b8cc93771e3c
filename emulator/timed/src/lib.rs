//! The Gray-1 in nanoseconds.
//!
//! ```text
//!   circuit     the board: nets by number, chips as tables
//!   conditions  delays, transients, filters, the oscillator
//!   flow        levels on their way through the chips, event by event
//!   log         what happened lately, and what caused it
//!   engine      the machine that runs in time, beside the one that knows none
//!   failure     where the two part, told as a chain of causes
//!   paths       how fast the board may run, computed from its parts
//!   stress      a program that takes the longest ways there are, to measure that
//!   random      chance that can be repeated
//! ```
//!
//! Like the machine's own crate, this one does no I/O and knows no screen.

mod circuit;
mod conditions;
mod engine;
mod failure;
mod flow;
mod log;
mod paths;
mod random;
mod stress;

pub use circuit::Net;
pub use conditions::{Conditions, ConditionsError, Delays, NANOSECOND};
pub use engine::{Bench, TimedEngine};
pub use failure::{Failure, Wrong};
pub use flow::Watcher;
pub use paths::{Need, Paths, Replacement, Way, Why};
pub use stress::stress;
