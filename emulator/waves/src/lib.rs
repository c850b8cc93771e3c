//! Waveforms: every net of the board over time, in a file for GTKWave or Surfer.
//!
//! ```text
//!   tree       what a viewer shows: scopes, variables, and the signals behind them, found from a board
//!   recorder   the levels of the nets; writes what has changed, and when
//!   vcd, fst   the two formats
//!   chips      the chips engine recorded, a step a phase, in a window of cycles
//!   timed      the timed engine recorded, change by change
//! ```
//!
//! A variable is a name in a scope. Many variables may show one signal, which is in the file once: the bus `A` is the
//! output of one chip and an input of twenty. The same run gives the same bytes: no date is written.

mod chips;
mod fst;
mod recorder;
mod timed;
mod tree;
mod vcd;

pub use chips::{ChipsRecorder, NANOSECONDS_A_PHASE};
pub use recorder::{Failure, Format, Window};
pub use timed::TimedRecorder;
