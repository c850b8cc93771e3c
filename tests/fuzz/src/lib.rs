//! Random cases for everything that reads untrusted input, and for the engines, which are compared with each other.
//!
//! ```text
//!   target    the table of targets: for each, a check of bytes and a generator of cases
//!   bodies    the checks, which panic if something is wrong, and the generators
//!   campaign  cases by number: generated, or mutated from the corpus
//! ```
//!
//! A case is a sequence of bytes, usually a text that a user or an editor could have sent. Therefore the same checks serve
//! `cargo fuzz`, campaigns, and the test that runs the corpus. [testing.md](../../../docs/internals/testing.md) says how to run
//! them.

mod bodies;
pub mod campaign;
mod target;

pub use target::{TARGETS, Target, corpus};
