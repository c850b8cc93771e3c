//! Signals that ask a command to stop and finish its files: Ctrl-C, termination, and a closed terminal.

use gray1_display::signals::{CTRL_C, END_SIGNALS, end_if, raise};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// Flags that are set when the user wants the command to stop.
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    /// Set by all signals except Ctrl-C: they end the whole command, but Ctrl-C may end only its current work.
    end: Arc<AtomicBool>,
}

/// From now on Ctrl-C ends the process immediately. For commands that have nothing to finish.
pub fn end_at_once() -> std::io::Result<()> {
    for signal in END_SIGNALS {
        end_if(signal, Arc::new(AtomicBool::new(true)), 130)?;
    }
    Ok(())
}

/// The error of work that was interrupted before it had a result.
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

    /// Starts listening. A second signal ends the process immediately, even if it is blocked, for instance in a write.
    pub fn listen_twice() -> std::io::Result<Interrupt> {
        let interrupt = Interrupt::listen()?;
        let raised = Arc::new(AtomicBool::new(false));
        for signal in END_SIGNALS {
            end_if(signal, Arc::clone(&raised), 130)?;
            raise(signal, Arc::clone(&raised))?;
        }
        Ok(interrupt)
    }

    /// Whether the whole command has to end.
    pub fn must_end(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Clears a request to stop once the work that it was meant for has ended.
    pub fn forget(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// The flag, for code that has other reasons to stop the command.
    pub fn share(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// The flag, for code that checks it.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}
