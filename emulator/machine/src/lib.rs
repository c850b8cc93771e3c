//! The Gray-1 itself: its board, what is burned into its chips, and the engines that run it.
//!
//! ```
//! use gray1_isa::{Image, Opcode, Word};
//! use gray1_machine::board::Board;
//! use gray1_machine::{ChipsEngine, Engine, Noise};
//!
//! let program = [Word::constant(Opcode::Lda, 2), Word::constant(Opcode::Add, 3), Word::jump(Opcode::Jmp, 2)];
//! let mut machine = ChipsEngine::power_up(&Board::gray1(), &Image::from_words(program), Noise::Random(1))?;
//! machine.run(1_000, &mut ())?; // it halts in the third cycle
//! assert_eq!((machine.cycle(), machine.registers().a, machine.net("A")), (3, 5, Some(5)));
//! # Ok::<(), gray1_machine::Failure>(())
//! ```
//!
//! ```text
//!   board    the wiring as data: parts, chips, nets, read from a file and checked
//!   burn     the contents of each ROM: one documented function for each
//!   netlist  the same board with numbers for names; names: short forms of lists of names
//!   tables   what follows from the tables when some levels are known
//!   truth    one data line of a table, reduced to the address lines on which it depends
//!   wires    how an address is gathered from the levels of a board
//!   pack     the netlist packed for speed; settle: looking up chips until nothing changes
//!   bench    a board without a CPU: switches are set, and it settles
//!   engine   the interface of all engines
//!   plain    the engine that looks up every chip in every phase, by the general rule alone
//!   partial_eval  the board, evaluated for the program in its ROM
//!   chips    the default engine: planned lookups, and partial evaluation in long runs
//!   isa      the engine that runs instruction by instruction, with the same results
//!   state    the whole machine between two cycles: saved, restored, compared
//!   marks    short texts that identify programs and boards
//!   script   inputs pressed at given cycles
//!   driver   the loop that runs an engine until something stops it; pace: how fast
//!   random   reproducible pseudo-random numbers
//!   logic         Boolean functions: decision diagrams, the loops of a graph
//! ```
//!
//! The crate does no I/O and has no display: bytes and pictures leave it through [`OutputSink`].

mod bench;
pub mod board;
pub mod burn;
mod chips;
mod driver;
mod engine;
pub mod evaluated;
mod hash;
mod isa;
pub mod logic;
mod marks;
pub mod names;
mod observed;
mod pace;
pub mod pack;
mod partial_eval;
mod plain;
mod random;
mod ron_text;
mod script;
mod seen;
pub mod settle;
mod state;
pub mod tables;
mod truth;
pub mod wires;

pub use bench::{BenchRun, Unstable};
pub use board::netlist;
pub use chips::ChipsEngine;
pub use driver::{Driver, Stop};
pub use engine::{
    Engine, Failure, LAST_PHASE, OutputSink, PHASES, RESET_PHASES, Registers, Store, Stuck, Unsettled,
};
pub use isa::IsaEngine;
pub use marks::{BoardMarks, program_mark};
pub use netlist::Netlist;
pub use observed::ObservedEngine;
pub use pace::{Pace, Slice, Speed, SpeedError};
pub use plain::{PlainEngine, Probe, Snapshot};
pub use random::Random;
pub use ron_text::SyntaxError;
pub use script::Script;
pub use seen::Seen;
pub use state::{Inputs, Noise, NoiseError, State, StateError};
pub use truth::Truth;
