//! The programmer's view of the Gray-1: the eight instructions, the Gray code of the program counter, the memory
//! map and the program image.
//!
//! Everything about the machine depends on this crate, and it depends on nothing. Each fact is defined in one place
//! here: the assembler, the engines, the documents and the tests all read the same table.
//!
//! ```
//! use gray1_isa::{INSTRUCTIONS, Image, Opcode, Word, from_gray, gray};
//!
//! assert_eq!(INSTRUCTIONS.len(), 8);
//! let word = Word::constant(Opcode::Add, 1);
//! assert_eq!(word.to_string(), "ADD #$01");
//! let image = Image::from_words([word, Word::jump(Opcode::Jmp, 0)]);
//! assert_eq!(image.words()[0], word);
//! assert_eq!((gray(2), from_gray(3)), (3, 2)); // the program counter counts in Gray code
//! ```
//!
//! ```text
//!   instruction   the table of instructions; step: their effect, over any domain of values
//!   gray          the code of the program counter
//!   memory_map    RAM, display, ports
//!   image         a program of 4,096 words
//! ```

mod gray;
mod image;
mod instruction;
pub mod memory_map;
mod step;

pub use gray::{from_gray, gray, parity};
pub use image::{IMAGE_BYTES, Image, ImageError, PROGRAM_WORDS};
pub use instruction::{INSTRUCTIONS, Instruction, Opcode, Operand, Register, Word};
pub use step::{Domain, step};
