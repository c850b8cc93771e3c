//! The game of snake, played until the board is full, and until the snake bites itself.

use crate::expectations::drawn;
use gray1_machine::{Engine, Inputs, IsaEngine, Noise};
use test_support::engines::Seen;
use test_support::programs::assembled;

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const UP: u8 = 4;
const DOWN: u8 = 8;
const START: u8 = 64;

/// The limit on the cycles of a move, including one that places a new apple.
const MAX_MOVE: u64 = 10_000;

struct Game {
    engine: IsaEngine,
    seen: Seen,
    /// The address of the head's position: a byte with a bit for the row, then one for the column.
    head: usize,
}

impl Game {
    fn start() -> Game {
        let program = assembled("snake", &[]);
        let head = program.symbols.iter().find(|symbol| symbol.name == "head").expect("a head").value;
        let engine = IsaEngine::power_up(&program.image, Noise::Random(8));
        let mut game = Game { engine, seen: Seen::default(), head: head as usize };
        game.hold(0, 1000);
        game.restart();
        game
    }

    fn hold(&mut self, keys: u8, cycles: u64) {
        self.engine.press(Inputs { pad: None, keys }).expect("the engine isa always settles");
        self.engine.run(cycles, &mut self.seen).expect("the engine isa always settles");
    }

    fn restart(&mut self) {
        self.hold(START, 500);
    }

    /// The row and column of the head.
    fn head(&self) -> (u32, u32) {
        let ram = self.engine.state().ram;
        (ram[self.head].trailing_zeros(), ram[self.head + 1].trailing_zeros())
    }

    /// Holds a key until the snake has moved. Returns whether it did.
    fn step(&mut self, key: u8) -> bool {
        let before = self.head();
        let patience = self.engine.cycle() + MAX_MOVE;
        while self.head() == before && self.engine.cycle() < patience {
            self.hold(key, 10);
        }
        self.hold(key, 300);
        self.head() != before
    }

    fn display(&self) -> Vec<String> {
        drawn(&self.engine.state().ram[0xFE0..0xFF0])
    }

    fn lit(&self, led: &str) -> usize {
        self.display().iter().map(|row| row.matches(led).count()).sum()
    }
}

/// The key for a step of a path along each row, one down, along the next row. Since the edges of the board are joined,
/// this path visits every square and returns to its start.
fn way_round(step: usize) -> u8 {
    if step % 8 == 7 { DOWN } else { RIGHT }
}

#[test]
fn a_snake_that_eats_everything_fills_the_board() {
    let mut game = Game::start();
    let mut steps = 0;
    while game.lit("A") == 0 {
        // The snake begins in column 2, which is two steps into the path.
        assert!(game.step(way_round(steps + 2)), "it stopped at {:?}", game.display());
        steps += 1;
        assert!(steps < 64 * 61);
        assert!(game.lit("R") <= 1);
    }
    assert_eq!(game.display(), vec!["A A A A A A A A"; 8]);
    let sent: String = (1..=61).map(|apples| format!("{apples:02}\n")).collect();
    assert_eq!(String::from_utf8_lossy(&game.seen.bytes()), sent);
    game.hold(UP, 20_000);
    assert_eq!(game.lit("A"), 64, "only START begins again");
    game.restart();
    assert_eq!((game.lit("G"), game.lit("A")), (3, 0));
}

#[test]
fn a_snake_that_bites_itself_turns_red() {
    let mut game = Game::start();
    let mut steps = 0;
    while game.lit("G") < 5 {
        assert!(game.step(way_round(steps + 2)));
        steps += 1;
    }
    // A snake of five squares bites itself when it circles on four. It moves right or down now.
    let turns: Vec<u8> =
        if steps % 8 == 6 { vec![LEFT, UP, RIGHT, DOWN] } else { vec![DOWN, LEFT, UP, RIGHT] };
    for turn in turns {
        game.step(turn);
    }
    game.hold(0, MAX_MOVE);
    assert_eq!((game.lit("G"), game.lit("A")), (0, 0));
    assert!(game.lit("R") >= 4, "the snake, whose tail has just moved on");
    game.restart();
    assert_eq!((game.lit("G"), game.lit("A")), (3, 0));
}

#[test]
fn a_snake_cannot_turn_back_into_its_neck() {
    let mut game = Game::start();
    let (row, column) = game.head();
    assert!(game.step(LEFT));
    assert_eq!(game.head(), (row, column + 1));
    assert!(game.step(UP));
    assert!(game.step(DOWN));
    assert_eq!(game.head(), (row - 2, column + 1));
}

#[test]
fn a_snake_whose_tail_makes_room_may_go_round_a_square() {
    let mut game = Game::start();
    game.step(UP);
    for turn in [LEFT, DOWN, RIGHT, UP, LEFT, DOWN, RIGHT] {
        assert!(game.step(turn));
    }
    assert_eq!(game.lit("G"), 3);
}
