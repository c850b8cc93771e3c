//! The Gray-1 as hardware: everything needed to build a machine, and to find out what is wrong with one.
//!
//! ```
//! use gray1_hardware::faults::{Circuit, Conditions, Reference, Watch};
//! use gray1_hardware::kit::sockets;
//! use gray1_isa::{Image, Opcode, Word};
//! use gray1_machine::{Noise, Script, board::Board};
//! use std::sync::atomic::AtomicBool;
//!
//! let board = Board::built();
//! let program = [Word::constant(Opcode::Lda, 0x55), Word::ram(Opcode::Sta, 0xFF0), Word::jump(Opcode::Jmp, 2)];
//! let image = Image::from_words(program);
//! // The contents of each chip, in full size.
//! assert!(sockets(&board, &image)?.iter().any(|socket| socket.name == "PCL" && socket.image.len() == 131_072));
//! // Of all stuck pins, this program detects some by the byte that it sends.
//! let circuit = Circuit::new(&board, &image)?;
//! let conditions = Conditions { noise: Noise::Random(1), script: Script::default(), max_cycles: 1_000 };
//! let stop = AtomicBool::new(false);
//! let reference = Reference::run(&circuit, conditions, &stop)?;
//! let pins = circuit.stuck_pins();
//! assert!(pins.into_iter().any(|pin| reference.find(pin, Watch::Port).difference.is_some()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! ```text
//!   kit      the build pack: chip images, wiring, Verilog, the guide; comparison with chips that were read back
//!   kicad    schematics and printed boards as KiCad projects; the guide's page
//!   faults   the faults of a real machine: which a test finds, and which explain an observation
//! ```
//!
//! Nothing here reads or writes files: a pack is a list of names and contents.

pub mod faults;
pub mod kicad;
pub mod kit;
