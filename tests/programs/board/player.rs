//! A player on the queens board, who compares it with the model.

use super::model::*;
use crate::expectations::drawn;
use gray1_machine::{Engine, Inputs, IsaEngine, Noise};
use test_support::engines::Seen;
use test_support::programs::assembled;

/// The limit on the cycles from a press until the queen and the squares that she attacks are shown.
pub const QUEEN_SHOWN: u64 = 120;
pub const THREATS_SHOWN: u64 = 740;
/// The further cycles until a solution is sent.
pub const SOLUTION_SENT: u64 = 320;
/// The limit on the cycles until a refusal is shown, because the program has to search first.
pub const REFUSAL_SHOWN: u64 = 5000;

/// The limit on the cycles between two blinks.
pub const BLINK: u64 = 6000;

/// The limit on the cycles of a search: fifty times the average.
pub const MAX_SEARCH: u64 = 6_000_000;

/// A machine that runs the program, the inputs of the player, and the model.
pub struct Player {
    pub engine: Box<dyn Engine>,
    pub model: Model,
    /// The bytes that were sent to the port.
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
        Player::at(Box::new(IsaEngine::power_up(&image, Noise::Random(5))))
    }

    /// A player at an empty board of this size.
    pub fn on(size: u8) -> Player {
        let mut player = Player::new();
        for _ in size..8 {
            player.key(LEFT);
        }
        player
    }

    /// A player at a board with these queens.
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

    /// A short press, and enough time for the answer.
    pub fn tap(&mut self, inputs: Inputs) {
        self.hold(inputs, 150);
        self.hold(Inputs::default(), THREATS_SHOWN - 50);
    }

    pub fn pad(&mut self, square: Square) {
        let before = self.model.clone();
        self.tap(pad(square));
        self.model.pad(square);
        if self.model.queens == before.queens {
            // A pad outside of the board does not change the blinking.
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

    /// Presses the key B. Returns whether the machine finds a solution.
    pub fn solve(&mut self) -> bool {
        self.tap(keys(B));
        let solvable = self.model.solve();
        self.wait_for_end(solvable);
        solvable
    }

    pub fn wait_for_end(&mut self, solvable: bool) {
        let (before, end) = (self.model.clone(), self.model.display(false));
        let patience = self.engine.cycle() + MAX_SEARCH;
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

    /// Compares the display with the model.
    pub fn check(&self, after: &str) {
        let expected = self.model.display(self.model.second_first).join("\n");
        let shown = self.shown().join("\n");
        assert!(shown == expected, "after {after}:\n{shown}\nbut expected\n{expected}\n{:?}", self.model);
    }

    /// Compares the last line that was sent, a size or a solution, with the display.
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

    /// Waits until the LEDs blink, and compares again.
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
