//! The signals that concern a terminal: to end, to suspend the job, to resume it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::{SigId, flag, low_level};

/// The signals that have arrived. They are caught until this is dropped.
pub struct Signals {
    end: Arc<AtomicBool>,
    suspend: Arc<AtomicBool>,
    resumed: Arc<AtomicBool>,
    registered: Vec<SigId>,
}

impl Signals {
    /// Catches the signals from now on.
    pub fn new() -> io::Result<Self> {
        let mut signals = Self {
            end: Arc::default(),
            suspend: Arc::default(),
            resumed: Arc::default(),
            registered: Vec::new(),
        };
        for (signal, flag) in [
            (SIGINT, &signals.end),
            (SIGTERM, &signals.end),
            (SIGHUP, &signals.end),
            (SIGTSTP, &signals.suspend),
            (SIGCONT, &signals.resumed),
        ] {
            if matches!(signal, SIGTERM | SIGHUP) {
                // A second one ends the process at once, even if it is blocked.
                let end = flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(flag))?;
                signals.registered.push(end);
            }
            signals.registered.push(flag::register(signal, Arc::clone(flag))?);
        }
        Ok(signals)
    }

    /// Whether a signal has asked to end.
    pub fn end(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Whether a signal has asked to suspend the job since the last call.
    pub fn suspend(&self) -> bool {
        self.suspend.swap(false, Ordering::Relaxed)
    }

    /// Whether the job has been resumed since the last call.
    pub fn resumed(&self) -> bool {
        self.resumed.swap(false, Ordering::Relaxed)
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for signal in &self.registered {
            low_level::unregister(*signal);
        }
    }
}
