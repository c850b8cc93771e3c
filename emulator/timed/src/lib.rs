//! The Gray-1 in nanoseconds: chips with delays, transients and filters, and how fast the board may run.
//!
//! [`TimedEngine`] is an engine like the others, except that its machine can fail; [`Paths`] computes the highest safe
//! frequency of the oscillator from the data of the parts.
//!
//! ```
//! use gray1_isa::{Image, Opcode, Word};
//! use gray1_machine::{Engine, Noise, board::Board};
//! use gray1_timed::{Conditions, Delays, Paths, TimedEngine};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let board = Board::gray1();
//! let capacitor = 1_000; // picofarads
//! let half_period = Paths::find(&board, false)?.half_period(capacitor);
//! let conditions = Conditions { half_period, delays: Delays::Random(1), transients: Some(1), capacitor };
//! let image = Image::from_words([Word::constant(Opcode::Lda, 42), Word::jump(Opcode::Jmp, 1)]);
//! let mut engine = TimedEngine::power_up(&board, &image, Noise::Zeros, &conditions)?;
//! engine.run(100, &mut ())?; // the error is a `TimedFailure`: which net was wrong first, and why
//! assert_eq!((engine.registers().a, engine.halted()), (42, true));
//! # Ok(())
//! # }
//! ```
//!
//! The two halves of the crate share only the netlist and the model of a filter. A test compares them: with the worst
//! delays, `flow` works just below the frequency that `paths` computes, and fails above it.
//!
//! ```text
//!   conditions  delays, transients, filters, the oscillator
//!   circuit     the board in the form that `flow` runs on
//!   flow        the simulation: changes of levels propagate through the chips, event by event
//!   queue       future events; coming: the changes of each line among them; noise: which lookups cause a transient
//!   idle        which lines of a chip do not matter now; rams, outlets: writes to RAM, bytes that are shown outside
//!   views       the address that each data line sees, if each path through a chip has its own delay
//!   log         the latest changes, with their causes
//!   board       a board with a program, prepared once to be run under many conditions
//!   engine      the timed engine, with the chips engine beside it
//!   failure     the first difference between the two, with the chain of its causes
//!   paths       the highest safe frequency, computed from the data of the parts
//!   stress      a program that exercises the longest paths, to verify that by simulation
//! ```
//!
//! Like the crate `machine`, this crate does no I/O and has no display.

mod board;
mod circuit;
mod coming;
mod conditions;
mod engine;
mod failure;
mod flow;
mod idle;
mod log;
mod noise;
mod outlets;
mod paths;
mod queue;
mod rams;
mod stress;
mod views;

pub use board::TimedBoard;
pub use conditions::{Conditions, ConditionsError, Delays, NANOSECOND};
pub use engine::TimedEngine;
pub use failure::TimedFailure;
pub use paths::{Levels, Path, Paths, Replacement, Requirement, Rule};
pub use stress::stress;
