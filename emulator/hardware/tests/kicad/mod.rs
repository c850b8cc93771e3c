//! Tests of schematics and printed boards.

#![allow(clippy::unwrap_used)] // a test may panic

mod guide;
mod marks;
mod mechanics;
mod printed;
mod schematic;
mod support;
