//! Tests of contracts of programs.

mod claims;
mod judge;
mod verdicts;
