//! FST, the format of GTKWave: about ten times smaller than VCD, and viewers can load it in parts.

use crate::format::File;
use crate::tree::{Item, Tree, VariableKind};
use fst_writer::{
    FstBodyWriter, FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalId, FstSignalType,
    FstVarDirection, FstVarType, FstWriteError,
};
use std::cell::RefCell;
use std::io::{self, Seek, SeekFrom, Write};
use std::rc::Rc;

/// Changes are kept in memory up to this many bytes; then a section of the file is written. Compressing a larger
/// section would noticeably delay the end of an interrupted run.
const SECTION: usize = 4 << 20;
/// The offset of the start time in the header and in a section of changes: after the kind and the length.
const START_TIME: u64 = 9;

/// An FST file being written.
pub(crate) struct Fst<W: Write + Seek> {
    body: FstBodyWriter<Shared<W>>,
    out: Shared<W>,
    signals: Vec<FstSignalId>,
    /// The offset of the first section of changes.
    first_section: u64,
    /// The time at which the file begins.
    start: Option<u64>,
}

/// The output, which both the library and this module write to.
struct Shared<W>(Rc<RefCell<W>>);

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
        let mut out = Shared(Rc::new(RefCell::new(out)));
        let mut header = FstHeaderWriter::new(Shared(Rc::clone(&out.0)), &info).map_err(to_io)?;
        let mut signals = vec![None; tree.signals.len()];
        for item in &tree.items {
            match item {
                Item::Scope { name, part } => header.scope(name, part, FstScopeType::Module),
                Item::Up => header.up_scope(),
                Item::Variable { name, kind, signal } => {
                    let width = FstSignalType::bit_vec(tree.signals[*signal].width() as u32);
                    let (kind, direction) = match kind {
                        VariableKind::Wire => (FstVarType::Wire, FstVarDirection::Implicit),
                        VariableKind::Input => (FstVarType::Wire, FstVarDirection::Input),
                        VariableKind::Output => (FstVarType::Wire, FstVarDirection::Output),
                        VariableKind::Integer => (FstVarType::Integer, FstVarDirection::Implicit),
                    };
                    let signal = &mut signals[*signal];
                    header.var(name, width, kind, direction, *signal).map(|id| *signal = Some(id))
                }
            }
            .map_err(to_io)?;
        }
        let body = header.finish().map_err(to_io)?;
        let first_section = out.stream_position()?;
        Ok(Fst { body, out, signals: signals.into_iter().flatten().collect(), first_section, start: None })
    }
}

impl<W: Write + Seek> File<W> for Fst<W> {
    fn time(&mut self, time: u64) -> io::Result<()> {
        self.start.get_or_insert(time);
        if self.body.size() >= SECTION {
            self.body.flush().map_err(to_io)?;
        }
        self.body.time_change(time).map_err(to_io)
    }

    fn change(&mut self, signal: usize, digits: &[u8]) -> io::Result<()> {
        self.body.signal_change(self.signals[signal], digits).map_err(to_io)
    }

    fn finish(mut self: Box<Self>) -> io::Result<W> {
        drop(self.body.finish().map_err(to_io)?);
        // The library makes every file begin at 0, but a viewer should show the window and not the time before it.
        for block in [0, self.first_section] {
            self.out.seek(SeekFrom::Start(block + START_TIME))?;
            self.out.write_all(&self.start.unwrap_or(0).to_be_bytes())?;
        }
        Rc::into_inner(self.out.0).map(RefCell::into_inner).ok_or_else(|| io::Error::other("still in use"))
    }
}

impl<W: Write> Write for Shared<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

impl<W: Seek> Seek for Shared<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.borrow_mut().seek(to)
    }
}

fn to_io(error: FstWriteError) -> io::Error {
    match error {
        FstWriteError::Io(error) => error,
        other => io::Error::other(other),
    }
}
