//! Why a net has its level: the chain of chips, addresses and cells that made it so.
//!
//! Everything on the board is a table, so the question has an exact answer. A data line has its level because of the
//! cell that its chip looks up; the cell was looked up because of the levels on the address lines; and of these, only
//! those count without which the bit could be different ([`Function::reasons`]). A level that a loop holds is followed
//! back to the moment when it was set, and what a RAM holds to the moment when it was written.
//!
//! ```text
//!   function  a data line as a function of address lines, and which of these fix its bit
//!   circuit   all functions of a board with its program
//!   levels    the levels of all nets at a moment
//!   loops     the loops of a graph that depend on nothing else
//!   phase     in which order the nets of a phase got their levels
//!   past      what has to be known of a run: the debugger's history knows it
//!   step      a step of a chain
//!   follower  a single step: what got its level when, and because of which lines
//!   chain     from an effect back to its causes
//!   influence from a cause forwards
//! ```
//!
//! The crate does not know what a chip is for.

mod chain;
mod circuit;
mod follower;
mod function;
mod influence;
mod levels;
mod loops;
mod past;
mod phase;
mod step;

pub use chain::{Chain, Reach};
pub use circuit::Circuit;
pub use follower::Follower;
pub use function::Function;
pub use influence::Influence;
pub use levels::Levels;
pub use past::{Moment, Past};
pub use phase::{Origin, Phase};
pub use step::{Effect, How, Lookup, Reason, Step};
