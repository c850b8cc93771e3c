//! Tests of the debugger in a terminal.

mod anything;
mod keys;
mod panes;
mod picture;
mod screens;
mod sizes;
mod support;
