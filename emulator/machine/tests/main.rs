//! Tests of the board and its engines.

mod bench;
mod engines;
mod formulas;
mod netlist;
mod state;
