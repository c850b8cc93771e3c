//! How text is read and written in every part of the project: numbers, counts with their nouns, names from outside.
//!
//! Nothing here knows the Gray-1.

mod count;
mod number;
mod visible;

pub use count::{counted, grouped, whole_number};
pub use number::{hex, number, radix};
pub use visible::{visible, visible_lines};
