//! The events of the Windows console in place of signals: Ctrl-C and Ctrl-Break. There are no jobs to suspend.
//!
//! The signals of the C library are not used, because it removes a handler each time it calls it.

use std::ffi::c_int;
use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The registration for a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalId(u64);

/// Sent by Ctrl-C, and by Ctrl-Break, which is treated alike.
pub const CTRL_C: c_int = 2;
/// The signals that ask a process to end.
pub const END_SIGNALS: [c_int; 1] = [CTRL_C];
/// The signals that suspend a job and resume it, where there are jobs.
pub const JOB_SIGNALS: Option<(c_int, c_int)> = None;

/// The listeners for Ctrl-C, in the order of their calls.
static LISTENERS: Mutex<Vec<(SignalId, Listener)>> = Mutex::new(Vec::new());

enum Listener {
    Raise(Arc<AtomicBool>),
    EndIf(Arc<AtomicBool>, i32),
}

/// Raises a flag at each of these signals from now on.
///
/// # Errors
/// If the system refuses it.
pub fn raise(_: c_int, flag: Arc<AtomicBool>) -> io::Result<SignalId> {
    register(Listener::Raise(flag))
}

/// Ends the process at such a signal if the flag is up by then.
///
/// # Errors
/// If the system refuses it.
pub fn end_if(_: c_int, flag: Arc<AtomicBool>, exit_code: i32) -> io::Result<SignalId> {
    register(Listener::EndIf(flag, exit_code))
}

/// Takes back what was registered.
pub fn forget(registered: SignalId) {
    listeners().retain(|(known, _)| *known != registered);
}

/// Does nothing, since there are no jobs.
///
/// # Errors
/// None.
pub fn suspend_job() -> io::Result<()> {
    Ok(())
}

fn register(listener: Listener) -> io::Result<SignalId> {
    static LISTENS: OnceLock<Result<(), String>> = OnceLock::new();
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let listens = LISTENS.get_or_init(|| ctrlc::set_handler(tell).map_err(|error| error.to_string()));
    listens.clone().map_err(io::Error::other)?;
    let registered = SignalId(NUMBER.fetch_add(1, Ordering::Relaxed));
    listeners().push((registered, listener));
    Ok(registered)
}

/// Calls what is registered. Windows runs this in a separate thread.
fn tell() {
    for (_, listener) in listeners().iter() {
        match listener {
            Listener::Raise(flag) => flag.store(true, Ordering::Relaxed),
            Listener::EndIf(flag, exit_code) if flag.load(Ordering::Relaxed) => process::exit(*exit_code),
            Listener::EndIf(..) => {}
        }
    }
}

fn listeners() -> MutexGuard<'static, Vec<(SignalId, Listener)>> {
    LISTENERS.lock().unwrap_or_else(PoisonError::into_inner)
}
