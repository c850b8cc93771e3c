//! Tests of faults and the self-test.

mod campaigns;
mod selftest;
