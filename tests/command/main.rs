//! Tests of the `gray1` command: exit codes, output streams, and complete files or none.

#![allow(clippy::unwrap_used)] // a test may panic

mod asm;
mod bench;
mod build;
mod capture;
mod cells;
mod check;
mod chips;
mod compare;
mod contracts;
mod endings;
mod examples;
mod faults;
mod files;
mod fpga;
mod json;
mod options;
mod outputs;
mod overview;
mod packaging;
mod page;
mod profile;
mod progress;
mod receiver;
mod run;
mod sabotage;
mod search;
mod support;
mod timed;
mod tree;
mod verify;
mod waves;
mod why;
