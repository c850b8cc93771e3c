//! Readable drawings as SVG: plain data in, text out, and the same text for the same data.
//!
//! There are [`Tree`]s, [`Wiring`]s, and [`Lanes`] of events. They do not panic, whatever the data.

mod lanes;
mod page;
mod palette;
mod tree;
mod wiring;

pub use lanes::{Event, Lanes};
pub use page::Heading;
pub use tree::{Branch, Kind, Tree};
pub use wiring::{Block, Look, Wire, Wiring};
