//! The debugger of the Gray-1, without a screen: forwards and backwards through a run, phase by phase.
//!
//! ```text
//!   history      the machine at any position of its run: checkpoints, and repeating from there
//!   search       finding a position, in both directions
//!   target       what to find: lines, ways out, conditions, events
//!   trigger      events that can be watched: instructions, RAM accesses, nets
//!   breakpoint   a trigger and what to do about it
//!   source       names and lines of the program
//!   expression   what can be asked of the machine in a line of text
//!   debugger     all of it together
//!   coverage     what the run has used so far
//!   dialogue     commands as text, and their answers
//! ```
//!
//! The debugger works on the chips engine. A [`Position`] is a cycle and a phase. Everything is found by running the
//! machine again, not by recording what it does: a long past costs no more memory than a short one, and can be asked
//! everything that the present can.
//!
//! Nothing here reads or writes files or knows a screen. What may take long takes an [`AtomicBool`] that ends it.
//!
//! [`AtomicBool`]: std::sync::atomic::AtomicBool

mod assignment;
mod breakpoint;
mod coverage;
mod debugger;
mod dialogue;
mod error;
mod expression;
mod history;
mod output;
mod position;
mod scan;
mod search;
mod source;
mod target;
mod template;
mod trigger;

pub use breakpoint::Breakpoint;
pub use debugger::{Debugger, Direction, StopReason};
pub use dialogue::{COMMANDS, Command, Dialogue, Reply};
pub use error::DebugError;
pub use expression::{Expression, Reader};
pub use gray1_assembler::{ExpansionKind, split_comment};
pub use history::{Edit, Fork, History, Observer};
pub use output::Output;
pub use position::Position;
pub use scan::Scan;
pub use source::{Frame, Name, Source};
pub use target::{Found, LineDepth, Target};
pub use template::Template;
pub use trigger::{Access, Change, Hit, Trigger};
