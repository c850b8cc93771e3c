//! The signals that concern a terminal: to end, to suspend the job, to resume it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::signals::{CTRL_C, END_SIGNALS, JOB_SIGNALS, SignalId, end_if, forget, raise};

/// The signals that have arrived. They are caught until this is dropped.
pub struct Signals {
    end: Arc<AtomicBool>,
    suspend: Arc<AtomicBool>,
    resumed: Arc<AtomicBool>,
    registered: Vec<SignalId>,
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
        for signal in END_SIGNALS {
            if signal != CTRL_C {
                // A second one ends the process at once, even if it is blocked.
                let end = Arc::clone(&signals.end);
                signals.registered.push(end_if(signal, end, 128 + signal)?);
            }
            signals.registered.push(raise(signal, Arc::clone(&signals.end))?);
        }
        if let Some((suspend, resume)) = JOB_SIGNALS {
            signals.registered.push(raise(suspend, Arc::clone(&signals.suspend))?);
            signals.registered.push(raise(resume, Arc::clone(&signals.resumed))?);
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
            forget(*signal);
        }
    }
}
