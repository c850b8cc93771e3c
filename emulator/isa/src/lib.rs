//! The programmer's view of the Gray-1: the eight instructions, the Gray code of the program counter, the memory
//! map and the program image.
//!
//! Everything about the machine depends on this crate, and it depends on nothing. Each fact is defined in one place
//! here: the assembler, the engines, the documents and the tests all read the same table.

mod gray;
mod image;
mod instruction;
pub mod memory_map;
mod step;

pub use gray::{from_gray, gray, parity};
pub use image::{IMAGE_BYTES, Image, ImageError, PROGRAM_WORDS};
pub use instruction::{INSTRUCTIONS, Instruction, Opcode, Operand, Register, Word};
pub use step::{Domain, step};
