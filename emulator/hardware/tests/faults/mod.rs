//! Tests of faults and the self-test.

mod faults;
mod selftest;
