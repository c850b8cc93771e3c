//! Tests of machine code.

mod lockstep;
mod memory;
