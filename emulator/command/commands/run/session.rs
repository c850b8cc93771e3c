//! What a program sends, on its way to standard output.

use crate::support::files::{Audience, FileError, print_until};
use crate::support::progress::RunProgress;
use crate::tell::tell;
use gray1_text::grouped;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;

/// While a display uses the terminal, at least this many bytes of the newest output are kept until it ends.
const MOST_HELD: usize = 16 << 20;

/// The way to standard output.
pub struct Outlet<'a> {
    interrupt: &'a AtomicBool,
    /// Whether standard output still has a reader. A display continues without one.
    pub reader: Audience,
    /// Whether output is held back until [`Outlet::pass_on`] is called, because a display uses the terminal.
    pub holds_output: bool,
    /// The progress of the run, if there is no display to show it.
    pub progress: Option<RunProgress>,
    /// Bytes that have not been written to standard output yet.
    waiting: Vec<u8>,
    /// Whether the last byte that was written ends a line.
    is_at_line_start: bool,
    /// Number of bytes discarded because too many were held back.
    lost: u64,
}

impl<'a> Outlet<'a> {
    pub fn new(interrupt: &'a AtomicBool) -> Outlet<'a> {
        let reader = Audience::Listens;
        Outlet {
            interrupt,
            reader,
            holds_output: false,
            progress: None,
            waiting: Vec::new(),
            is_at_line_start: true,
            lost: 0,
        }
    }

    /// Takes the bytes that the program has sent in a number of cycles.
    pub fn take(&mut self, cycles: u64, bytes: &[u8]) -> Result<(), FileError> {
        if let Some(progress) = &mut self.progress {
            progress.add(cycles);
        }
        self.waiting.extend(bytes);
        if !self.holds_output {
            self.reader = self.pass_on()?;
        } else if self.waiting.len() > 2 * MOST_HELD {
            let oldest = self.waiting.len() - MOST_HELD;
            self.lost += oldest as u64;
            self.waiting.drain(..oldest);
        }
        Ok(())
    }

    /// Ends the last line on a terminal, so that the prompt stands at the beginning of one.
    pub fn end_line(&self) {
        if !self.is_at_line_start && io::stdout().is_terminal() {
            let _ = io::stdout().write_all(b"\n"); // the output itself has been written
        }
    }

    /// Writes the waiting output of the program to standard output.
    pub fn pass_on(&mut self) -> Result<Audience, FileError> {
        if self.lost > 0 {
            let lost = grouped(std::mem::take(&mut self.lost));
            tell(format_args!(
                "gray1: {lost} earlier bytes of output were discarded: use --display none to get all of it"
            ));
        }
        let bytes = std::mem::take(&mut self.waiting);
        self.is_at_line_start = bytes.last().map_or(self.is_at_line_start, |byte| *byte == b'\n');
        if let Some(progress) = &mut self.progress {
            progress.give_way(&bytes);
        }
        print_until(self.interrupt, &bytes)
    }
}
