//! Random cases against everything that reads what somebody else has written, and the engines against each other.
//!
//! ```text
//!   target    what is tested: each with a check of bytes, and a generator of cases
//!   bodies    the checks: they panic where something is wrong
//!   campaign  cases by number: generated, or mutated from the corpus; counted, divided among machines
//! ```
//!
//! A case is some bytes, mostly a text that somebody could have written, so that the same checks serve `cargo fuzz`, a
//! campaign and the test that runs the kept corpus. [fuzzing.md](../../../docs/fuzzing.md) tells how to run them.

mod bodies;
pub mod campaign;
mod target;

pub use target::{TARGETS, Target, corpus};
