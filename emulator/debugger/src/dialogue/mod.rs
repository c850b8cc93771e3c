//! The debugger as a dialogue: a line of text goes in, text comes out.

mod ask;
mod change;
mod commands;
mod describe;
mod grammar;
mod script;
mod show;
mod state;
mod travel;
mod tree;
mod why;

pub use commands::{COMMANDS, Command};
pub use grammar::expected_words;
pub use state::{Dialogue, Listener, Reply, ScriptReader, Shortfall};
