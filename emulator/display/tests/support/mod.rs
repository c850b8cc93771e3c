//! A stand-in for the machine: a search for eight queens that stores to a display and takes its time.

use gray1_display::{Exposure, LINES, Light, Pad, Player, Progress, Stop};

/// Cycles the imagined machine needs to place a queen and to bring the display up to date.
const CYCLES_PER_STEP: u64 = 66;

/// Places queens row by row; green are the squares still to try and those no queen threatens.
pub struct Queens {
    exposure: Exposure,
    cycle: u64,
    /// The squares left to try in each row down to the present one.
    untried: Vec<u8>,
    queens: Vec<u8>,
    output: String,
    pad: Option<Pad>,
    keys: u8,
    solutions: usize,
}

impl Queens {
    pub fn new() -> Self {
        Self {
            exposure: Exposure::new(0, [0; LINES]),
            cycle: 0,
            untried: vec![0xFF],
            queens: Vec::new(),
            output: String::new(),
            pad: None,
            keys: 0,
            solutions: 0,
        }
    }

    /// One placement or one step back; false when the search is over.
    fn step(&mut self) -> bool {
        let row = self.queens.len();
        let Some(untried) = self.untried.last_mut() else { return false };
        if *untried == 0 {
            self.untried.pop();
            self.queens.pop();
        } else {
            let queen = *untried & untried.wrapping_neg();
            *untried &= !queen;
            self.queens.push(queen);
            let blocked = (row + 1..8).any(|below| self.free(below) == 0);
            if row == 7 {
                self.solutions += 1;
                self.output =
                    self.queens.iter().map(|queen| (queen.trailing_zeros() + 1).to_string()).collect();
            }
            if row == 7 || blocked {
                self.show();
                self.queens.pop();
                return true;
            }
            self.untried.push(self.free(row + 1));
        }
        self.show();
        if self.untried.is_empty() {
            self.output = self.solutions.to_string();
        }
        !self.untried.is_empty()
    }

    fn free(&self, row: usize) -> u8 {
        self.queens.iter().enumerate().fold(0xFF, |free, (above, queen)| {
            let distance = row - above;
            free & !(queen | queen.unbounded_shl(distance as u32) | queen.unbounded_shr(distance as u32))
        })
    }

    fn show(&mut self) {
        for row in 0..8 {
            let queen = self.queens.get(row).copied().unwrap_or(0);
            let green = if row < self.queens.len() {
                self.untried.get(row).copied().unwrap_or(0)
            } else {
                self.free(row)
            };
            self.exposure.store(self.cycle, row, green);
            self.exposure.store(self.cycle, 8 + row, queen);
        }
        // What is pressed shows: the pad in amber, the keys in the bottom row.
        if let Some(pad) = self.pad {
            let row = usize::from(pad.row);
            for line in [row, row + 8] {
                let bits = self.exposure.lines()[line] | 1 << pad.column;
                self.exposure.store(self.cycle, line, bits);
            }
        }
        if self.keys != 0 {
            self.exposure.store(self.cycle, 7, self.keys);
            self.exposure.store(self.cycle, 15, self.keys);
        }
    }
}

impl Player for Queens {
    fn advance(&mut self, cycles: u64) -> Progress {
        let (start, end) = (self.cycle, self.cycle.saturating_add(cycles));
        if self.untried.is_empty() {
            return Progress { ran: 0, stop: Some(Stop::Halted) };
        }
        while self.cycle < end {
            let next = (self.cycle / CYCLES_PER_STEP + 1) * CYCLES_PER_STEP;
            self.cycle = next.min(end);
            if self.cycle == next && !self.step() {
                return Progress { ran: self.cycle - start, stop: Some(Stop::Halted) };
            }
        }
        Progress { ran: cycles, stop: None }
    }

    fn reset(&mut self) {
        *self = Self::new();
    }

    fn press(&mut self, pad: Option<Pad>, keys: u8) {
        if (pad, keys) != (self.pad, self.keys) {
            (self.pad, self.keys) = (pad, keys);
            self.show();
        }
    }

    fn take_light(&mut self) -> Light {
        self.exposure.take(self.cycle)
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn last_output_line(&self) -> &str {
        &self.output
    }
}
