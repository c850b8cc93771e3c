//! The Gray-1 itself.
//!
//! ```text
//!   burn    what each ROM holds: one documented function a ROM
//!   board   the wiring, as data: parts, chips, nets
//!   chips   the engine that looks every chip up, phase by phase
//!   fast    the engine that runs instruction by instruction, with the same results
//!   state   the whole machine between two cycles: saved, restored, compared
//!   driver  the loop that runs an engine until something stops it
//!   pace    how many cycles are due at a speed, and how many to run at a time
//! ```
//!
//! The crate does no I/O and knows no screen: bytes and pictures leave it through [`Outside`].

pub mod board;
pub mod burn;
mod chips;
mod driver;
mod engine;
mod fast;
pub mod netlist;
mod pace;
mod state;
pub mod tables;

pub use chips::{ChipsEngine, Probe, Snapshot};
pub use driver::{Driver, Stop};
pub use engine::{Engine, Failure, Outside, PHASES, Registers, Unsettled};
pub use fast::FastEngine;
pub use netlist::Netlist;
pub use pace::{Pace, Slice, Speed, SpeedError};
pub use state::{Inputs, Noise, Script, ScriptError, State, StateError, program_mark};
