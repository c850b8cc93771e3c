//! The Gray-1 in nanoseconds: chips with delays, transients and filters, and how fast the board may run.
//!
//! [`TimedEngine`] is an engine like the others, except that its machine can fail; [`Paths`] computes from the parts'
//! data how fast the oscillator may be.
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
//! The two halves of the crate share nothing but the netlist and the model of a filter. A test compares them: just
//! below the frequency that `paths` computes, `flow` works with the worst delays; above it, it fails.
//!
//! ```text
//!   conditions  delays, transients, filters, the oscillator
//!   circuit     the board in the form that `flow` runs on
//!   flow        the simulation: levels on their way through the chips, event by event
//!   queue       events to come; coming: the changes of each line among them; noise: which lookups cause a transient
//!   idle        which lines of a chip do not matter now; rams, outlets: cells that are written, what is shown outside
//!   views       what each data line sees, where each path through a chip has its own delay
//!   log         the latest changes, with their causes
//!   board       a board with a program, prepared once to be run under many conditions
//!   engine      the timed engine, with the chips engine beside it
//!   failure     where the two differ first, as a chain of causes
//!   paths       how fast the board may run, computed from its parts
//!   stress      a program that exercises the longest paths, to measure that
//! ```
//!
//! Like the machine's own crate, this one does no I/O and knows no screen.

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
#[cfg(test)]
mod plain;
mod queue;
mod rams;
mod stress;
mod views;

pub use board::TimedBoard;
pub use conditions::{Conditions, ConditionsError, Delays, NANOSECOND};
pub use engine::TimedEngine;
pub use failure::TimedFailure;
pub use paths::{Path, Paths, Replacement, Requirement, Rule};
pub use stress::stress;
