//! The RAM chips: their cells, and the writes that take effect if they last long enough.

use crate::circuit::{Chip, Circuit, Source};
use crate::log::Cause;
use crate::queue::{Event, Queue};
use gray1_machine::netlist::ChipId;

/// The RAMs of a board.
pub struct Rams {
    /// The cells of each, by chip; empty for a ROM.
    pub cells: Vec<Vec<u8>>,
    /// Addresses that were written since this was last emptied, with the cause.
    pub written: Vec<(usize, Cause)>,
    /// The pending write of each RAM, by chip, which takes effect if it lasts long enough.
    writes: Vec<Option<Write>>,
}

#[derive(Clone, Copy)]
struct Write {
    /// Its number in the queue.
    event: u32,
    address: usize,
    data: u8,
}

impl Rams {
    pub fn new(circuit: &Circuit) -> Rams {
        let cells = circuit.chips.iter().map(|chip| match chip.source {
            Source::Ram { address } => vec![0; 1 << address],
            Source::Rom { .. } => Vec::new(),
        });
        Rams { cells: cells.collect(), written: Vec::new(), writes: vec![None; circuit.chips.len()] }
    }

    /// Drops all pending writes.
    pub fn settle(&mut self) {
        self.writes.fill(None);
        self.written.clear();
    }

    /// The output of a RAM with this number of address lines.
    #[inline]
    pub fn data(&self, id: ChipId, chip: &Chip, lines: usize, address: u32) -> u8 {
        match split(chip, lines, address) {
            (_, input, true) => input,
            (cell, _, false) => self.cells[id][cell],
        }
    }

    /// The lines of a RAM have changed: its pending write is dropped. If it is being written now, that is a new pending
    /// write, with an event after its inertia.
    #[inline]
    pub fn begin_write(
        &mut self,
        (id, chip): (ChipId, &Chip),
        (address, lines): (u32, usize),
        queue: &mut Queue,
        event: impl FnOnce(u64) -> Event,
    ) {
        if let Some(write) = self.writes[id].take() {
            queue.remove(write.event);
        }
        if let (cell, data, true) = split(chip, lines, address) {
            self.writes[id] = Some(Write { event: queue.add(event(chip.inertia)), address: cell, data });
        }
    }

    /// Completes the pending write of a RAM.
    pub fn finish_write(&mut self, chip: ChipId, cause: Cause) {
        if let Some(write) = self.writes[chip].take() {
            self.cells[chip][write.address] = write.data;
            self.written.push((write.address, cause));
        }
    }
}

/// The meaning of the lines of a RAM: the cell, its input, and whether it is written.
#[inline]
fn split(chip: &Chip, lines: usize, address: u32) -> (usize, u8, bool) {
    let cell = (address & ((1 << lines) - 1)) as usize;
    let input = (address >> lines & ((1 << chip.lines) - 1)) as u8;
    (cell, input, address >> lines >> chip.lines != 0)
}
