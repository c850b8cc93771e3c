//! The formats of waveform files, and the interface of a file in any of them.

use std::io;

/// The formats of waveform files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaveFormat {
    /// Value Change Dump: text.
    Vcd,
    /// GTKWave's Fast Signal Trace: compressed.
    Fst,
}

/// A file in one of the formats.
pub(crate) trait File<W> {
    /// Sets the time of the changes that follow.
    fn time(&mut self, time: u64) -> io::Result<()>;
    /// Writes a new value of a signal, as binary digits, the highest first.
    fn change(&mut self, signal: usize, digits: &[u8]) -> io::Result<()>;
    /// Completes the file, and returns the writer.
    fn finish(self: Box<Self>) -> io::Result<W>;
}
