//! The debugger of the Gray-1, without a screen: forwards and backwards through a run, phase by phase.
//!
//! ```text
//!   history      the machine at any position of its run: snapshots, and repeating from there
//!   hunt         looking for a position, in both directions
//!   goals        what one goes to: lines, places, conditions
//!   points       breakpoints and watchpoints
//!   source       names and lines of the program
//!   expression   what can be asked of the machine in a line of text
//!   debugger     all of it together
//!   dialogue     its commands in words, and its answers
//! ```
//!
//! The true machine is debugged, the one made of chips. A [`Position`] is a cycle and a phase. Everything is found
//! by running the machine again, never by keeping what it did: so the past costs no more memory for being long,
//! and can be asked anything that the present can.
//!
//! Nothing here reads or writes a file or knows a screen. What may take long takes an [`AtomicBool`] that ends it.
//!
//! [`AtomicBool`]: std::sync::atomic::AtomicBool

mod debugger;
mod dialogue;
mod expression;
mod fault;
mod goals;
mod history;
mod hunt;
mod output;
mod points;
mod position;
mod scan;
mod source;
mod template;

pub use debugger::{Arrival, Counts, Debugger, Direction, Goal};
pub use dialogue::{COMMANDS, Command, Dialogue};
pub use expression::{Expression, Reader};
pub use fault::{Fault, did_you_mean};
pub use goals::{Depth, Holds, Leave, LineStart, OnTheWay, Reach};
pub use gray1_assembler::{ExpansionKind, split_comment};
pub use history::{Edit, History, MEMORY, Onlooker};
pub use hunt::{Pace, Places, Prey, position_of};
pub use output::Output;
pub use points::{Access, Meeting, Patrol, Point, Subject, touched};
pub use position::{PHASES, Position};
pub use scan::Scan;
pub use source::{Frame, Name, Source};
pub use template::Template;
