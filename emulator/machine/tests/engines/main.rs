//! Tests of the machine: that the chips compute the instruction set, that the engines agree cycle for cycle, and
//! that faulty boards are refused.
//!
//! Behaviour is written down three times: what is burned into the ROMs, the fast engine, and the tables and formulas in
//! here. The first two alone could have the same fault.

mod boards;
mod cases;
mod lockstep;
mod planned;
