//! The levels of all nets as they were last told, and the file that gets what has changed.

use crate::fst::Fst;
use crate::tree::{Program, Signal, Tree, tree};
use crate::vcd::Vcd;
use gray1_isa::Word;
use gray1_machine as machine;
use gray1_machine::board::Board;
use std::io::{self, Seek, Write};
use std::ops::RangeInclusive;

/// Phases of a machine cycle.
pub(crate) const PHASES: u8 = 4;

/// The cycles that are recorded, counted since reset.
pub type Window = RangeInclusive<u64>;

/// The formats of waveform files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Value Change Dump: text.
    Vcd,
    /// GTKWave's Fast Signal Trace: compressed.
    Fst,
}

/// Why a recorded run cannot go on.
#[derive(Debug)]
pub enum Failure {
    /// The board does not settle.
    Machine(machine::Failure),
    /// The file cannot be written.
    File(io::Error),
}

/// How long a unit of time is.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// 1 ns.
    Nanosecond,
    /// 1 ps.
    Picosecond,
}

/// Writes a waveform: is told of levels, then of the time since when they are so.
pub(crate) struct Recorder<W: Write + Seek> {
    file: File<W>,
    nets: Vec<Net>,
    signals: Vec<Shown>,
    /// The signals whose nets have changed since the last time written.
    changed: Vec<usize>,
    program: Program,
}

enum File<W: Write + Seek> {
    Vcd(Vcd<W>),
    Fst(Box<Fst<W>>),
}

/// A net: its level as a digit, and the signals that it is in, with its place there.
#[derive(Clone)]
struct Net {
    level: u8,
    listeners: Vec<(usize, usize)>,
}

/// A signal as digits, the highest first: what is in the file, and what it is now.
struct Shown {
    written: Vec<u8>,
    now: Vec<u8>,
    has_changed: bool,
}

impl<W: Write + Seek> Recorder<W> {
    /// Begins a file with the names of a board's nets.
    pub fn begin(board: &Board, format: Format, step: Step, out: W) -> io::Result<Recorder<W>> {
        let (tree, program) = tree(board);
        let version = concat!("gray1 ", env!("CARGO_PKG_VERSION"));
        let file = match (format, step) {
            (Format::Vcd, Step::Nanosecond) => File::Vcd(Vcd::begin(out, &tree, version, "1 ns")?),
            (Format::Vcd, Step::Picosecond) => File::Vcd(Vcd::begin(out, &tree, version, "1 ps")?),
            (Format::Fst, Step::Nanosecond) => File::Fst(Box::new(Fst::begin(out, &tree, version, -9)?)),
            (Format::Fst, Step::Picosecond) => File::Fst(Box::new(Fst::begin(out, &tree, version, -12)?)),
        };
        let nets = listeners(&tree);
        let signals = tree.signals.iter().map(|signal| Shown::new(signal.width())).collect::<Vec<_>>();
        let changed = (0..signals.len()).collect();
        Ok(Recorder { file, nets, signals, changed, program })
    }

    /// A net has this level now; [`Tree::nets`] says how they are numbered.
    #[inline]
    pub fn set(&mut self, net: usize, level: bool) {
        let digit = b'0' + u8::from(level);
        let net = &mut self.nets[net];
        if net.level == digit {
            return;
        }
        net.level = digit;
        for &(signal, place) in &net.listeners {
            let shown = &mut self.signals[signal];
            shown.now[place] = digit;
            if !shown.has_changed {
                shown.has_changed = true;
                self.changed.push(signal);
            }
        }
    }

    /// Where in its run the machine is, which no net says.
    pub fn set_place(&mut self, cycle: u64, phase: u8) {
        self.set_number(self.program.cycle, cycle);
        self.set_number(self.program.phase, u64::from(phase));
    }

    /// The instruction that is being run, and its sequence number.
    pub fn set_instruction(&mut self, pc: u16, word: Word) {
        self.set_number(self.program.pc, u64::from(pc));
        let text = word.to_string();
        let shown = &mut self.signals[self.program.instruction];
        let letters = text.bytes().chain(std::iter::repeat(b' '));
        for (digits, letter) in shown.now.chunks_mut(8).zip(letters) {
            write_binary(digits, u64::from(letter));
        }
        self.mark(self.program.instruction);
    }

    /// What was told is so from this time on. Times must go up.
    pub fn write(&mut self, time: u64) -> io::Result<()> {
        self.file.time(time)?;
        for &signal in &self.changed {
            let shown = &mut self.signals[signal];
            shown.has_changed = false;
            if shown.now != shown.written {
                shown.written.copy_from_slice(&shown.now);
                self.file.change(signal, &shown.now)?;
            }
        }
        self.changed.clear();
        Ok(())
    }

    /// Completes the file and gives back where it was written. It shows the last levels up to this time; without one,
    /// that is, if nothing was written, it still has the two times that viewers need to open it.
    pub fn finish(mut self, end: Option<u64>) -> io::Result<W> {
        if end.is_none() {
            self.file.time(0)?;
        }
        self.file.time(end.unwrap_or(1))?;
        match self.file {
            File::Vcd(vcd) => Ok(vcd.finish()),
            File::Fst(fst) => fst.finish(),
        }
    }

    fn set_number(&mut self, signal: usize, number: u64) {
        write_binary(&mut self.signals[signal].now, number);
        self.mark(signal);
    }

    fn mark(&mut self, signal: usize) {
        if !std::mem::replace(&mut self.signals[signal].has_changed, true) {
            self.changed.push(signal);
        }
    }
}

impl<W: Write + Seek> File<W> {
    fn time(&mut self, time: u64) -> io::Result<()> {
        match self {
            File::Vcd(vcd) => vcd.time(time),
            File::Fst(fst) => fst.time(time),
        }
    }

    fn change(&mut self, signal: usize, digits: &[u8]) -> io::Result<()> {
        match self {
            File::Vcd(vcd) => vcd.change(signal, digits),
            File::Fst(fst) => fst.change(signal, digits),
        }
    }
}

impl Shown {
    /// Nothing has been written, and so the first value is a change.
    fn new(width: usize) -> Shown {
        Shown { written: vec![b'x'; width], now: vec![b'0'; width], has_changed: true }
    }
}

impl From<machine::Failure> for Failure {
    fn from(error: machine::Failure) -> Failure {
        Failure::Machine(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::File(error)
    }
}

/// The nets, all at 0, with the signals that they are in.
fn listeners(tree: &Tree) -> Vec<Net> {
    let mut nets = vec![Net { level: b'0', listeners: Vec::new() }; tree.nets];
    for (number, signal) in tree.signals.iter().enumerate() {
        if let Signal::Nets(lines) = signal {
            for (place, &net) in lines.iter().rev().enumerate() {
                nets[net].listeners.push((number, place));
            }
        }
    }
    nets
}

/// Writes a number as binary digits, the highest first.
fn write_binary(digits: &mut [u8], number: u64) {
    for (place, digit) in digits.iter_mut().rev().enumerate() {
        *digit = b'0' + (number >> place & 1) as u8;
    }
}
