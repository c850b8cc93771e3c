//! The requests of the page and the answers to it: one JSON object each way. A test makes
//! `web/protocol.ts` from these types: it reads them line by line.
//!
//! A request names itself in `ask`, an answer in `answer`. Numbers of cycles are whole and below 2^53, which is what a
//! number in JavaScript can hold. A [`Moment`] is the state of the machine; every request that moves the machine is
//! answered with one.

mod answer;
mod bench;
mod board;
mod moment;
mod past;
mod request;
mod source;

pub use answer::*;
pub use bench::*;
pub use board::*;
pub use moment::*;
pub use past::*;
pub use request::*;
pub use source::*;
