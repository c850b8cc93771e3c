//! The third claim: the board computes the instruction set.
//!
//! One machine cycle is run for all states at once (see [`crate::cycle`]): from every state in which a cycle can begin,
//! with any word of the program, any byte of RAM, any pads and keys. Its stores, the bytes that it shows and sends, and
//! the state that it leaves are compared with the definition of the instruction set (see [`crate::instruction_set`]). The chips
//! are looked up in one order, which is enough by the first two claims.

mod case;
mod comparison;
mod counterexample;
mod fetch;
mod observed;
mod probes;
mod program;
mod shortest;

pub(crate) use comparison::{Cycle, run};
pub(crate) use counterexample::{Conclusion, Explanation, by_search};
pub(crate) use observed::Observer;
