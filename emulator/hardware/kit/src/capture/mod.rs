//! Compares what a logic analyser saw with what it should have seen.
//!
//! ```text
//!   file ── samples ──┐
//!                     ├── follow ── place ── align ── the first difference, and its cause
//!   board ─ expected ─┘
//! ```

mod align;
mod cause;
mod expected;
mod follow;
mod place;
mod samples;

pub use align::{Comparison, Difference, compare_capture};
pub use cause::{Likely, Probe};
pub use expected::{End, Expected};
pub use samples::{Capture, CaptureError, MOST_NETS, Sample};
