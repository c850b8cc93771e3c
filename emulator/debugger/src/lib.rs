//! The debugger of the Gray-1, without a screen: forwards and backwards through a run, phase by phase.
//!
//! ```
//! # use gray1_assembler::{MemoryLoader, Options, assemble};
//! # use gray1_machine::{ChipsEngine, Noise, Script, board::Board};
//! use gray1_debugger::{Debugger, Dialogue, Source};
//! use std::sync::atomic::AtomicBool;
//!
//! let files = MemoryLoader::new([("count.g1", ".ram n\nloop: lda n\n add #1\n sta n\n jmp loop\n")]);
//! let source = Source::of_assembly(assemble(&files, "count.g1", &Options::default())).ok_or("errors")?;
//! let machine = ChipsEngine::power_up(&Board::gray1(), source.image(), Noise::Zeros)?;
//! let mut dialogue = Dialogue::new(Debugger::new(machine, Board::gray1(), source, Script::default())?);
//! for line in ["until n == 3", "who wrote n", "back 2 lines", "print n + a"] {
//!     let (reply, result) = dialogue.line(line, &AtomicBool::new(false));
//!     print!("{reply}");
//!     result?;
//! }
//! assert_eq!(dialogue.debugger().position().cycle, 9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Dialogue`] takes commands as text; [`Debugger`] does the same by function calls.
//!
//! ```text
//!   port         the output of the machine
//!   history      the machine at any position of its run: checkpoints, and repeating the run from there
//!   travel       going to a position; instructions: sets of them, by which searches skip
//!   timeline     inputs and edits
//!   ahead        skipping ahead with the engine `isa`, up to where a search may find something
//!   search       finding a position, in both directions; scout: which stretches a search can skip
//!   target       the object of a search: a trigger, and breakpoints on the way
//!   trigger      conditions to search for: lines, the end of an expansion, conditions, instructions, RAM accesses, nets
//!   breakpoint   a trigger and the action when it is hit
//!   source       names and lines of the program; routines: the call stack
//!   expression   expressions over the machine; assignment: changes to it; location: places in the program or in RAM;
//!                scope: what names mean where; scanner: reading text
//!   debugger     a program with its history and its breakpoints; stepping: steps by lines
//!   coverage     execution counts; tree: the search tree of the program
//!   model        what every front end shows: variables, LEDs, levels, chips, calls; place: an instruction in JSON
//!   causes       why a net or a byte has its level: the chain of cells and instructions
//!   dialogue     commands as text, and their replies
//!   why           why a net has its level: the chain of chips, addresses and cells
//!   profile       where the cycles of a run went
//! ```
//!
//! The debugger works on the chips engine; the engine `isa` is used only where no single chip is examined, and to find
//! the stretches that a search can skip. A [`Position`] is a cycle and a phase. Everything is found by running the
//! machine again, not by recording what it does: memory does not grow with the length of the run, and every question
//! about the current position can be asked about the past too.
//!
//! Nothing here reads or writes files or draws on a screen. Functions that may take a long time take an [`AtomicBool`]
//! that interrupts them.
//!
//! [`AtomicBool`]: std::sync::atomic::AtomicBool

mod ahead;
mod assignment;
mod breakpoint;
mod causes;
mod checkpoints;
mod coverage;
mod debugger;
mod dialogue;
mod disassembly;
mod error;
mod expression;
mod history;
mod instructions;
mod location;
mod model;
mod output;
mod place;
mod port;
mod position;
pub mod profile;
mod routines;
mod scanner;
mod scope;
mod scout;
mod search;
mod source;
mod stepping;
mod target;
mod template;
mod timeline;
mod travel;
pub mod tree;
mod trigger;
mod view;
pub mod why;

pub use breakpoint::{Breakpoint, HitCount};
pub use causes::{Answer, CauseRow, Depth, Question, USUAL_DEPTH};
pub use coverage::{Count, Counts};
pub use debugger::{Debugger, StopReason};
pub use dialogue::{COMMANDS, Command, Dialogue, Listener, Reply, ScriptReader, Shortfall, expected_words};
pub use error::DebugError;
pub use expression::{Expression, Parser};
pub use gray1_assembler::{ExpansionKind, is_built_in, split_comment};
pub use history::{Fork, History, Observer};
pub use model::{Variable, leds, levels};
pub use output::Output;
pub use place::Place;
pub use port::Witness;
pub use position::Position;
pub use routines::CallStack;
pub use scanner::Scanner;
pub use scope::PointOptions;
pub use source::{Frame, Name, Source, sequence_number};
pub use target::Match;
pub use template::Template;
pub use timeline::Edit;
pub use trigger::{Access, Direction, Hit, LineDepth, Transition, Trigger};
