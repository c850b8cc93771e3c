//! The terminal on Windows: the console. `unix.rs` has the same interface.
//!
//! The environment says nothing about it: whether it follows escape sequences, as it does since Windows 10, is found out by
//! asking for that.

use std::io;
use std::time::Duration;

use crossterm::ansi_support::supports_ansi;
use crossterm::event::{self, Event};

/// The default of an environment variable that is not set.
pub fn assumed(variable: &str) -> Option<String> {
    let value = match variable {
        "TERM" if supports_ansi() => "xterm-direct",
        "LANG" => "C.UTF-8",
        _ => return None,
    };
    Some(value.to_owned())
}

/// Waits for the next event, but no longer than `wait`.
///
/// # Errors
/// If there is no console.
pub fn next_event(wait: Duration) -> io::Result<Option<Event>> {
    if event::poll(wait)? { event::read().map(Some) } else { Ok(None) }
}

/// Whether there is an event.
///
/// # Errors
/// If there is no console.
pub fn has_event() -> io::Result<bool> {
    event::poll(Duration::ZERO)
}
