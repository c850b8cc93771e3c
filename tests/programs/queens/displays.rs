//! The display of each program after each solution that it sends: one plane shows the queens, and the other what the
//! comments of the program say. All pictures of `queens.g1` are compared in `mod.rs`.

use super::solutions::is_free;
use gray1_machine::{Engine, IsaEngine, Noise, OutputSink};
use test_support::programs::assembled;

/// Records the display after each solution that is sent.
#[derive(Default)]
struct Watcher {
    lines: [u8; 16],
    sent: String,
    shown: Vec<(Vec<usize>, [u8; 16])>,
}

impl OutputSink for Watcher {
    fn output(&mut self, _cycle: u64, byte: u8) {
        if byte != b'\n' {
            self.sent.push(char::from(byte));
            return;
        }
        let line = std::mem::take(&mut self.sent);
        // The last line contains words, not a solution.
        let column = |digit: char| (digit.to_digit(16)? as usize).checked_sub(1);
        if let Some(queens) = line.chars().map(column).collect() {
            self.shown.push((queens, self.lines));
        }
    }

    fn display(&mut self, _cycle: u64, row: usize, leds: u8) {
        self.lines[row] = leds;
    }
}

/// The eight rows of a plane.
type Plane = [u8; 8];

/// A program, its N, the cycles to run, the least number of solutions that it then sends, and its red and green planes.
type Case = (&'static str, usize, u64, usize, fn(&[usize]) -> Plane, fn(&[usize]) -> Plane);

const CASES: [Case; 6] = [
    ("queens-brute", 8, 100_000_000, 10, queens, queens),
    ("queens-masks", 8, 100_000_000, 4, queens, queens),
    ("queens-permute", 8, 10_000_000, 92, queens, queens),
    ("queens-bits", 8, 10_000_000, 92, queens, free_and_untried),
    ("queens-array", 8, 10_000_000, 92, queens, dark),
    ("nqueens", 12, 50_000_000, 500, columns, diagonals),
];

fn queens(queens: &[usize]) -> Plane {
    std::array::from_fn(|row| 1 << queens[row])
}

fn dark(_queens: &[usize]) -> Plane {
    [0; 8]
}

/// The squares to the right of each queen that no queen above attacks.
fn free_and_untried(queens: &[usize]) -> Plane {
    std::array::from_fn(|row| {
        let squares = queens[row] + 1..8;
        squares.filter(|&column| is_free(&queens[..row], row, column)).map(|column| 1 << column).sum()
    })
}

/// A plane with these bits set. Bits from 8 on are in the rows below.
fn strings(bits: impl Iterator<Item = (usize, usize)>) -> Plane {
    let mut plane = [0; 8];
    for (row, bit) in bits {
        plane[row + bit / 8] |= 1 << (bit % 8);
    }
    plane
}

fn columns(queens: &[usize]) -> Plane {
    strings(queens.iter().map(|&column| (0, column)))
}

fn diagonals(queens: &[usize]) -> Plane {
    let places = queens.iter().enumerate();
    strings(places.flat_map(|(row, column)| [(2, row + column), (5, row + queens.len() - 1 - column)]))
}

#[test]
fn each_solution_is_on_the_display_when_it_is_sent() {
    for (name, size, cycles, least, red, green) in CASES {
        let constants: &[(&str, i64)] = if size == 8 { &[] } else { &[("N", size as i64)] };
        let program = assembled(name, constants);
        let mut engine = IsaEngine::power_up(&program.image, Noise::Random(5));
        let mut seen = Watcher::default();
        seen.lines.copy_from_slice(&Noise::Random(5).ram()[0xFE0..0xFF0]);
        engine.run(cycles, &mut seen).expect("the engine isa always settles");
        for (solution, lines) in &seen.shown {
            assert_eq!(solution.len(), size, "{name}");
            assert_eq!(lines[..8], green(solution), "{name}, green, {solution:?}");
            assert_eq!(lines[8..], red(solution), "{name}, red, {solution:?}");
        }
        let solutions = seen.shown.len();
        assert!(solutions >= least, "{name}: {solutions} solutions");
    }
}
