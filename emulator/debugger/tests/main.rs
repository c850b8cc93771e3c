//! Tests of the debugger.

mod ahead;
mod answers;
mod causes;
mod dialogue;
mod past;
mod properties;
mod routines;
mod support;
