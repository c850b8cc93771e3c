//! Taking the terminal, and giving it back as it was: at the end, after an error, on a panic, on a signal, and while
//! the job is suspended.

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::execute;
use crossterm::terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode};

use super::signals::Signals;
use crate::signals::{JOB_SIGNALS, suspend_job};

/// The stream on which the display is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output. The program's own output must wait until the display has ended.
    Output,
    /// Standard error, because standard output goes elsewhere.
    Error,
}

impl Stream {
    /// The stream that is a terminal; standard output if both are.
    pub fn find() -> Option<Self> {
        if io::stdout().is_terminal() {
            Some(Self::Output)
        } else {
            io::stderr().is_terminal().then_some(Self::Error)
        }
    }

    /// Sends text in one write.
    pub fn send(self, text: &str) -> io::Result<()> {
        let mut writer = self.writer();
        writer.write_all(text.as_bytes())?;
        writer.flush()
    }

    fn writer(self) -> Box<dyn Write> {
        match self {
            Self::Output => Box::new(io::stdout().lock()),
            Self::Error => Box::new(io::stderr().lock()),
        }
    }

    fn take(self) -> io::Result<()> {
        enable_raw_mode()?;
        execute!(self.writer(), EnterAlternateScreen, Hide, EnableMouseCapture)
    }

    fn give_back(self) {
        // If this fails, there is nowhere left to report it.
        let _ = execute!(self.writer(), DisableMouseCapture, Show, LeaveAlternateScreen);
        let _ = disable_raw_mode();
    }
}

/// The terminal in raw mode, on its alternate screen and without a cursor, until this is dropped.
pub struct Guard {
    stream: Stream,
    is_taken: Arc<AtomicBool>,
}

impl Guard {
    /// Takes the terminal.
    pub fn new(stream: Stream) -> io::Result<Self> {
        let guard = Self { stream, is_taken: Arc::new(AtomicBool::new(true)) };
        let (is_taken, previous_hook) = (Arc::clone(&guard.is_taken), panic::take_hook());
        // The hook stays for the rest of the process, and does nothing once the terminal has been given back.
        panic::set_hook(Box::new(move |info| {
            give_back(stream, &is_taken);
            previous_hook(info);
        }));
        stream.take()?;
        Ok(guard)
    }

    /// Gives the terminal back while a signal or Ctrl-Z (`asked`) suspends the job. Returns true if the screen may show
    /// something else now.
    pub fn suspend(&self, signals: &Signals, asked: bool) -> io::Result<bool> {
        let suspend = signals.suspend() || (asked && JOB_SIGNALS.is_some());
        if suspend {
            give_back(self.stream, &self.is_taken);
            suspend_job()?;
        }
        let resumed = signals.resumed();
        if suspend || resumed {
            // The program that had the terminal in the meantime may have changed its mode.
            give_back(self.stream, &self.is_taken);
            self.stream.take()?;
            self.is_taken.store(true, Ordering::Relaxed);
        }
        Ok(suspend || resumed)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        give_back(self.stream, &self.is_taken);
    }
}

fn give_back(stream: Stream, is_taken: &AtomicBool) {
    if is_taken.swap(false, Ordering::Relaxed) {
        stream.give_back();
    }
}
