//! Just-in-time compilation: machine code for a board that is evaluated for its program.
//!
//! ```
//! use gray1_isa::{Image, Opcode, Word};
//! use gray1_machine::board::Board;
//! use gray1_machine::{ChipsEngine, Engine, Noise};
//!
//! // Counts to 256 in A, forever.
//! let image = Image::from_words([Word::constant(Opcode::Add, 1), Word::jump(Opcode::Jmp, 0)]);
//! let mut machine = ChipsEngine::power_up(&Board::gray1(), &image, Noise::Zeros)?;
//! machine.compile_eagerly(gray1_native::translate);
//! machine.run(1_000_001, &mut ())?;
//! assert_eq!((machine.cycle(), machine.registers().a), (1_000_001, (500_001 % 256) as u8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   forest   the entries of a graph of cycles, and the trees of straight-line code that begin there
//!   uses     liveness: the bytes that later cycles of a trace read and overwrite
//!   x64      translates trees to machine code, and calls it
//! ```
//!
//! The crate `gray1-machine` derives the graph from tables and wiring. Cycles without code are interpreted there.

#[cfg(not(target_arch = "x86_64"))]
mod elsewhere;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod forest;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
mod uses;
#[cfg(target_arch = "x86_64")]
mod x64;

#[cfg(not(target_arch = "x86_64"))]
use elsewhere::CompiledGraph;
use gray1_machine::evaluated::{Code, Graph};
#[cfg(target_arch = "x86_64")]
use x64::CompiledGraph;

/// Whether there is a translator for this processor.
pub const IS_SUPPORTED: bool = cfg!(target_arch = "x86_64");

/// Translates evaluated cycles; `None` if that is not possible on this computer.
pub fn translate(graph: &Graph) -> Option<Box<dyn Code>> {
    Some(Box::new(CompiledGraph::new(graph).ok()?))
}
