//! Tests of the crate, one program.

mod faults;
mod kicad;
mod kit;
