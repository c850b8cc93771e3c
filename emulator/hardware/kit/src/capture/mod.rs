//! Compares what a logic analyser saw with what it should have seen.
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
pub use cause::{Difference, Likely, Probe};
pub use expected::{Course, End, Expected};
pub use explain::{Start, explains};
pub use samples::{Capture, CaptureError, MOST_NETS, Sample};
