//! Conversations with the server, in memory.

mod changes;
mod contracts;
mod editor;
mod errors;
mod names;
mod protocol;
mod questions;
mod streams;
mod writing;
