//! Waveforms are read by an independent reader (wellen, which the viewer Surfer uses) and compared with the machine.

#![allow(clippy::unwrap_used)] // a test that cannot go on says so by failing

mod chips;
mod example;
mod support;
mod timed;
