//! Signals that ask a command to finish its files and stop: Ctrl-C, termination, and a closed terminal.

use gray1_debugger::DebugError;
use gray1_display::signals::{CTRL_C, END_SIGNALS, end_if, raise};
use gray1_hardware::faults::RunError;
use gray1_hardware::kit::capture::End;
use gray1_proof::Stopped;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// The flags that signals set.
pub struct Interrupt {
    /// Set by every signal.
    flag: Arc<AtomicBool>,
    /// Set by all signals except Ctrl-C. They end the whole command, while Ctrl-C may end only its current work.
    end: Arc<AtomicBool>,
}

/// A flag for each signal, set when the signal has arrived.
static ARRIVED: Mutex<Vec<(i32, Arc<AtomicBool>)>> = Mutex::new(Vec::new());

/// Returns the exit code of an interrupted command: 128 plus the number of the signal, as in shells.
pub fn exit_code() -> u8 {
    let arrived = ARRIVED.lock().unwrap_or_else(PoisonError::into_inner);
    let signal = arrived.iter().find(|(_, flag)| flag.load(Ordering::Relaxed)).map(|(signal, _)| *signal);
    128 + signal.unwrap_or(CTRL_C) as u8
}

/// Makes Ctrl-C end the process immediately, for commands that have nothing to finish.
pub fn end_at_once() -> std::io::Result<()> {
    for signal in END_SIGNALS {
        end_if(signal, Arc::new(AtomicBool::new(true)), 128 + signal)?;
    }
    Ok(())
}

/// The error of work that was interrupted before it had a result.
#[derive(Debug, Error)]
#[error("interrupted")]
pub struct Interrupted;

/// Whether an error is only an interruption.
pub fn is_interruption(error: &(dyn Error + 'static)) -> bool {
    error.is::<Interrupted>()
        || error.is::<Stopped>()
        || matches!(error.downcast_ref(), Some(DebugError::Interrupted))
        || matches!(error.downcast_ref(), Some(RunError::Stopped))
        || matches!(error.downcast_ref(), Some(End::Interrupted))
}

impl Interrupt {
    /// Starts listening for signals.
    pub fn listen() -> std::io::Result<Interrupt> {
        let [flag, end] = [(); 2].map(|()| Arc::new(AtomicBool::new(false)));
        for signal in END_SIGNALS {
            let arrived = Arc::new(AtomicBool::new(false));
            raise(signal, Arc::clone(&arrived))?;
            ARRIVED.lock().unwrap_or_else(PoisonError::into_inner).push((signal, arrived));
            raise(signal, Arc::clone(&flag))?;
            if signal != CTRL_C {
                raise(signal, Arc::clone(&end))?;
            }
        }
        Ok(Interrupt { flag, end })
    }

    /// Starts listening for signals. A second signal ends the process immediately, even if the process is blocked in a
    /// write.
    pub fn listen_twice() -> std::io::Result<Interrupt> {
        let interrupt = Interrupt::listen()?;
        let raised = Arc::new(AtomicBool::new(false));
        for signal in END_SIGNALS {
            end_if(signal, Arc::clone(&raised), 128 + signal)?;
            raise(signal, Arc::clone(&raised))?;
        }
        Ok(interrupt)
    }

    /// Whether the whole command has to end.
    pub fn must_end(&self) -> bool {
        self.end.load(Ordering::Relaxed)
    }

    /// Fails after an interruption.
    pub fn check(&self) -> Result<(), Interrupted> {
        if self.flag.load(Ordering::Relaxed) { Err(Interrupted) } else { Ok(()) }
    }

    /// Clears an interruption after the work that it was meant for has ended.
    pub fn clear(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }

    /// Returns a shared flag, for code that can stop the command itself.
    pub fn share(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Returns the flag, for code that checks it.
    pub fn flag(&self) -> &AtomicBool {
        &self.flag
    }
}
