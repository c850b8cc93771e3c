//! The game of lights, won by a player who solves each board, and lost by one who presses the same light again and again.

use crate::expectations::drawn;
use gray1_machine::{Engine, Inputs, IsaEngine, Noise};
use test_support::engines::Seen;
use test_support::programs::assembled;

const SIZE: usize = 7;

/// A player at the machine.
struct Player {
    engine: IsaEngine,
    seen: Seen,
}

impl Player {
    fn new() -> Player {
        let image = assembled("lights", &[]).image;
        let engine = IsaEngine::power_up(&image, Noise::Random(3));
        let mut player = Player { engine, seen: Seen::default() };
        player.wait(1000);
        player
    }

    fn wait(&mut self, cycles: u64) {
        self.engine.run(cycles, &mut self.seen).expect("the engine isa always settles");
    }

    /// Presses an LED after this many cycles, and waits for the answer.
    fn press(&mut self, row: usize, column: usize, after: u64) {
        self.wait(after);
        let pad = Some((row as u8, column as u8));
        self.engine.press(Inputs { pad, keys: 0 }).expect("the engine isa always settles");
        self.wait(800);
        self.engine.press(Inputs::default()).expect("the engine isa always settles");
        self.wait(20_000);
    }

    fn display(&self) -> Vec<u8> {
        self.engine.state().ram[0xFE0..0xFF0].to_vec()
    }

    /// The lights that are on, and the level and the remaining presses, which the red LEDs show.
    fn board(&self) -> (u64, usize, usize) {
        let display = self.display();
        let lights = (0..SIZE).map(|row| u64::from(display[row]) << (SIZE * row)).sum();
        let level = display[8..15].iter().filter(|row| **row == 0x80).count();
        (lights, level, display[15].count_ones() as usize)
    }
}

/// The presses that turn these lights off, found by Gaussian elimination over the field of two elements.
fn solution(lights: u64) -> Vec<usize> {
    let flips = |light: usize| {
        let (row, column) = (light / SIZE, light % SIZE);
        (0..SIZE * SIZE)
            .filter(|other| row.abs_diff(other / SIZE) + column.abs_diff(other % SIZE) <= 1)
            .map(|other| 1u64 << other)
            .sum::<u64>()
    };
    // An equation for each light: the presses that flip it and, in the bit above them, whether it is lit.
    let mut equations: Vec<u64> =
        (0..SIZE * SIZE).map(|light| flips(light) | (lights >> light & 1) << 63).collect();
    for press in 0..SIZE * SIZE {
        let pivot = (press..SIZE * SIZE).find(|&row| equations[row] >> press & 1 == 1);
        equations.swap(press, pivot.expect("every board of 7 x 7 lights has one solution"));
        for row in (0..SIZE * SIZE).filter(|&row| row != press) {
            if equations[row] >> press & 1 == 1 {
                equations[row] ^= equations[press];
            }
        }
    }
    (0..SIZE * SIZE).filter(|&press| equations[press] >> 63 == 1).collect()
}

#[test]
fn seven_levels_win_the_heart_and_it_begins_again() {
    let mut player = Player::new();
    player.press(0, 0, 37);
    let mut boards = Vec::new();
    for level in 1..=SIZE {
        let (lights, shown, presses) = player.board();
        assert_eq!((shown, presses), (level, SIZE));
        let solution = solution(lights);
        assert!((1..=level).contains(&solution.len()), "level {level} takes {solution:?}");
        boards.push(lights);
        for press in solution {
            player.press(press / SIZE, press % SIZE, 1000 + 331 * level as u64);
        }
        if level < SIZE {
            assert_eq!(drawn(&player.display())[5], "G G G G . . . .", "the tick after level {level}");
            player.press(7, 7, 500);
        }
    }
    assert_eq!(drawn(&player.display())[1], "R R R R R R R R", "the heart");
    player.press(2, 2, 0);
    assert_eq!(drawn(&player.display())[3], "G G G R R G G G", "the title");
    player.press(2, 2, 0);
    assert_eq!(player.board().1, 1);
    boards.sort_unstable();
    boards.dedup();
    assert_eq!(boards.len(), SIZE, "the boards differ");
    let sent: String = (1..=SIZE).chain([1]).map(|level| format!("level {level}\n")).collect();
    assert_eq!(String::from_utf8_lossy(&player.seen.bytes()), sent);
}

#[test]
fn seven_wrong_presses_lose_and_those_beside_the_board_do_not_count() {
    let mut player = Player::new();
    player.press(4, 4, 0);
    let before = player.board();
    player.press(7, 3, 10);
    player.press(3, 7, 10);
    assert_eq!(player.board(), before);
    for presses in 1..=SIZE {
        assert_eq!(player.board().2, SIZE + 1 - presses);
        player.press(6, 6, 10);
    }
    assert_eq!(drawn(&player.display())[0], "R . . . . . . R", "the cross");
    player.press(0, 0, 10);
    assert_eq!(drawn(&player.display())[0], ". . . G G . . .", "the title");
}

#[test]
fn the_board_depends_on_when_the_player_begins() {
    let mut boards: Vec<u64> = (0..60)
        .map(|wait| {
            let mut player = Player::new();
            player.press(3, 3, 100 + 6 * wait);
            player.board().0
        })
        .collect();
    boards.sort_unstable();
    boards.dedup();
    assert!(boards.len() > 20, "{} boards", boards.len());
}
