//! Ctrl-C, a request to end and a terminal that goes away: they ask a command to stop and finish its files.

use gray1_display::signals::{CTRL_C, END_SIGNALS, end_if, raise};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Knows whether the user wants the command to stop.
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    /// Raised by all signals but Ctrl-C: they are meant for the command, whatever it is doing.
    end: Arc<AtomicBool>,
}

/// From now on Ctrl-C ends the process at once, for who has nothing to finish.
pub fn end_at_once() -> std::io::Result<()> {
    for signal in END_SIGNALS {
        end_if(signal, Arc::new(AtomicBool::new(true)), 130)?;
    }
    Ok(())
}

/// What was asked for is not there, since the user could not wait for it.
#[derive(Debug, Error)]
#[error("interrupted")]
pub struct Interrupted;

impl Interrupt {
    /// Starts listening.
    pub fn listen() -> std::io::Result<Interrupt> {
        let [asked, end] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        for signal in END_SIGNALS {
            raise(signal, Arc::clone(&asked))?;
            if signal != CTRL_C {
                raise(signal, Arc::clone(&end))?;
            }
        }
        Ok(Interrupt { flag: asked, end })
    }

    /// Starts listening; a second signal ends the process at once, for instance while nobody takes its output.
    pub fn listen_twice() -> std::io::Result<Interrupt> {
        let interrupt = Interrupt::listen()?;
        let raised = Arc::new(AtomicBool::new(false));
        for signal in END_SIGNALS {
            end_if(signal, Arc::clone(&raised), 130)?;
            raise(signal, Arc::clone(&raised))?;
        }
        Ok(interrupt)
    }

    /// Whether the command is to end, whatever it is doing.
    pub fn must_end(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Forgets that a stop was asked for: it was meant for what is over.
    pub fn forget(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// For those who ask a command to stop for another reason.
    pub fn share(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// For those who look themselves.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}
