//! The tree that a program searches; each node is a moment of its run.
//!
//! The program marks by names of places and bytes where nodes begin ([`Markers`]). This module does not know what the
//! program searches for.
//!
//! ```
//! use gray1_debugger::{Name, tree::{Markers, Fate, Tree}};
//!
//! let names = [("_position0", Name::Label(4)), ("_position1", Name::Label(9)),
//!     ("_solution", Name::Label(12)), ("_choice", Name::Address(0x20))];
//! let markers = Markers::read(names)?;
//! let mut tree = Tree::new(&markers, 1000);
//! // A run reaches these places in these cycles, with this byte in RAM.
//! for (place, cycle, choice) in [(4, 10, 1), (9, 20, 2), (12, 25, 2), (9, 30, 3), (4, 40, 2)] {
//!     tree.reach(place, cycle, |_| choice);
//! }
//! tree.end(50, true);
//! assert_eq!(tree.nodes().len(), 4);
//! assert_eq!(tree.nodes()[1].outcome, Fate::Solution);
//! assert_eq!(tree.text(usize::MAX).lines().next(), Some("4 nodes, 1 solution, 2 dead ends"));
//! # Ok::<(), gray1_debugger::tree::MarkerError>(())
//! ```

mod markers;
mod nodes;
mod record;
mod text;

pub use markers::{MarkerError, Markers};
pub use nodes::{Fate, Node, NodeId, Tree};
