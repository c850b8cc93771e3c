//! Lending the terminal, and giving it back as it was: at the end, after an error, on a panic, on a signal,
//! and for as long as the job is suspended.

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level;

use super::signals::Signals;

/// Where the display is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output. The program's own output must wait until the display is over.
    Output,
    /// Standard error, because standard output goes elsewhere.
    Error,
}

impl Stream {
    /// The stream that is a terminal, standard output if both are.
    pub fn find() -> Option<Self> {
        if io::stdout().is_terminal() {
            Some(Self::Output)
        } else {
            io::stderr().is_terminal().then_some(Self::Error)
        }
    }

    /// Sends a text in one write.
    pub fn send(self, text: &str) -> io::Result<()> {
        match self {
            Self::Output => {
                let mut output = io::stdout().lock();
                output.write_all(text.as_bytes())?;
                output.flush()
            }
            Self::Error => io::stderr().lock().write_all(text.as_bytes()),
        }
    }

    fn take(self) -> io::Result<()> {
        enable_raw_mode()?;
        match self {
            Self::Output => execute!(io::stdout(), EnterAlternateScreen, Hide, EnableMouseCapture),
            Self::Error => execute!(io::stderr(), EnterAlternateScreen, Hide, EnableMouseCapture),
        }
    }

    fn give_back(self) {
        // There is nobody left to tell that this failed.
        let _ = match self {
            Self::Output => execute!(io::stdout(), DisableMouseCapture, Show, LeaveAlternateScreen),
            Self::Error => execute!(io::stderr(), DisableMouseCapture, Show, LeaveAlternateScreen),
        };
        let _ = disable_raw_mode();
    }
}

/// The terminal, lent: in raw mode, on its alternate screen, without a cursor.
pub struct Guard {
    stream: Stream,
    lent: Arc<AtomicBool>,
    previous_hook: Arc<PanicHook>,
}

type PanicHook = Box<dyn Fn(&panic::PanicHookInfo<'_>) + Sync + Send>;

impl Guard {
    /// Takes the terminal.
    pub fn new(stream: Stream) -> io::Result<Self> {
        let lent = Arc::new(AtomicBool::new(true));
        let previous_hook = Arc::new(panic::take_hook());
        let (hook, lent_to_hook) = (Arc::clone(&previous_hook), Arc::clone(&lent));
        panic::set_hook(Box::new(move |info| {
            give_back(stream, &lent_to_hook);
            hook(info);
        }));
        let guard = Self { stream, lent, previous_hook };
        stream.take()?;
        Ok(guard)
    }

    /// Gives the terminal back for as long as a signal or Ctrl-Z (`asked`) suspends the job. True when the
    /// screen may show something else now.
    pub fn suspend(&self, signals: &Signals, asked: bool) -> io::Result<bool> {
        let suspend = signals.suspend() || asked;
        if suspend {
            give_back(self.stream, &self.lent);
            low_level::emulate_default_handler(SIGTSTP)?;
        }
        let resumed = signals.resumed();
        if suspend || resumed {
            // Whoever had the terminal in between may have changed its mode.
            give_back(self.stream, &self.lent);
            self.stream.take()?;
            self.lent.store(true, Ordering::Relaxed);
        }
        Ok(suspend || resumed)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back(self.stream, &self.lent);
        // The hook cannot be exchanged while a panic is under way; it does no harm then.
        if !std::thread::panicking() {
            let previous = Arc::clone(&self.previous_hook);
            panic::set_hook(Box::new(move |info| previous(info)));
        }
    }
}

fn give_back(stream: Stream, lent: &AtomicBool) {
    if lent.swap(false, Ordering::Relaxed) {
        stream.give_back();
    }
}
