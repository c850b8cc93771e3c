//! The Gray-1 in nanoseconds.
//!
//! ```text
//!   conditions  delays, transients, filters, the oscillator
//!   circuit     the board in the form that `flow` runs on
//!   flow        the simulation: levels on their way through the chips, event by event
//!   log         the latest changes, with their causes
//!   board       a board with a program, prepared once to be run under many conditions
//!   engine      the timed engine, with the chips engine beside it
//!   failure     where the two differ first, as a chain of causes
//!   paths       how fast the board may run, computed from its parts
//!   stress      a program that takes the longest paths, to measure that
//!   random      random numbers that can be repeated
//! ```
//!
//! Like the machine's own crate, this one does no I/O and knows no screen.

mod board;
mod circuit;
mod conditions;
mod engine;
mod failure;
mod flow;
mod log;
mod paths;
mod random;
mod stress;

pub use board::TimedBoard;
pub use conditions::{Conditions, ConditionsError, Delays, NANOSECOND};
pub use engine::TimedEngine;
pub use failure::TimedFailure;
pub use flow::Watcher;
pub use paths::{Path, Paths, Replacement, Requirement, Rule};
pub use stress::stress;
