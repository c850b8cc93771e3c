//! The queens board, played in many ways and compared with an independent model of its rules.

mod model;
mod player;

use crate::expectations::Expectations;
use gray1_machine::{Inputs, Noise, Script};
use model::*;
use player::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use test_support::engines::{Seen, engines};
use test_support::programs::{assembled, folder};

/// A solution for each size: the column of the queen in each row.
const SOLUTIONS: [&[u8]; 5] =
    [&[1, 3, 0, 2], &[0, 2, 4, 1, 3], &[1, 3, 5, 0, 2, 4], &[0, 2, 4, 6, 1, 3, 5], &[0, 4, 7, 5, 2, 6, 1, 3]];

#[test]
fn queens_work_on_every_size_and_all_engines() {
    let image = assembled("board", &[]).image;
    for (_, engine) in engines(&image, Noise::Random(6)) {
        let mut player = Player::at(engine);
        for solution in SOLUTIONS.iter().rev() {
            let size = solution.len() as u8;
            assert_eq!(player.model.size, size);
            let queens: Vec<Square> = (0..).zip(solution.iter().copied()).collect();
            for &queen in &queens[..queens.len() - 1] {
                player.pad(queen);
            }
            let last = queens[queens.len() - 1];
            let wrong = (last.0, (last.1 + 1) % size);
            player.pad(wrong);
            assert!(!lit(&player.shown()[..usize::from(size)], "A").is_empty(), "a conflict");
            player.pad(wrong);
            player.pad((size.min(7), 0));
            player.pad((0, size.min(7)));
            if size == 8 {
                player.pad((7, 0));
                player.pad((0, 7));
            }
            player.pad(last);
            assert_eq!(player.model.view, View::Solution);
            assert_eq!(lit(&player.shown(), "G").len(), usize::from(size).pow(2), "all green");
            player.check_blink();
            player.check_blink();
            player.pad(queens[1]);
            assert_eq!(player.model.view, View::Position);
            player.key(START);
            player.key(LEFT);
        }
    }
}

#[test]
fn all_engines_search_alike_cycle_by_cycle() {
    let source = std::fs::read_to_string(folder().join("board.g1")).expect("a text");
    let image = assembled("board", &[]).image;
    let expected = Expectations::read(&source).expect("what the comments say");
    let script = Script::from_ron(&expected.input).expect("a script");
    let runs = engines(&image, Noise::Random(7)).into_iter().map(|(_, mut engine)| {
        let mut seen = Seen::default();
        script.run(&mut *engine, 20_000, &mut seen).expect("the board settles");
        (seen, engine.state())
    });
    let runs: Vec<_> = runs.collect();
    assert!(runs.windows(2).all(|pair| pair[0] == pair[1]));
    assert!(runs[0].0.display.len() > 200);
}

#[test]
fn the_arrows_choose_a_size_from_4_to_8_before_the_first_queen() {
    let mut player = Player::new();
    let sizes =
        [(RIGHT, 8), (UP, 7), (LEFT, 6), (LEFT, 5), (LEFT, 4), (LEFT, 4), (UP, 4), (DOWN, 5), (RIGHT, 6)];
    for (key, size) in sizes {
        player.key(key);
        assert_eq!(player.model.size, size);
    }
    player.pad((5, 5));
    player.key(LEFT);
    assert_eq!((player.model.size, player.model.visible), (6, true), "now they move the cursor");
    player.key(START);
    player.key(DOWN);
    assert_eq!((player.model.size, player.model.queens.len()), (7, 0));
}

#[test]
fn squares_outside_the_board_do_nothing() {
    let mut player = Player::with(5, &[(4, 4)]);
    for square in squares(8).filter(|&(row, column)| row.max(column) > 4) {
        player.pad(square);
    }
    assert_eq!(player.model.queens, Queens::from([(4, 4)]));
}

#[test]
fn a_cursor_shows_what_a_press_would_do() {
    let mut player = Player::new();
    player.key(A);
    player.check_blink();
    player.check_blink();
    for key in [RIGHT, RIGHT, DOWN, A, A, A, DOWN, A, UP, UP, UP, LEFT, A] {
        player.key(key);
        player.check_blink();
        player.check_blink();
    }
    assert_eq!(player.model.queens, Queens::from([(1, 2), (2, 2), (0, 1)]));
    player.pad((5, 5));
    player.check_blink();
    player.key(UP);
    assert_eq!(player.model.cursor, (5, 5), "it appears where the mouse was");
}

#[test]
fn an_arrow_that_is_held_repeats_up_to_the_edge() {
    let mut player = Player::new();
    player.key(A);
    player.model.key(DOWN);
    player.hold(keys(DOWN), 2000);
    player.check("two thousand cycles");
    for _ in 0..7 {
        player.model.key(DOWN);
    }
    player.hold(keys(DOWN), 9000);
    player.hold(Inputs::default(), 400);
    assert_eq!(player.model.cursor, (7, 0));
    player.check_blink();
    player.check_blink();
}

#[test]
fn a_pad_that_is_held_or_slides_is_one_press_and_a_key_beside_another_counts() {
    let mut player = Player::new();
    player.model.pad((3, 3));
    player.hold(pad((3, 3)), 9000);
    player.hold(pad((3, 4)), 3000);
    player.hold(Inputs::default(), 200);
    player.check("a slide");
    player.model.key(RIGHT);
    player.model.key(RIGHT);
    player.model.key(DOWN);
    player.hold(keys(RIGHT), 400);
    player.hold(Inputs::default(), 400);
    player.hold(keys(RIGHT), 400);
    player.hold(keys(RIGHT | DOWN), 400);
    player.check("a corner");
}

