//! FST, GTKWave's own format: some ten times smaller than VCD, and opened in parts.

use crate::tree::{Item, Kind, Tree};
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use std::io::{self, Seek, SeekFrom, Write};

/// Changes are kept up to so many bytes, then a section of the file is written.
const SECTION: usize = 16 << 20;
/// Where the header says at which time the file begins.
const START_TIME: u64 = 9;

/// An FST file being written.
pub(crate) struct Fst<W: Write + Seek> {
    body: FstBodyWriter<W>,
    signals: Vec<FstSignalId>,
    section: usize,
    start: Option<u64>,
}

impl<W: Write + Seek> Fst<W> {
    /// Writes the header. All times are in units of 10 to the power of `exponent` seconds.
    pub fn begin(out: W, tree: &Tree, version: &str, exponent: i8) -> io::Result<Fst<W>> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: exponent,
            version: version.to_owned(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let mut header = FstHeaderWriter::new(out, &info).map_err(to_io)?;
        let mut signals = vec![None; tree.signals.len()];
        for item in &tree.items {
            match item {
                Item::Scope { name, part } => header.scope(name, part, FstScopeType::Module),
                Item::Up => header.up_scope(),
                Item::Variable(variable) => {
                    let width = FstSignalType::bit_vec(tree.signals[variable.signal].width() as u32);
                    let name = match variable.range {
                        Some((high, low)) => format!("{} [{high}:{low}]", variable.name),
                        None => variable.name.clone(),
                    };
                    let (kind, direction) = match variable.kind {
                        Kind::Wire => (FstVarType::Wire, FstVarDirection::Implicit),
                        Kind::Input => (FstVarType::Wire, FstVarDirection::Input),
                        Kind::Output => (FstVarType::Wire, FstVarDirection::Output),
                        Kind::Integer => (FstVarType::Integer, FstVarDirection::Implicit),
                    };
                    let signal = &mut signals[variable.signal];
                    header.var(name, width, kind, direction, *signal).map(|id| *signal = Some(id))
                }
            }
            .map_err(to_io)?;
        }
        Ok(Fst {
            body: header.finish().map_err(to_io)?,
            signals: signals.into_iter().flatten().collect(),
            section: SECTION,
            start: None,
        })
    }

    /// The changes that follow happen at this time.
    pub fn time(&mut self, time: u64) -> io::Result<()> {
        self.start.get_or_insert(time);
        if self.body.size() >= self.section {
            self.body.flush().map_err(to_io)?;
        }
        self.body.time_change(time).map_err(to_io)
    }

    /// A new value, as binary digits, the highest first.
    pub fn change(&mut self, signal: usize, digits: &[u8]) -> io::Result<()> {
        self.body.signal_change(self.signals[signal], digits).map_err(to_io)
    }

    /// Completes the file and gives back where it was written.
    pub fn finish(self) -> io::Result<W> {
        let mut out = self.body.finish().map_err(to_io)?;
        // The writer lets every file begin at 0; a viewer would show nothing for all the time before the window.
        out.seek(SeekFrom::Start(START_TIME))?;
        out.write_all(&self.start.unwrap_or(0).to_be_bytes())?;
        out.seek(SeekFrom::End(0))?;
        Ok(out)
    }
}

fn to_io(error: FstWriteError) -> io::Error {
    match error {
        FstWriteError::Io(error) => error,
        other => io::Error::other(other),
    }
}
