//! Tests of the debugger.

mod ahead;
mod answers;
mod causes;
mod dialogue;
mod past;
mod profile;
mod properties;
mod routines;
mod support;
mod why;
