//! The timeline: the known part of the run, and the positions where the user has stopped.

use crate::machine::MachineData;
use gray1_debugger::Position;
use gray1_text::grouped;

/// The number of stops that are marked.
const MAX_STOPS: usize = 500;

#[derive(Default)]
pub struct TimeLine {
    /// Positions where the user has stopped.
    pub stops: Vec<Position>,
    /// The known position of the halt.
    pub halt: Option<Position>,
    /// Whether the mouse is being dragged along it.
    pub is_dragged: bool,
}

impl TimeLine {
    /// Updates the machine after a command; `is_stop` unless the command only scrubs.
    pub fn update(&mut self, machine: &MachineData, is_stop: bool) {
        self.stops.retain(|stop| *stop <= machine.end);
        if is_stop && !self.stops.contains(&machine.position) {
            self.stops.push(machine.position);
            self.stops.drain(..self.stops.len().saturating_sub(MAX_STOPS));
        }
        let halt = if machine.is_halted { Some(machine.position) } else { self.halt };
        self.halt = halt.filter(|halt| *halt <= machine.end);
    }
}

/// The mapping from cycles to columns: a label, the line, another label.
pub struct TimeScale {
    first: u64,
    pub last: u64,
    pub first_label: String,
    pub last_label: String,
    /// The first column of the line, and its number of columns.
    pub start: usize,
    pub length: usize,
}

impl TimeScale {
    pub fn new(machine: &MachineData, width: usize) -> TimeScale {
        let first = machine.start.cycle;
        let last = machine.end.cycle.max(first);
        let (first_label, last_label) = (grouped(first), grouped(last));
        let start = first_label.len() + 2;
        let length = width.saturating_sub(start + last_label.len() + 2);
        TimeScale { first, last, first_label, last_label, start, length }
    }

    /// The column of a cycle, counted from the start of the line.
    pub fn column_of(&self, cycle: u64) -> usize {
        let known = self.last - self.first;
        let gone = cycle.saturating_sub(self.first).min(known);
        let columns = (self.length as u128).saturating_sub(1);
        (u128::from(gone) * columns / u128::from(known.max(1))) as usize
    }

    /// The cycle at a column of the screen line, if there is room for the line at all.
    pub fn cycle_at(&self, column: usize) -> Option<u64> {
        let last_column = self.length.checked_sub(1)?;
        let column = column.saturating_sub(self.start).min(last_column) as u128;
        let gone = u128::from(self.last - self.first) * column / (last_column as u128).max(1);
        Some(self.first + gone as u64)
    }
}
