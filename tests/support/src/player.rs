//! A mock engine: a search for eight queens that stores to the display. The display can be tested with it
//! without a board.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gray1_display::{LINES, Session};
use gray1_isa::Word;
use gray1_isa::memory_map::GREEN;
use gray1_machine::{Driver, Engine, Failure, Inputs, Noise, OutputSink, Registers, State, Unsettled};

/// The simulated cost of placing a queen and updating the display, in cycles.
const CYCLES_PER_STEP: u64 = 66;

/// Places queens row by row. Green squares are untried or, in later rows, not attacked.
pub struct Queens {
    board: [u8; LINES],
    cycle: u64,
    /// The untried squares, in each row up to the current one.
    untried: Vec<u8>,
    queens: Vec<u8>,
    inputs: Inputs,
    /// Set if the inputs have changed since the last store.
    are_new: bool,
    solutions: usize,
    /// The cycle at which the engine panics, to test that the screen is restored.
    pub panics_at: Option<u64>,
}

impl Default for Queens {
    /// The state before the first placement.
    fn default() -> Self {
        Self {
            board: [0; LINES],
            cycle: 0,
            untried: vec![0xFF],
            queens: Vec::new(),
            inputs: Inputs::default(),
            are_new: false,
            solutions: 0,
            panics_at: None,
        }
    }
}

/// Runs a session on the mock engine, without a clock.
pub fn with_queens<T>(play: impl FnOnce(&mut Session) -> T) -> T {
    let never = AtomicBool::new(false);
    play(&mut Session::new(Driver::new(&mut Queens::default(), &never, &|| Duration::ZERO)))
}

impl Queens {
    /// Places a queen or backtracks.
    fn step(&mut self, outside: &mut dyn OutputSink) {
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
                self.show(outside);
                if row == 7 {
                    self.solutions += 1;
                    let columns = self.queens.iter().map(|queen| (queen.trailing_zeros() + 1).to_string());
                    let solution: String = columns.collect();
                    self.send(&solution, outside);
                }
                self.queens.pop();
                return;
            }
            self.untried.push(self.free(row + 1));
        }
        self.show(outside);
        if self.untried.is_empty() {
            self.send(&self.solutions.to_string(), outside);
        }
    }

    fn send(&self, line: &str, outside: &mut dyn OutputSink) {
        line.bytes().chain([b'\n']).for_each(|byte| outside.output(self.cycle, byte));
    }

    fn free(&self, row: usize) -> u8 {
        self.queens.iter().enumerate().fold(0xFF, |free, (above, queen)| {
            let distance = row - above;
            free & !(queen | queen.unbounded_shl(distance as u32) | queen.unbounded_shr(distance as u32))
        })
    }

    /// Copies the state of the search to the board.
    fn show(&mut self, outside: &mut dyn OutputSink) {
        for row in 0..8 {
            let untried = self.untried.get(row).copied().unwrap_or(0);
            self.board[row] = if row < self.queens.len() { untried } else { self.free(row) };
            self.board[row + 8] = self.queens.get(row).copied().unwrap_or(0);
        }
        self.store(outside);
    }

    /// Stores the board. Pressed inputs are amber: the pad at its square, the keys in the bottom row.
    fn store(&self, outside: &mut dyn OutputSink) {
        for line in 0..LINES {
            let Inputs { pad, keys } = self.inputs;
            let pad =
                pad.filter(|(row, _)| usize::from(*row) == line % 8).map_or(0, |(_, column)| 1 << column);
            let keys = if line % 8 == 7 { keys } else { 0 };
            outside.display(self.cycle, line, self.board[line] | pad | keys);
        }
    }
}

impl Engine for Queens {
    fn run(&mut self, cycles: u64, outside: &mut dyn OutputSink) -> Result<u64, Failure> {
        assert!(self.panics_at.is_none_or(|cycle| self.cycle < cycle), "the requested panic");
        if std::mem::take(&mut self.are_new) {
            self.store(outside);
        }
        let (start, end) = (self.cycle, self.cycle.saturating_add(cycles));
        while self.cycle < end && !self.halted() {
            let next = (self.cycle / CYCLES_PER_STEP + 1) * CYCLES_PER_STEP;
            self.cycle = next.min(end);
            if self.cycle == next {
                self.step(outside);
            }
        }
        Ok(self.cycle - start)
    }

    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn halted(&self) -> bool {
        self.untried.is_empty()
    }

    fn registers(&self) -> Registers {
        Registers::default()
    }

    fn word(&self) -> Word {
        Word::default()
    }

    fn executed(&self) -> [u64; 8] {
        [0; 8]
    }

    fn press(&mut self, inputs: Inputs) -> Result<(), Unsettled> {
        self.are_new |= inputs != self.inputs;
        self.inputs = inputs;
        Ok(())
    }

    fn state(&self) -> State {
        let mut state = State { cycle: self.cycle, ..State::after_reset(Noise::Zeros) };
        state.ram[usize::from(GREEN)..][..LINES].copy_from_slice(&self.board);
        state
    }

    fn set_state(&mut self, _: &State) -> Result<(), Unsettled> {
        *self = Self::default();
        Ok(())
    }
}
