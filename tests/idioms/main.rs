//! Tests of the library of idioms, `programs/lib/`. Every macro computes what its comment says, which is compared with
//! Rust's arithmetic, for all operands if they are bytes, and it costs what its comment says.
//!
//! Each test asserts the number of its cases, so that none is lost unnoticed.

mod arguments;
mod arrays;
mod bytes;
mod contracts;
mod costs;
mod delays;
mod font;
mod leds;
mod numbers;
mod pads;
mod random;
mod support;
mod wide;
