//! Compares the samples of a logic analyser with the expected levels.
//!
//! ```text
//!   file ── samples ──┐
//!                     ├── follow ── align ── the first difference, and its cause
//!   board ─ expected ─┘
//!
//!   another machine ── explain ── whether it gives the same samples
//! ```

mod align;
mod cause;
mod expected;
mod explain;
mod follow;
mod samples;

pub use align::{Comparison, compare_capture};
pub use cause::{Difference, Probe};
pub use expected::{Course, End, Expected};
pub use explain::{Start, explains};
pub use samples::{Capture, CaptureError, MAX_NETS, Sample};
