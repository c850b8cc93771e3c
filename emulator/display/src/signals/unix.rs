//! Signals on Unix.

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::{flag, low_level};
use std::ffi::c_int;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The registration for a signal.
pub use signal_hook::SigId as SignalId;

/// Sent by Ctrl-C.
pub const CTRL_C: c_int = SIGINT;
/// The signals that ask a process to end.
pub const END_SIGNALS: [c_int; 3] = [SIGINT, SIGTERM, SIGHUP];
/// The signals that suspend a job and resume it, where there are jobs.
pub const JOB_SIGNALS: Option<(c_int, c_int)> = Some((SIGTSTP, SIGCONT));

/// Raises a flag at each of these signals from now on.
///
/// # Errors
/// If the system refuses it.
pub fn raise(signal: c_int, flag: Arc<AtomicBool>) -> io::Result<SignalId> {
    flag::register(signal, flag)
}

/// Ends the process at such a signal if the flag is up by then.
///
/// # Errors
/// If the system refuses it.
pub fn end_if(signal: c_int, flag: Arc<AtomicBool>, exit_code: i32) -> io::Result<SignalId> {
    flag::register_conditional_shutdown(signal, exit_code, flag)
}

/// Takes back what was registered.
pub fn forget(registered: SignalId) {
    low_level::unregister(registered);
}

/// Suspends this job until the user resumes it.
///
/// # Errors
/// If the system refuses it.
pub fn suspend_job() -> io::Result<()> {
    low_level::emulate_default_handler(SIGTSTP)
}
