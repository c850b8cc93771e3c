//! What asks this process to stop, from outside: signals on Unix, the console on Windows.
//!
//! Both systems offer the same here: `raise`, `end_if` and `forget`, and which signals there are.

#[cfg_attr(windows, path = "windows.rs")]
#[cfg_attr(not(windows), path = "unix.rs")]
mod system;

pub use system::{CTRL_C, END_SIGNALS, JOB_SIGNALS, Registered, end_if, forget, raise, suspend_job};
