//! Tests of the machine: the chips implement the instruction set, the engines agree cycle for cycle, and faulty boards
//! are rejected.
//!
//! The instruction set is implemented three times: in the ROMs, in the engine isa, and in the tables and formulas
//! here. The first two alone could have the same mistake.

mod ahead;
mod boards;
mod cases;
mod lockstep;
mod planned;
