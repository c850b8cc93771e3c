//! Requests from outside to end or suspend this process: signals on Unix, console events on Windows.
//!
//! Both have the same interface: the signals, and `raise`, `end_if` and `forget`.

#[cfg_attr(windows, path = "windows.rs")]
#[cfg_attr(not(windows), path = "unix.rs")]
mod system;

pub use system::{CTRL_C, END_SIGNALS, JOB_SIGNALS, SignalId, end_if, forget, raise, suspend_job};
