//! Boolean functions, for everything that reasons about tables instead of running them.
//!
//! ```text
//!   diagrams   binary decision diagrams
//!   quick      their hash
//!   variables  quantifiers, and the support of functions
//!   numbers    several functions as one number
//!   table      truth tables: a data line of a ROM, reduced to its support
//!   sets       sets of lines as masks
//!   graph      strongly connected components
//! ```
//!
//! Nothing here knows the Gray-1.

mod diagrams;
mod graph;
mod numbers;
mod quick;
mod sets;
mod table;
mod variables;

pub use diagrams::{Diagrams, FALSE, Function, Known, Result, TRUE, TooLarge, Variable, constant};
pub use graph::components;
pub use sets::{ones, values};
pub use table::TruthTable;
