//! Ctrl-C: the first asks a command to stop and finish its files, the second ends it at once.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Knows whether the user wants the command to stop.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts listening.
    pub fn listen() -> std::io::Result<Interrupt> {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 130, Arc::clone(&flag))?;
            flag::register(signal, Arc::clone(&flag))?;
        }
        Ok(Interrupt(flag))
    }

    /// Whether a stop was asked for.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
