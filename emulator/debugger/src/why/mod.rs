//! Explains why a net has its level: the chain of chips, addresses and cells that caused it.
//!
//! Everything on the board is a table, so the question has an exact answer. A data line has its level because of the
//! cell that its chip looks up. The cell was looked up because of the levels on the address lines; a line is a reason only
//! if the bit could be different without it ([`Function::reasons`]). A level that is held by a loop is traced back to the
//! moment when it was set, and a bit in RAM to the moment when it was written.
//!
//! ```text
//!   function  a data line as a function of address lines, and the lines that determine its bit
//!   circuit   all functions of a board with its program
//!   levels    the levels of all nets at a moment
//!   phase     the order in which the nets of a phase got their levels
//!   past      the interface to a run; the debugger's history implements it
//!   step      a step of a chain
//!   tracer    explains a step: when a bit got its level, and because of which lines
//!   chain     from an effect back to its causes
//! ```
//!
//! It makes no assumptions about the purpose of a chip.

mod chain;
mod circuit;
mod function;
mod levels;
mod past;
mod phase;
mod step;
mod tracer;

pub use chain::{Chain, ChainLimits};
pub use circuit::Circuit;
pub use function::Function;
pub use levels::Levels;
pub use past::{Moment, Past};
pub use phase::{Origin, Phase};
pub use step::{Effect, Lookup, Mechanism, Reason, Step};
pub use tracer::Tracer;
