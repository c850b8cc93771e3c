//! A model of the rules of the queens board, independent of the program.

use std::collections::BTreeSet;

pub const LEFT: u8 = 0x01;
pub const RIGHT: u8 = 0x02;
pub const UP: u8 = 0x04;
pub const DOWN: u8 = 0x08;
pub const A: u8 = 0x10;
pub const B: u8 = 0x20;
pub const START: u8 = 0x40;

/// A row and a column.
pub type Square = (u8, u8);
pub type Queens = BTreeSet<Square>;

pub fn attacks((row, column): Square, (other_row, other_column): Square) -> bool {
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    (rows, columns) != (0, 0) && (rows == 0 || columns == 0 || rows == columns)
}

pub fn threatened(square: Square, queens: &Queens) -> bool {
    queens.iter().any(|&queen| attacks(queen, square))
}

pub fn at_peace(queens: &Queens) -> bool {
    !queens.iter().any(|&queen| threatened(queen, queens))
}

pub fn is_solution(size: u8, queens: &Queens) -> bool {
    queens.len() == usize::from(size) && at_peace(queens)
}

/// Whether these queens can be completed to a solution.
pub fn solvable(size: u8, queens: &Queens) -> bool {
    let Some(row) = (0..size).find(|&row| queens.iter().all(|queen| queen.0 != row)) else {
        return is_solution(size, queens);
    };
    at_peace(queens)
        && (0..size).map(|column| (row, column)).any(|square| {
            let mut more = queens.clone();
            more.insert(square);
            !threatened(square, queens) && solvable(size, &more)
        })
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    Size,
    Position,
    Solution,
    /// The number of flashes that remain; odd ones are red.
    Refusal(u8),
}

/// The number of flashes of a refusal.
const FLASHES: u8 = 5;

/// The expected state of the board.
#[derive(Clone, Debug)]
pub struct Model {
    pub size: u8,
    pub queens: Queens,
    /// The solution of the machine, until the player changes it.
    pub given: Option<Queens>,
    pub view: View,
    pub cursor: Square,
    pub visible: bool,
    /// Whether blinking begins with the second picture.
    pub second_first: bool,
}

impl Model {
    pub fn new() -> Model {
        Model {
            size: 8,
            queens: Queens::new(),
            given: None,
            view: View::Size,
            cursor: (0, 0),
            visible: false,
            second_first: false,
        }
    }

    /// The LEDs. `second` selects the second picture of those that blink.
    pub fn display(&self, second: bool) -> Vec<String> {
        let led = |square| self.led(square, second);
        (0..8).map(|row| (0..8).map(|column| led((row, column))).collect::<Vec<_>>().join(" ")).collect()
    }

    pub fn led(&self, square: Square, second: bool) -> &'static str {
        let queen = self.queens.contains(&square);
        let furthest = square.0.max(square.1);
        match self.view {
            View::Size => [".", "G"][usize::from(furthest < self.size && (square.0 + square.1) % 2 == 1)],
            View::Solution => [".", "G"][usize::from(if second { queen } else { furthest < self.size })],
            _ if furthest >= self.size => {
                let mark = [(0, self.size), (self.size, 0), (self.size, self.size)].contains(&square);
                [".", "A"][usize::from(mark)]
            }
            View::Refusal(flashes) => [".", "R"][usize::from(flashes % 2)],
            _ => {
                let blinks = second && self.visible && square == self.cursor;
                match (queen != blinks, threatened(square, &self.queens)) {
                    (false, false) => ".",
                    (true, false) => "G",
                    (false, true) => "R",
                    (true, true) => "A",
                }
            }
        }
    }

    /// Time passes until the LEDs blink.
    pub fn blink(&mut self) {
        self.second_first = !self.second_first && !matches!(self.view, View::Refusal(_));
        match self.view {
            View::Refusal(1) => self.view = View::Position,
            View::Refusal(flashes) => self.view = View::Refusal(flashes - 1),
            _ => {}
        }
    }

    pub fn toggle(&mut self, square: Square) {
        self.given = None;
        if !self.queens.remove(&square) {
            self.queens.insert(square);
        }
        self.judge();
    }

    pub fn judge(&mut self) {
        self.view = View::Position;
        if is_solution(self.size, &self.queens) {
            self.view = View::Solution;
            self.visible = false;
        }
    }

    pub fn pad(&mut self, square: Square) {
        if square.0.max(square.1) < self.size {
            self.second_first = false;
            self.cursor = square;
            self.visible = false;
            self.toggle(square);
        }
    }

    /// A key other than B is pressed.
    pub fn key(&mut self, key: u8) {
        let arrow = key < A;
        self.second_first = arrow || key == A;
        match key {
            START => *self = Model { size: self.size, ..Model::new() },
            _ if arrow && self.view == View::Size => {
                self.second_first = false;
                self.size =
                    if key == RIGHT || key == DOWN { 8.min(self.size + 1) } else { 4.max(self.size - 1) };
            }
            _ if !self.visible => {
                self.visible = true;
                self.view = View::Position;
            }
            A => {
                self.second_first = false;
                self.toggle(self.cursor);
            }
            _ => {
                let (row, column) = self.cursor;
                let further = |place: u8| (self.size - 1).min(place + 1);
                self.view = View::Position;
                self.cursor = match key {
                    LEFT => (row, column.saturating_sub(1)),
                    RIGHT => (row, further(column)),
                    UP => (row.saturating_sub(1), column),
                    _ => (further(row), column),
                };
            }
        }
    }

    /// The key B is pressed, and the machine has searched. Returns whether there is a solution, which may be any.
    pub fn solve(&mut self) -> bool {
        self.second_first = false;
        if let Some(given) = self.given.take() {
            self.queens = given;
        }
        let solvable = solvable(self.size, &self.queens);
        self.view = if solvable { View::Solution } else { View::Refusal(FLASHES) };
        self.visible &= !solvable;
        solvable
    }
}
