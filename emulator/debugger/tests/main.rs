//! Tests of the debugger.

mod ahead;
mod causes;
mod dialogue;
mod past;
mod properties;
mod routines;
