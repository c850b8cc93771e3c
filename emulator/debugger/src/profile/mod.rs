//! Profiles of runs: exact counts by word, line, macro call and routine.
//!
//! ```
//! use gray1_assembler::{MemoryLoader, Options, assemble};
//! use gray1_machine::{Engine, IsaEngine, Noise};
//! use gray1_debugger::profile::{Layout, Profile, ProfiledEngine};
//! use std::sync::Arc;
//!
//! let source = "      lda  #3\nloop: add  #-1\n      jz   halt\n      jmp  loop\nhalt: jmp  halt\n";
//! let assembly = assemble(&MemoryLoader::new([("p.g1", source)]), "p.g1", &Options::default());
//! let program = assembly.program.expect("it is correct");
//! let layout = Arc::new(Layout::of_program(&program, &assembly.report.sources));
//! let mut machine = IsaEngine::power_up(&program.image, Noise::Zeros);
//! let mut profiled = ProfiledEngine::new(&mut machine, layout);
//! profiled.run(1_000, &mut ())?;
//! let profile = Profile::of(profiled.recorder());
//! assert_eq!(profile.cycles, 10);
//! assert_eq!(profile.words.iter().map(|word| word.count).collect::<Vec<_>>(), [1, 3, 3, 2, 1]);
//! # Ok::<(), gray1_machine::Failure>(())
//! ```
//!
//! ```text
//!   layout     which routine, macro call and lines each word belongs to
//!   tree       the calls of a run, each with those around it
//!   recorder   follows a run word by word, and counts
//!   engine     an engine that is profiled while it runs
//!   counts     the result; speedscope, lcov: its other formats
//! ```

mod counts;
mod engine;
mod layout;
mod lcov;
mod recorder;
mod speedscope;
mod tree;

pub use counts::{Caller, Kind, LineCount, PROGRAM_NAME, Profile, RoutineCount, Stack, WordCount};
pub use engine::ProfiledEngine;
pub use layout::Layout;
pub use recorder::Recorder;
