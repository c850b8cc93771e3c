//! What a test program finds of the faults that a Gray-1 on a table can have: pins that stay at a level, pins that are
//! joined to their neighbours, cells that were burned wrong. And the way back: which fault gives what was seen.
//!
//! ```
//! use gray1_faults::{Circuit, Conditions, Reference, Watch};
//! use std::sync::atomic::AtomicBool;
//! use gray1_isa::{Image, Opcode, Word};
//! use gray1_machine::{Noise, Script, board::Board};
//!
//! let program = [Word::constant(Opcode::Lda, 0x55), Word::ram(Opcode::Sta, 0xFF0), Word::jump(Opcode::Jmp, 2)];
//! let circuit = Circuit::new(&Board::built(), &Image::from_words(program))?;
//! let stop = AtomicBool::new(false);
//! let conditions = Conditions { noise: Noise::Random(1), script: Script::default(), most_cycles: 1_000 };
//! let reference = Reference::run(&circuit, conditions, &stop)?;
//! assert_eq!((reference.bytes(), reference.cycles), (vec![0x55], 4));
//! let found = circuit.stuck_pins().into_iter().filter(|&fault| reference.find(fault, Watch::Port).difference.is_some());
//! assert!(found.count() > 100);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   circuit     the board, chip by chip and pin by pin
//!   fault       what there can be, and what it does
//!   machine     the board with a fault, running
//!   reference   the run without a fault, and when a fault would act in it
//!   seen        what that run looks up, and when
//!   outcome     what a machine with a fault sends, and where that differs
//!   campaign    all faults of a kind, each a line
//!   missed      why a fault is not found
//!   dictionary  from what was seen to the faults that fit
//!   together    many machines at once
//!   trials      whether somebody pressed anything
//!   files       the dictionary as JSON
//!   tester      who presses the pads
//! ```
//!
//! The crate does no I/O.

mod campaign;
mod circuit;
mod dictionary;
mod fault;
pub mod files;
mod machine;
mod missed;
mod outcome;
mod place;
mod reference;
mod seen;
mod tester;
mod together;
mod trials;

pub use campaign::{Campaign, JoinError, Line, Shown, join};
pub use circuit::{Circuit, End, Neighbours, Pin};
pub use dictionary::{Answer, Entry, Moment, Observed, SeenLed, Then};
pub use fault::{Fault, Model};
pub use machine::Event;
pub use outcome::{Difference, MARGIN, Outcome, Record, Watch, What};
pub use place::{PinName, Place, Wrong};
pub use reference::{Conditions, Reference, RunError};
pub use tester::{presses, sent};
pub use together::Together;
pub use trials::{Expected, Trials};
