//! Translates trees to machine code for x86-64. This is safe code: it only writes bytes.
//!
//! ```text
//!   rdi   the bytes of the machine                       eax   the home of a byte: A, on the Gray-1
//!   r8d   cycles left, without the reserve               r9d   the home of a bit, 0 or 1: the carry
//!   r10   where the next byte that is shown is recorded  xmm0  instructions run, a lane for each opcode
//!   eax ecx edx ebx ebp esi r11d-r15d   bytes, in any of these; the upper 24 bits are 0
//! ```
//!
//! Each exit of a tree subtracts the cycles that were run from `r8d`, and leaves the code if it becomes negative. It
//! exceeds the limit by at most the longest path through a tree, which is held in reserve. Within a tree the bytes cannot
//! be observed, so one may stay in a register, inverted or not, and need not be stored if it is overwritten before the
//! next exit.

#![allow(clippy::useless_conversion, clippy::semicolon_if_nothing_returned)] // in what `dynasm!` makes

mod call;
mod compute;
mod path;
mod registers;
mod tables;
mod trace_state;
mod translate;
mod translator;
mod value;

pub use call::CompiledGraph;
