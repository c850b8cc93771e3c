//! Somebody who plays on the queens board and looks whether it does what the rules say.

use super::model::*;
use crate::expectations::drawn;
use gray1_machine::{Engine, FastEngine, Inputs, Noise};
use test_support::engines::Seen;
use test_support::programs::assembled;

/// A press is answered by a queen within so many cycles, and by what she threatens.
pub const QUEEN_SHOWN: u64 = 120;
pub const THREATS_SHOWN: u64 = 740;
/// A solution is sent so much later.
pub const SOLUTION_SENT: u64 = 320;
/// It takes longer to see that there is no solution.
pub const REFUSAL_SHOWN: u64 = 5000;

/// Nothing takes longer to blink.
pub const BLINK: u64 = 6000;

/// No search should need as many cycles: fifty times those of an average one.
pub const PATIENCE: u64 = 6_000_000;

/// A machine with the board, someone who plays on it, and what should happen.
pub struct Player {
    pub engine: Box<dyn Engine>,
    pub model: Model,
    /// What came out of the output port.
    pub sent: Vec<u8>,
}

impl Player {
    pub fn at(engine: Box<dyn Engine>) -> Player {
        let mut player = Player { engine, model: Model::new(), sent: Vec::new() };
        player.hold(Inputs::default(), 500);
        player.check("power-up");
        player
    }

    pub fn new() -> Player {
        let image = assembled("board", &[]).image;
        Player::at(Box::new(FastEngine::power_up(&image, Noise::Random(5))))
    }

    /// With an empty board of that size.
    pub fn on(size: u8) -> Player {
        let mut player = Player::new();
        for _ in size..8 {
            player.key(LEFT);
        }
        player
    }

    /// With these queens on the board.
    pub fn with(size: u8, queens: &[Square]) -> Player {
        let mut player = Player::on(size);
        for &queen in queens {
            player.pad(queen);
        }
        player
    }

    pub fn hold(&mut self, inputs: Inputs, cycles: u64) -> Seen {
        let mut seen = Seen::default();
        self.engine.press(inputs).expect("the board settles");
        self.engine.run(cycles, &mut seen).expect("the board settles");
        self.sent.extend(seen.bytes());
        seen
    }

    /// A short press, and time for the answer.
    pub fn tap(&mut self, inputs: Inputs) {
        self.hold(inputs, 150);
        self.hold(Inputs::default(), THREATS_SHOWN - 50);
    }

    pub fn pad(&mut self, square: Square) {
        let before = self.model.clone();
        self.tap(pad(square));
        self.model.pad(square);
        if self.model.queens == before.queens {
            // Outside of the board: what blinks blinks as it did.
            while !self.hold(Inputs::default(), 100).display.is_empty() {}
            if self.shown() != self.model.display(self.model.second_first) {
                self.model.blink();
            }
            self.check(&format!("pad {square:?} outside"));
        } else {
            self.check(&format!("pad {square:?}"));
            self.check_line();
        }
    }

    pub fn key(&mut self, key: u8) {
        self.tap(keys(key));
        self.model.key(key);
        self.check(&format!("key {key:02X}"));
        self.check_line();
    }

    /// The key B; says whether a solution comes.
    pub fn solve(&mut self) -> bool {
        self.tap(keys(B));
        let solvable = self.model.solve();
        self.wait_for_end(solvable);
        solvable
    }

    pub fn wait_for_end(&mut self, solvable: bool) {
        let (before, end) = (self.model.clone(), self.model.display(false));
        let patience = self.engine.cycle() + PATIENCE;
        while self.shown() != end {
            assert!(self.engine.cycle() < patience, "no end of {before:?}: {}", self.shown().join("\n"));
            self.hold(Inputs::default(), 500);
        }
        if solvable {
            self.until_blink();
            self.model.queens = lit(&self.shown(), "G");
            self.model.given = Some(before.queens.clone());
            self.until_blink();
            assert!(is_solution(before.size, &self.model.queens), "{before:?}: {:?}", self.model.queens);
            self.check_line();
            assert!(before.queens.is_subset(&self.model.queens), "{before:?}: {:?}", self.model.queens);
        }
    }

    pub fn shown(&self) -> Vec<String> {
        drawn(&self.engine.state().ram[0xFE0..0xFF0])
    }

    pub fn until_blink(&mut self) {
        let (before, patience) = (self.shown(), self.engine.cycle() + BLINK);
        while self.shown() == before && self.engine.cycle() < patience {
            self.hold(Inputs::default(), 50);
        }
        self.hold(Inputs::default(), 200);
    }

    /// Compares the display with what should be seen.
    pub fn check(&self, after: &str) {
        let expected = self.model.display(self.model.second_first).join("\n");
        let shown = self.shown().join("\n");
        assert!(shown == expected, "after {after}:\n{shown}\nbut expected\n{expected}\n{:?}", self.model);
    }

    /// Compares the last line that was sent with what is shown, a size or a solution.
    pub fn check_line(&mut self) {
        let expected = match self.model.view {
            View::Size => format!("{} rows\n", self.model.size),
            View::Solution => {
                self.hold(Inputs::default(), SOLUTION_SENT);
                let columns = self.model.queens.iter().map(|queen| (b'1' + queen.1) as char);
                columns.chain(['\n']).collect()
            }
            View::Position | View::Refusal(_) => return,
        };
        let sent = String::from_utf8_lossy(&self.sent);
        let line = sent.split_inclusive('\n').next_back();
        assert_eq!(line, Some(&*expected), "{:?}", self.model);
    }

    /// Waits for what blinks, and looks again.
    pub fn check_blink(&mut self) {
        self.until_blink();
        self.model.blink();
        self.check("a while");
    }
}

pub fn pad(square: Square) -> Inputs {
    Inputs { pad: Some(square), keys: 0 }
}

pub fn keys(keys: u8) -> Inputs {
    Inputs { pad: None, keys }
}

pub fn lit(display: &[String], led: &str) -> Queens {
    let square = |row: usize, column: usize| (row as u8, column as u8);
    let row = |(row, leds): (usize, &String)| {
        let lit = |(column, shown): (usize, &str)| (shown == led).then_some(square(row, column));
        leds.split(' ').enumerate().filter_map(lit).collect::<Vec<_>>()
    };
    display.iter().enumerate().flat_map(row).collect()
}

pub fn squares(size: u8) -> impl Iterator<Item = Square> {
    (0..size).flat_map(move |row| (0..size).map(move |column| (row, column)))
}
