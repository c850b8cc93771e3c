//! The Gray-1 as hardware: everything needed to build a machine, and to find out what is wrong with one.
//!
//! ```
//! use gray1_hardware::kit;
//! use gray1_isa::Image;
//! use gray1_machine::board::Board;
//! # let _ = (Board::built(), Image::default());
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
