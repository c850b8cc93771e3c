//! The game of life, compared with a plain implementation that goes cell by cell.

use gray1_machine::{Engine, Noise, Script};
use std::fmt::Write;
use test_support::engines::{Seen, chips};
use test_support::programs::assembled;

type Board = [[bool; 8]; 8];

fn next(board: &Board) -> Board {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| {
            let around = (0..9).filter(|&place| place != 4);
            let cell = |place: usize| board[(row + 7 + place / 3) % 8][(column + 7 + place % 3) % 8];
            let neighbours = around.filter(|&place| cell(place)).count();
            neighbours == 3 || neighbours == 2 && board[row][column]
        })
    })
}

fn board(lines: &[u8]) -> Board {
    std::array::from_fn(|row| std::array::from_fn(|column| lines[row] >> column & 1 == 1))
}

#[test]
fn life_matches_the_model() {
    // The board is dense enough that every number of neighbours occurs, also across all four edges.
    let cells = "#.##..#.|.###.#..|##.#...#|#....##.|.#.#.###|..####..|#.#..#.#|##..#.##";
    let mut script = "[(at: 100, keys: [\"start\"]), (at: 1500, keys: [])".to_owned();
    let mut at = 2000;
    for (row, cells) in cells.split('|').enumerate() {
        for (col, _) in cells.bytes().enumerate().filter(|&(_, cell)| cell == b'#') {
            let _ =
                write!(script, ", (at: {at}, pad: (row: {row}, col: {col})), (at: {}, pad: None)", at + 400);
            at += 800;
        }
    }
    let script = Script::from_ron(&(script + "]")).expect("a good script");
    let mut engine = chips(&assembled("life", &[]).image, Noise::Random(5));
    let mut seen = Seen::default();
    script.run(&mut engine, at, &mut seen).expect("the board settles");
    let drawn: Board = board(&engine.state().ram[0xFE0..]);
    let expected: Vec<Vec<bool>> =
        cells.split('|').map(|row| row.bytes().map(|cell| cell == b'#').collect()).collect();
    assert_eq!(drawn.map(Vec::from).to_vec(), expected);

    let before = seen.display.len();
    script.run(&mut engine, 100_000, &mut seen).expect("the board settles");
    let mut lines: [u8; 8] = std::array::from_fn(|row| {
        drawn[row].iter().rev().fold(0, |bits, &cell| (bits << 1) | u8::from(cell))
    });
    let mut generation = drawn;
    let mut generations = 0;
    for stores in seen.display[before..].chunks_exact(8) {
        for &(_, row, leds) in stores {
            lines[row] = leds;
        }
        generation = next(&generation);
        assert!(board(&lines) == generation, "generation {generations}");
        generations += 1;
        let cycles = stores[7].0 - stores[0].0;
        assert_eq!(cycles, 14, "the generations change over at once");
    }
    assert!((110..125).contains(&generations), "{generations} generations in 100,000 cycles, less a pause");
}
