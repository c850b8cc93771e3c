//! What never ends by itself, kept busy: memory stays flat, nothing is lost, and Ctrl-C is heard.
//!
//! Each test works for `LOAD_SECONDS`, ten by default, and prints a row of the table in docs/load.md, which says how an
//! hour of all of them is run.

mod debugger;
mod load;
mod protocol;
mod runs;
mod servers;
mod streams;
