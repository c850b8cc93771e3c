//! Proofs of properties of a board that do not depend on the speed of its chips.
//!
//! ```
//! use gray1_machine::board::Board;
//! use gray1_proof::{Claim, Prover, Verdict};
//!
//! let board = Board::gray1();
//! let prover = Prover::new(&board);
//! for claim in [Claim::Order, Claim::Instructions] {
//!     let report = prover.prove(claim)?;
//!     println!("{}: {:?}", claim.wording().statement, report.verdict);
//!     assert_eq!(report.verdict, Verdict::Proved);
//! }
//! # Ok::<(), gray1_proof::Stopped>(())
//! ```
//!
//! ```text
//!   rom           a ROM with its cells; limits: the limits of searches
//!   ring          chips that feed each other, and every order in which they can react
//!   clock         the chips that depend on the oscillator alone: the phases, found by exploration
//!   phase         the known facts about a phase; motion: which nets can move in it, derived from the tables
//!   scenario      the ways in which the lines of one chip can move in a phase
//!   moves         boards without a CPU: all that can happen when inputs move; bench: claims about them
//!   register      what a register should do, derived from its table; rest: whether the board can be at rest at all
//!   loops         claim 1: every loop holds over T(A,B)
//!   order         claim 2: order does not matter; surroundings: how the lines around a ring can move
//!   instructions  claim 3: the board computes the instruction set, for all states at once: cycle, instruction_set
//!   strobes       claim 4: lines that open a latch or write change only as their phase allows
//!   reset         claim 5: nothing is lost by pressing the button, and the machine starts at 0; button: what the
//!                 clock makes of it; inputs: what pads, keys and the button's line reach; presses: a search for harm
//!   races         which paths have to be faster than which, if each path through a chip has its own delay
//!   cells         which cells can be reached
//!   explain       counterexamples; reach: runs in which they occur; runs: what runs have in common
//!   simulation    a board with a delay for each line; trial: runs of it in which a fault makes a difference
//!   claim         the five claims in words; prover: a board, limits, and what several claims need;
//!                 prove: proves or refutes them; weigh: what counts against a board
//!   report        results as data; fault: counterexamples; mismatch: wrong instructions; undecided: why there is no
//!                 verdict; text: for people; certificate: for an independent checker
//!   contracts    proofs about programs: contracts, claims, counterexamples
//!   search       the shortest instructions for a formula
//! ```
//!
//! Together the claims say that the board computes what it should with chips and lines of any speed, as long as each
//! phase is long enough for all of them to settle and all data lines of a chip see the same address (`races` derives
//! what is needed if they do not): a loop that must hold its value cannot lose it (1), so each phase has one final
//! state in whatever order the lines change (2), and that state, which the chips engine finds in one order, is the
//! right one (3); on the way there nothing is written or sent (4); and there is a state to begin with (5). The first
//! two claims do not depend on the purpose of any chip.
//!
//! The crate does no I/O. A proof of a claim uses one core, and the claims can be proved independently.

mod bench;
mod button;
mod cells;
mod certificate;
mod claim;
mod clock;
pub mod contracts;
mod cycle;
mod examination;
mod explain;
mod fault;
mod inputs;
mod instruction_set;
mod instructions;
mod limits;
mod loops;
mod mismatch;
mod motion;
mod moves;
mod order;
mod phase;
mod presses;
mod prove;
mod prover;
mod races;
mod reach;
mod register;
pub mod report;
mod reset;
mod rest;
mod ring;
mod rom;
mod runs;
mod scenario;
pub mod search;
mod simulation;
mod strobes;
mod surroundings;
mod text;
mod trial;
mod undecided;
mod weigh;

pub use bench::order_in_moves;
pub use cells::{CellReach, Reach};
pub use certificate::Certificate;
pub use claim::{APART_PHASES, Claim, HOLD_CYCLES, RESET_CYCLES, Wording};
pub use limits::Limits;
pub use mismatch::{Aspect, Cell, Mismatch, Observed, Program};
pub use motion::Move;
pub use moves::{Explorer, Levels, Moved, Trouble};
pub use order::order_makes_no_difference;
pub use prover::{Prover, Stopped};
pub use races::{Race, Races};
pub use reach::Reached;
pub use report::{Report, ResetFault, StrobeTrouble, Verdict};
pub use undecided::{ClockError, Undecided};
