//! A stand-in for the machine: a search for eight queens that stores to the display. With it the display can be tested
//! without an engine.

use std::time::Duration;

use gray1_display::{Exposure, LINES, Light, Moment, Output, Pad, Player};
use gray1_machine::{Failure, Stop};

/// The cycles that the imagined machine needs to place a queen and to update the display.
const CYCLES_PER_STEP: u64 = 66;

/// Places queens row by row. Green squares are those still to be tried and, in later rows, those that no queen attacks.
pub struct Queens {
    exposure: Exposure,
    board: [u8; LINES],
    cycle: u64,
    /// The squares still to be tried, in each row up to the current one.
    untried: Vec<u8>,
    queens: Vec<u8>,
    output: Output,
    pad: Option<Pad>,
    keys: u8,
    solutions: usize,
    /// The cycle at which the machine panics, to test what happens to the screen.
    pub panics_at: Option<u64>,
}

impl Default for Queens {
    /// The state before the first placement.
    fn default() -> Self {
        Self {
            exposure: Exposure::new(0, [0; LINES]),
            board: [0; LINES],
            cycle: 0,
            untried: vec![0xFF],
            queens: Vec::new(),
            output: Output::default(),
            pad: None,
            keys: 0,
            solutions: 0,
            panics_at: None,
        }
    }
}

impl Queens {
    /// Places a queen or backtracks.
    fn step(&mut self) {
        let row = self.queens.len();
        let Some(untried) = self.untried.last_mut() else { return };
        if *untried == 0 {
            self.untried.pop();
            self.queens.pop();
        } else {
            let queen = *untried & untried.wrapping_neg();
            *untried &= !queen;
            self.queens.push(queen);
            let blocked = (row + 1..8).any(|below| self.free(below) == 0);
            if row == 7 || blocked {
                self.show();
                if row == 7 {
                    self.solutions += 1;
                    let columns = self.queens.iter().map(|queen| (queen.trailing_zeros() + 1).to_string());
                    let solution: String = columns.collect();
                    self.send(&solution);
                }
                self.queens.pop();
                return;
            }
            self.untried.push(self.free(row + 1));
        }
        self.show();
        if self.untried.is_empty() {
            self.send(&self.solutions.to_string());
        }
    }

    fn send(&mut self, line: &str) {
        let moment = Moment { cycle: self.cycle, leds: self.exposure.leds() };
        line.bytes().chain([b'\n']).for_each(|byte| self.output.push(byte, || moment));
    }

    fn free(&self, row: usize) -> u8 {
        self.queens.iter().enumerate().fold(0xFF, |free, (above, queen)| {
            let distance = row - above;
            free & !(queen | queen.unbounded_shl(distance as u32) | queen.unbounded_shr(distance as u32))
        })
    }

    /// Shows the state of the search on the board.
    fn show(&mut self) {
        for row in 0..8 {
            let untried = self.untried.get(row).copied().unwrap_or(0);
            self.board[row] = if row < self.queens.len() { untried } else { self.free(row) };
            self.board[row + 8] = self.queens.get(row).copied().unwrap_or(0);
        }
        self.store();
    }

    /// Stores the board, and in amber what is pressed: the pad at its place, the keys in the bottom row.
    fn store(&mut self) {
        for line in 0..LINES {
            let pad =
                self.pad.filter(|pad| usize::from(pad.row) == line % 8).map_or(0, |pad| 1 << pad.column);
            let keys = if line % 8 == 7 { self.keys } else { 0 };
            self.exposure.store(self.cycle, line, self.board[line] | pad | keys);
        }
    }
}

impl Player for Queens {
    fn advance(&mut self, cycles: u64, _: Duration) -> Result<u64, Failure> {
        assert!(self.panics_at.is_none_or(|cycle| self.cycle < cycle), "a panic, as asked for");
        let (start, end) = (self.cycle, self.cycle.saturating_add(cycles));
        while self.cycle < end && self.stop().is_none() {
            let next = (self.cycle / CYCLES_PER_STEP + 1) * CYCLES_PER_STEP;
            self.cycle = next.min(end);
            if self.cycle == next {
                self.step();
            }
        }
        Ok(self.cycle - start)
    }

    fn stop(&self) -> Option<Stop> {
        self.untried.is_empty().then_some(Stop::Halted)
    }

    fn reset(&mut self) {
        *self = Self::default();
    }

    fn press(&mut self, pad: Option<Pad>, keys: u8) {
        if (pad, keys) != (self.pad, self.keys) {
            (self.pad, self.keys) = (pad, keys);
            self.store();
        }
    }

    fn take_light(&mut self) -> Light {
        self.exposure.take(self.cycle)
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn output(&self) -> &Output {
        &self.output
    }
}
