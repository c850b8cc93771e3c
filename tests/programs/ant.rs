//! Langton's ant, compared with a plain implementation on a board of cells.

use gray1_machine::{Engine, IsaEngine, Noise};
use test_support::engines::Seen;
use test_support::programs::assembled;

/// The board that the program sends after this many steps.
fn board_after(steps: i64) -> String {
    let mut lit = [[false; 8]; 8];
    let (mut row, mut column, mut direction) = (4, 4, 0);
    for _ in 0..steps {
        direction = (direction + if lit[row][column] { 3 } else { 1 }) % 4;
        lit[row][column] = !lit[row][column];
        let (down, right) = [(7, 0), (0, 1), (1, 0), (0, 7)][direction];
        (row, column) = ((row + down) % 8, (column + right) % 8);
    }
    lit.map(|cells| cells.map(|lit| if lit { "1" } else { "0" }).concat() + "\n").concat()
}

#[test]
fn the_ant_matches_the_model_for_any_number_of_steps() {
    for steps in [1, 2, 3, 4, 5, 11, 100, 255, 256, 257, 400, 1000, 12_345, 65_535] {
        let image = assembled("ant", &[("STEPS", steps)]).image;
        let mut engine = IsaEngine::power_up(&image, Noise::Random(1));
        let mut seen = Seen::default();
        engine.run(10_000_000, &mut seen).expect("the engine isa always settles");
        assert!(engine.halted(), "{steps} steps");
        assert_eq!(String::from_utf8_lossy(&seen.bytes()), board_after(steps), "{steps} steps");
    }
}
