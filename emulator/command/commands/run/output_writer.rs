//! Writes the output of a program to standard output.

use crate::support::files::{FileError, print_until};
use crate::support::message::print_note;
use crate::support::progress::Progress;
use gray1_text::grouped;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;

/// While a display uses the terminal, at least this many bytes of the latest output are kept.
const MIN_HELD_BYTES: usize = 16 << 20;

/// Receives the output of a program, and writes it to standard output.
pub struct OutputWriter<'a> {
    interrupt: &'a AtomicBool,
    /// Whether standard output still has a reader. A display continues without one.
    pub has_reader: bool,
    /// Set if output is held until [`OutputWriter::flush`] is called, because a display uses the terminal.
    pub holds_output: bool,
    /// The progress of the run, if there is no display to show it.
    pub progress: Option<Progress>,
    /// The bytes that have not been written yet.
    waiting: Vec<u8>,
    /// Whether the last written byte ends a line.
    is_at_line_start: bool,
    /// The number of discarded bytes.
    discarded: u64,
}

impl<'a> OutputWriter<'a> {
    pub fn new(interrupt: &'a AtomicBool) -> OutputWriter<'a> {
        OutputWriter {
            interrupt,
            has_reader: true,
            holds_output: false,
            progress: None,
            waiting: Vec::new(),
            is_at_line_start: true,
            discarded: 0,
        }
    }

    /// Receives the bytes that the program sent in a number of cycles.
    pub fn take(&mut self, cycles: u64, bytes: &[u8]) -> Result<(), FileError> {
        if let Some(progress) = &self.progress {
            progress.add(cycles);
        }
        self.waiting.extend(bytes);
        if !self.holds_output {
            self.has_reader = self.flush()?;
        } else if self.waiting.len() > 2 * MIN_HELD_BYTES {
            let oldest = self.waiting.len() - MIN_HELD_BYTES;
            self.discarded += oldest as u64;
            self.waiting.drain(..oldest);
        }
        Ok(())
    }

    /// Ends the last line on a terminal, so that the prompt begins a new one.
    pub fn end_line(&self) {
        if !self.is_at_line_start && io::stdout().is_terminal() {
            let _ = io::stdout().write_all(b"\n"); // the output itself has been written
        }
    }

    /// Writes the waiting output. Returns false if standard output has no reader any more.
    pub fn flush(&mut self) -> Result<bool, FileError> {
        if self.discarded > 0 {
            let count = grouped(std::mem::take(&mut self.discarded));
            print_note(format_args!(
                "gray1: {count} earlier bytes of output were discarded: use --display none to keep all output"
            ));
        }
        let bytes = std::mem::take(&mut self.waiting);
        self.is_at_line_start = bytes.last().map_or(self.is_at_line_start, |byte| *byte == b'\n');
        if let Some(progress) = &self.progress {
            progress.make_way(&bytes);
        }
        print_until(self.interrupt, &bytes)
    }
}
