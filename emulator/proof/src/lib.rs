//! What is true of a board, whatever the speed of its chips.
//!
//! ```
//! use gray1_machine::board::Board;
//! use gray1_proof::{Claim, Limits, Report, Verdict};
//! use std::sync::atomic::AtomicBool;
//!
//! let (board, stop) = (Board::gray1(), AtomicBool::new(false));
//! let report = Report::prove(&board, &[Claim::Order], &Limits::default(), &stop).expect("nobody stops it");
//! for claim in &report.claims {
//!     println!("{}: {:?}", claim.claim.says(), claim.verdict);
//! }
//! assert_eq!(report.verdict, Verdict::Proved);
//! ```
//!
//! ```text
//!   rom           a ROM with its cells; limits: how much is tried
//!   ring          chips that feed each other, and every order in which they can react
//!   clock         the chips that depend on the oscillator alone: the phases, found by trying
//!   phase         what is known of a phase; motion: which nets can move in it, followed through the tables
//!   scenario      the ways in which the lines of one chip can move in a phase
//!   register      what a register should do, read off its table; rest: whether the board can rest at all
//!   loops         claim 1: every loop holds over T(A,B)
//!   order         claim 2: order does not matter
//!   instructions  claim 3: the board computes the instruction set
//!   explain       counterexamples; reach: where a machine gets there
//!   claims        the claims as pieces of work; report: what came of them
//! ```
//!
//! Together the claims say that the board computes what it should with chips of any speed, as long as each phase is
//! long enough for all of them to settle: a loop that must hold its value cannot lose it (1), so each phase has one
//! final state in whatever order things happen (2), and that state, which the chips engine finds in one order, is
//! the right one (3). Nothing in the first two claims knows what a chip is for.
//!
//! The crate does no I/O. [`Report::prove`] works on one core; a front end with more takes the [`Piece`]s of the
//! claims, does them as it likes, and adds up a [`Report`].

mod claims;
mod clock;
mod explain;
mod instructions;
mod limits;
mod loops;
mod motion;
mod order;
mod phase;
mod reach;
mod register;
pub mod report;
mod rest;
mod ring;
mod rom;
mod scenario;
mod undecided;

pub use claims::{Finding, Piece};
pub use clock::ClockError;
pub use instructions::{Cases, Mismatch};
pub use limits::Limits;
pub use reach::Reached;
pub use report::{Claim, Report, Verdict};
pub use undecided::Undecided;
