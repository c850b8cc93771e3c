//! Waveforms, read by a reader that is not ours (wellen, that of the viewer Surfer), hold what the machine did.

#![allow(clippy::unwrap_used)] // a test that cannot go on says so by failing

mod chips;
mod example;
mod support;
mod timed;
