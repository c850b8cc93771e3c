//! Tests of contracts of programs.

mod claims;
mod contracts;
mod judge;
