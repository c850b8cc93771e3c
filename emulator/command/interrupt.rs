//! Ctrl-C, a request to end and a terminal that goes away: they ask a command to stop and finish its files.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The signals that end a command.
#[cfg(unix)]
const SIGNALS: [i32; 3] = [SIGINT, SIGTERM, signal_hook::consts::SIGHUP];
#[cfg(not(unix))]
const SIGNALS: [i32; 2] = [SIGINT, SIGTERM];

/// Knows whether the user wants the command to stop.
pub struct Interrupt(Arc<AtomicBool>);

/// From now on Ctrl-C ends the process at once, for who has nothing to finish.
pub fn end_at_once() -> std::io::Result<()> {
    for signal in SIGNALS {
        flag::register_conditional_shutdown(signal, 130, Arc::new(AtomicBool::new(true)))?;
    }
    Ok(())
}

impl Interrupt {
    /// Starts listening.
    pub fn listen() -> std::io::Result<Interrupt> {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            flag::register(signal, Arc::clone(&flag))?;
        }
        Ok(Interrupt(flag))
    }

    /// Starts listening; a second signal ends the process at once, for instance while nobody takes its output.
    pub fn listen_twice() -> std::io::Result<Interrupt> {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in SIGNALS {
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag))?;
            flag::register(signal, Arc::clone(&flag))?;
        }
        Ok(Interrupt(flag))
    }

    /// Forgets that a stop was asked for: it was meant for what is over.
    pub fn forget(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// For those who look themselves.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
