//! Simulates faults of a real Gray-1: stuck pins, adjacent pins that are joined, wrong cells, wrong chips in sockets,
//! exchanged wires, open resistors and cables. It finds out which of them a test program detects, and, in the other
//! direction, which faults explain an observation.
//!
//! ```
//! use gray1_hardware::faults::{Circuit, Conditions, Reference, Watch};
//! use std::sync::atomic::AtomicBool;
//! use gray1_isa::{Image, Opcode, Word};
//! use gray1_machine::{Noise, Script, board::Board};
//!
//! let program = [Word::constant(Opcode::Lda, 0x55), Word::ram(Opcode::Sta, 0xFF0), Word::jump(Opcode::Jmp, 2)];
//! let circuit = Circuit::new(&Board::built(), &Image::from_words(program))?;
//! let stop = AtomicBool::new(false);
//! let conditions = Conditions { noise: Noise::Random(1), script: Script::default(), max_cycles: 1_000 };
//! let reference = Reference::run(&circuit, conditions, &stop)?;
//! assert_eq!((reference.bytes(), reference.cycles), (vec![0x55], 4));
//! let found = circuit.stuck_pins().into_iter().filter(|&fault| reference.find(fault, Watch::Port).difference.is_some());
//! assert!(found.count() > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   circuit     the board with all its chips and pins
//!   opens       the resistors and the conductors of cables
//!   fault       the kinds of faults
//!   effect      their effects
//!   machine     runs the board with a fault
//!   reference   the run without a fault
//!   acts        where in that run a fault would act
//!   lookups     records the lookups of that run
//!   outcome     runs a machine with a fault, and finds the first difference
//!   campaign    all faults of a kind, with one line for each result
//!   missed      the reasons why a fault is not found
//!   dictionary  the output with each fault, and how well a fault fits an observation
//!   trials      diagnosis, with or without presses
//!   recorded    which faults explain the capture of an analyser
//!   files       the dictionary as JSON
//!   tester      presses the pads and keys that the self-test asks for
//! ```
//!
//! It does no I/O.

mod acts;
mod campaign;
mod circuit;
mod dictionary;
mod effect;
mod fault;
pub mod files;
mod lookups;
mod machine;
mod missed;
mod opens;
mod outcome;
mod place;
mod recorded;
mod reference;
mod tester;
mod trials;

pub use campaign::{Campaign, Line};
pub use circuit::{Circuit, End, Neighbours, Pin};
pub use dictionary::{Answer, Checkpoint, Entry, Observed, RunEnd, WrongLed, WrongLedError};
pub use fault::{Fault, Float, Model};
pub use machine::Event;
pub use opens::Open;
pub use outcome::{Evidence, MARGIN, Outcome, Record, Watch};
pub use place::{Defect, PinName, Place};
pub use reference::{Conditions, Reference, RunError};
pub use tester::{presses, sent};
pub use trials::{Expected, Trials};
