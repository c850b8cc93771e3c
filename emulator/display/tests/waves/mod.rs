//! Waveforms are read by an independent reader (wellen, which the viewer Surfer uses) and compared with the machine.

#![allow(clippy::unwrap_used)] // a test may panic

mod chips;
mod example;
mod support;
mod timed;
