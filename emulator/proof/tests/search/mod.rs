//! Tests of the search.

mod complete;
mod known;
