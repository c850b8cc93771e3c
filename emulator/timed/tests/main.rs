//! Tests of the timed engine.

mod example;
mod timing;
