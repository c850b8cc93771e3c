//! Waveforms: every net of the board over time, in a file for a viewer such as GTKWave or Surfer.
//!
//! A recorder runs an engine and records the cycles of a window:
//!
//! ```
//! use gray1_isa::{Image, Opcode, Word};
//! use gray1_machine::{ChipsEngine, Noise, board::Board};
//! use gray1_display::waves::ChipsRecorder;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let board = Board::gray1();
//! let image = Image::from_words([Word::constant(Opcode::Lda, 42), Word::jump(Opcode::Jmp, 1)]);
//! let mut engine = ChipsEngine::power_up(&board, &image, Noise::Zeros)?;
//!
//! let file = Vec::new(); // or a file
//! let mut recorder = ChipsRecorder::begin(&board, 0..=u64::MAX, file)?;
//! recorder.run(&mut engine, 100, &mut ())?;
//! let file = recorder.finish()?;
//! # assert!(file.starts_with(b"$version"));
//! # Ok(())
//! # }
//! ```
//!
//! Equal runs give equal bytes: the file contains no date. A variable is a name in a scope. Several variables may
//! show the same signal, which is in the file only once: the bus `A` is the output of one chip and an input of twenty.
//!
//! ```text
//!   tree       the tree that a viewer shows of a board: scopes, variables, and the signals behind them
//!   recorder   the levels of the nets; writes changes with their times
//!   vcd        the format of the file
//!   chips      recording of the chips engine, phase by phase
//!   timed      recording of the timed engine, change by change
//! ```

mod chips;
mod recorder;
mod timed;
mod tree;
mod vcd;

pub use chips::{ChipsRecorder, NANOSECONDS_A_PHASE};
pub use recorder::{RecordError, Window};
pub use timed::TimedRecorder;