#[test]
fn presses_are_answered_in_time() {
    let mut player = Player::new();
    let (mut queen, mut all) = (0, 0);
    for press in 0..2000u64 {
        // More and more queens until the board is full, then fewer.
        let place = (press * 5 % 64) as u8;
        let square = (place / 8, place % 8);
        player.hold(Inputs::default(), 97 + press % 53);
        let pressed = player.engine.cycle();
        let seen = player.hold(pad(square), 1500);
        let first = seen.display.iter().find(|&&(_, line, _)| line == usize::from(square.0));
        queen = queen.max(first.expect("an answer").0 - pressed);
        // The last change before the LEDs first blink.
        all = all.max(seen.display.last().expect("an answer").0 - pressed);
        player.model.pad(square);
        player.check("a quick press");
    }
    assert!(
        (QUEEN_SHOWN - 20..=QUEEN_SHOWN).contains(&queen)
            && (THREATS_SHOWN - 20..=THREATS_SHOWN).contains(&all),
        "{queen} {all}"
    );
}

#[test]
fn every_size_is_solved_from_the_empty_board_and_each_time_anew() {
    // 200 searches on eight rows find about 82 of the 92 solutions.
    for (size, searches, solutions) in [(4, 20, 2), (5, 100, 10), (6, 40, 4), (7, 400, 40), (8, 200, 75)] {
        let mut player = Player::on(size);
        let mut found = BTreeSet::new();
        for _ in 0..searches {
            assert!(player.solve());
            found.insert(player.model.queens.clone());
            assert_eq!(player.model.given, Some(Queens::new()), "from the same start");
        }
        assert!(found.len() >= solutions, "{} solutions on {size} rows", found.len());
    }
}

#[test]
fn solutions_depend_on_the_time_between_presses() {
    let found: BTreeSet<Queens> = (0..40)
        .map(|wait| {
            let mut player = Player::new();
            player.hold(Inputs::default(), 50 * wait);
            assert!(player.solve());
            player.model.queens
        })
        .collect();
    assert!(found.len() > 20, "{} solutions", found.len());
}

#[test]
fn positions_are_solved_or_refused_quickly() {
    let mut refused = 0;
    let mut longest = 0;
    for size in 4..=8 {
        let mut player = Player::on(size);
        let pairs = squares(size).flat_map(|one| squares(size).map(move |other| (one, other)));
        for (one, other) in pairs.filter(|(one, other)| one <= other) {
            let queens = Queens::from([one, other]);
            let solvable = solvable(size, &queens);
            // Test single queens, pairs without a solution, and some pairs with one.
            if one != other && solvable && (one.0 * 5 + other.1 * 3 + other.0) % 9 != 0 {
                continue;
            }
            for &queen in &queens {
                player.pad(queen);
            }
            let asked = player.engine.cycle();
            assert_eq!(player.solve(), solvable);
            if !solvable {
                refused += 1;
                longest = longest.max(player.engine.cycle() - asked);
                assert_eq!(player.model.queens, queens);
            }
            player.check_blink();
            player.key(START);
        }
    }
    assert!(refused > 1000, "{refused}");
    assert!((REFUSAL_SHOWN - 1000..=REFUSAL_SHOWN).contains(&longest), "{longest} cycles");
}

#[test]
fn no_queen_and_one_queen_on_seven_or_eight_rows_always_lead_to_a_solution() {
    for size in [7, 8] {
        assert!(solvable(size, &Queens::new()));
        assert!(squares(size).filter(|_| size == 8).all(|square| solvable(size, &Queens::from([square]))));
    }
}

#[test]
fn any_press_stops_it_and_leaves_the_queens_as_they_were() {
    for (stop, inputs) in
        [pad((3, 3)), pad((0, 1)), keys(A), keys(B), keys(START), keys(UP)].into_iter().enumerate()
    {
        let mut player = Player::with(8, &[(0, 1)]);
        player.hold(keys(B), 2000);
        assert!(!player.hold(keys(B), 500).display.is_empty(), "holding the key on does not stop it");
        player.hold(Inputs::default(), 500);
        player.hold(inputs, 1500);
        player.check(&format!("stop {stop}"));
        player.hold(Inputs::default(), 1000);
        player.check("and later");
        player.pad((1, 3));
        assert!(player.solve());
    }
}

#[derive(Clone, Copy, Debug)]
enum Press {
    Pad(Square),
    Key(u8),
    Solve,
    Wait,
}

fn presses() -> impl Strategy<Value = Vec<Press>> {
    let press = prop_oneof![
        8 => (0..8u8, 0..8u8).prop_map(Press::Pad),
        8 => (0..4u8, 0..5u8).prop_map(|(row, column)| Press::Pad((row, column))),
        6 => prop::sample::select(vec![LEFT, RIGHT, UP, DOWN, A]).prop_map(Press::Key),
        1 => Just(Press::Key(START)),
        1 => Just(Press::Solve),
        3 => Just(Press::Wait),
    ];
    prop::collection::vec(press, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_presses_give_the_display_of_the_model(size in 4..=8u8, presses in presses()) {
        let mut player = Player::on(size);
        for press in presses {
            match press {
                Press::Pad(square) => player.pad(square),
                Press::Key(key) => player.key(key),
                Press::Solve => {
                    player.solve();
                }
                Press::Wait => player.check_blink(),
            }
        }
    }
}
