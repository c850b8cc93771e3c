//! The latest levels of all nets, and the file to which changes are written.

use crate::waves::tree::{Signal, Tree};
use crate::waves::vcd::Vcd;
use gray1_isa::Word;
use gray1_machine::Failure;
use gray1_machine::board::Board;
use gray1_machine::netlist::NetId;
use std::io::{self, Write};
use std::ops::RangeInclusive;
use thiserror::Error;

/// The cycles that are recorded, counted since reset.
pub type Window = RangeInclusive<u64>;

/// The reason why a recorded run has to stop.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The machine has failed.
    #[error(transparent)]
    Machine(#[from] Failure),
    /// The file cannot be written.
    #[error(transparent)]
    File(#[from] io::Error),
}

/// Writes a waveform: it receives levels, and then the time from which on they hold.
pub(crate) struct Recorder<W> {
    file: Vcd<W>,
    tree: Tree,
    nets: Vec<Net>,
    values: Vec<Value>,
    /// The signals that may have changed since the last time written.
    changed: Vec<usize>,
    /// The time up to which the levels written last hold; `None` if nothing is recorded.
    pub end: Option<u64>,
}

/// A net: its level as a digit, and the signals that it is part of, each with the index of its digit.
#[derive(Clone)]
struct Net {
    level: u8,
    shown_in: Vec<(usize, usize)>,
}

/// The value of a signal as digits, the highest first: the one in the file, and the current one.
struct Value {
    written: Vec<u8>,
    now: Vec<u8>,
    has_changed: bool,
}

impl<W: Write> Recorder<W> {
    /// Begins a file with the names of a board's nets.
    pub fn begin(board: &Board, unit: &str, out: W) -> io::Result<Recorder<W>> {
        let tree = Tree::new(board);
        let version = concat!("gray1 ", env!("CARGO_PKG_VERSION"));
        let file = Vcd::begin(out, &tree, version, unit)?;
        let mut nets = vec![Net { level: b'0', shown_in: Vec::new() }; board.netlist().nets.len()];
        for (index, signal) in tree.signals.iter().enumerate() {
            if let Signal::Nets(lines) = signal {
                for (digit, &net) in lines.iter().rev().enumerate() {
                    nets[net].shown_in.push((index, digit));
                }
            }
        }
        // Nothing has been written, and so the first value of each signal is a change.
        let value = |width| Value { written: vec![b'x'; width], now: vec![b'0'; width], has_changed: true };
        let values: Vec<Value> = tree.signals.iter().map(|signal| value(signal.width())).collect();
        let changed = (0..values.len()).collect();
        Ok(Recorder { file, tree, nets, values, changed, end: None })
    }

    /// Sets the level of a net.
    #[inline]
    pub fn set(&mut self, net: NetId, level: bool) {
        let digit = b'0' + u8::from(level);
        let net = &mut self.nets[net];
        if net.level == digit {
            return;
        }
        net.level = digit;
        for &(signal, index) in &net.shown_in {
            let value = &mut self.values[signal];
            value.now[index] = digit;
            if !value.has_changed {
                value.has_changed = true;
                self.changed.push(signal);
            }
        }
    }

    /// Sets the position in the run, which is not on any net.
    pub fn set_position(&mut self, cycle: u64, phase: usize) {
        self.set_number(self.tree.program.cycle, cycle);
        self.set_number(self.tree.program.phase, phase as u64);
    }

    /// Sets the current instruction, and its sequence number.
    pub fn set_instruction(&mut self, pc: u16, word: Word) {
        self.set_number(self.tree.program.pc, u64::from(pc));
        let text = word.to_string();
        let value = self.value(self.tree.program.instruction);
        let characters = text.bytes().chain(std::iter::repeat(b' '));
        for (digits, character) in value.chunks_mut(8).zip(characters) {
            write_binary(digits, u64::from(character));
        }
    }

    /// Writes the changed levels with this time. Times must increase.
    pub fn write(&mut self, time: u64) -> io::Result<()> {
        self.file.time(time)?;
        for &signal in &self.changed {
            let value = &mut self.values[signal];
            value.has_changed = false;
            if value.now != value.written {
                value.written.copy_from_slice(&value.now);
                self.file.change(signal, &value.now)?;
            }
        }
        self.changed.clear();
        Ok(())
    }

    /// Completes the file, and returns the writer. A file without any cycle still has the two times that viewers need
    /// to open it.
    pub fn finish(mut self) -> io::Result<W> {
        if self.end.is_none() {
            self.file.time(0)?;
        }
        self.file.time(self.end.unwrap_or(1))?;
        Ok(self.file.finish())
    }

    fn set_number(&mut self, signal: usize, number: u64) {
        write_binary(self.value(signal), number);
    }

    /// The digits of a signal, to be changed.
    fn value(&mut self, signal: usize) -> &mut [u8] {
        let value = &mut self.values[signal];
        if !std::mem::replace(&mut value.has_changed, true) {
            self.changed.push(signal);
        }
        &mut value.now
    }
}

/// Writes a number as binary digits, the highest first.
fn write_binary(digits: &mut [u8], number: u64) {
    for (bit, digit) in digits.iter_mut().rev().enumerate() {
        *digit = b'0' + (number >> bit & 1) as u8;
    }
}
