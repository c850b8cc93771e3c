//! What is true of a board, whatever the speed of its chips.
//!
//! ```text
//!   wiring        the board as tables and nets with numbers
//!   ring          chips that feed each other, and every order in which they can react
//!   clock         the chips that depend on the oscillator alone: the phases, found by trying
//!   motion        which nets can move in which phase, followed through the tables
//!   scenario      the ways in which the lines of one chip can move in a phase
//!   duty          what a register is to do, read off its table
//!   loops         claim 1: every loop holds over T(A,B)
//!   order         claim 2: order does not matter
//!   instructions  claim 3: the board computes the instruction set
//!   explain       counterexamples; reach: where a machine gets there
//!   proof         the claims as pieces of work; report: what came of them
//! ```
//!
//! The three together say that the board computes what it should with chips of any speed, as long as each phase is
//! long enough for all of them to come to rest: a loop that is to hold cannot fall over (1), so each phase has one
//! end in whatever order things happen (2), and that end, which the chips engine finds in one order, is the right
//! one (3). Nothing in the first two claims knows what a chip is for.
//!
//! The crate does no I/O. A front end takes the [`Piece`]s of the claims, does them on as many cores as it has, and
//! adds up a [`Report`].

mod clock;
mod duty;
mod explain;
mod instructions;
mod loops;
mod motion;
mod order;
mod proof;
mod reach;
pub mod report;
mod ring;
mod scenario;
mod wiring;

pub use instructions::{Cases, Mismatch};
pub use proof::{Finding, Piece};
pub use reach::Reached;
pub use report::{Claim, Report, Verdict};
