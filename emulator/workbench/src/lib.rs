//! The debugger on a full screen.
//!
//! ```text
//!   listing    the program as it is shown          \
//!   look       the machine at one moment            |  plain data
//!   desk       everything that is on the screen    /
//!   keys       the table: a key, the command it stands for
//!   input      keys and typed lines -> changes of the desk, orders
//!   mouse      clicks, drags and the wheel, likewise
//!   prompt     the command line
//!   pane       where the panes are, on a screen of any size
//!   views      the desk -> a buffer of cells, one file a pane
//!   workbench  a desk and a dialogue: carries orders out
//!   terminal   the real terminal: events in, cells out
//! ```
//!
//! What is debugged lives in `gray1-debugger`; whatever a key does, it does by giving a command that can be typed.
//! The crate draws with ratatui: it compares what is shown with what is to be shown and writes the difference, knows
//! how wide letters are, and can draw on a screen in memory, where the tests look.

mod desk;
mod input;
pub mod keys;
mod listing;
mod look;
mod mouse;
mod paint;
mod pane;
mod prompt;
mod terminal;
mod views;
mod workbench;

pub use input::Order;
pub use paint::Paint;
pub use terminal::{Ending, can_open, open};
pub use workbench::Workbench;
