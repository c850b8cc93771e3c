//! Tests of the library of idioms, `programs/lib/`: every macro computes what its comment says, compared with
//! Rust's own arithmetic for all operands where these are bytes, and costs what its comment says.
//!
//! Each test says how many cases there are in all, so that none is lost unnoticed.

mod arguments;
mod arrays;
mod bytes;
mod costs;
mod delays;
mod font;
mod leds;
mod long;
mod numbers;
mod pads;
mod random;
mod support;
mod wide;
