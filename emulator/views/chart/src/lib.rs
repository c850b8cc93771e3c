//! Readable charts as SVG: plain data in, text out, and the same text for the same data.
//!
//! ```
//! use gray1_chart::{Axis, Bar, Bars, Heading};
//! let chart = Bars {
//!     heading: Heading::titled("Eight queens"),
//!     axis: Axis::log("machine cycles"),
//!     bars: vec![
//!         Bar { name: "by forward checking".into(), note: "1,724 squares".into(), value: 134_963.0 },
//!         Bar { name: "by brute force".into(), note: "16,777,216 boards".into(), value: 2.5e9 },
//!     ],
//! };
//! assert!(chart.svg().starts_with("<svg "));
//! ```
//!
//! There are [`Bars`], [`Curves`], [`Map`]s of cells, [`Tree`]s, [`Wiring`]s, [`Cells`] of chips, and [`Lanes`] of events. [`Axis`] maps
//! values to positions on the page. Charts do not panic, whatever the data: values that an axis cannot show, such as
//! zero on a logarithmic one, are left out.

mod axis;
mod bars;
mod cells;
mod curves;
mod lanes;
mod map;
mod number;
mod page;
mod palette;
mod tree;
mod wiring;

pub use axis::{Axis, Scale};
pub use bars::{Bar, Bars};
pub use cells::{Cells, Table};
pub use curves::{Curve, Curves, Point};
pub use lanes::{Event, Lanes};
pub use map::{Cell, Labels, Map};
pub use number::number;
pub use page::Heading;
pub use tree::{Branch, Kind, Tree};
pub use wiring::{Block, Look, Wire, Wiring};
