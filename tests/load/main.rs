//! Commands that never end by themselves, under load: memory does not grow, nothing is lost, and Ctrl-C works.
//!
//! Each test runs for `LOAD_SECONDS`, two by default, and prints a row of the table in docs/internals/testing.md, which
//! says how all of them are run for an hour.

mod debugger;
mod load;
mod protocol;
mod runs;
mod servers;
mod streams;
