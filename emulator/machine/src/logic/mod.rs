//! Boolean functions, for everything that reasons about tables instead of running them.
//!
//! ```text
//!   diagrams   decision diagrams: each function is stored once, however it was formed
//!   variables  the variables of functions
//!   numbers    several functions as one number
//!   sets       sets of lines as masks
//!   graph      the loops of a graph
//! ```
//!
//! Nothing here knows the Gray-1.

mod diagrams;
mod graph;
mod numbers;
mod sets;
mod variables;

pub use diagrams::{Diagrams, FALSE, Function, Known, Result, TRUE, TooLarge, Variable, constant};
pub use graph::components;
pub use numbers::shifted_right;
pub use sets::{ones, values};
