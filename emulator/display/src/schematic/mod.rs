//! The board as a drawing: blocks, cables between them, and what moves on them in a phase.
//!
//! The drawing is made from the netlist, so it works for every board. The blocks are on a diagonal, in the order of the
//! board file. A cable leaves its block sideways and then goes up or down to the blocks that read it:
//!
//! ```text
//!     OSC ──●
//!          SEQ ──●────●      SEQ drives DEC and FLAGS
//!               DEC   │
//!                └────┼──…
//!           ●────── FLAGS    FLAGS drives SEQ: feedback goes to the left
//! ```
//!
//! ```
//! use gray1_machine::board::Board;
//! use gray1_display::schematic::Schematic;
//!
//! let board = Board::gray1();
//! let schematic = Schematic::of(board.netlist());
//! let names: Vec<&str> = schematic.blocks().iter().map(|block| block.name.as_str()).collect();
//! assert_eq!(names[..6], ["OSC", "RSTIN", "PADCOL0-7", "PADROW0-7", "KEYS0-6", "SEQ"]);
//! assert!(names.contains(&"GREEN0-7")); // eight latches, drawn as one
//! ```

mod blocks;
mod moment;

pub use blocks::{Block, Cable, Schematic, Source};
pub use moment::{Activity, Moment};
