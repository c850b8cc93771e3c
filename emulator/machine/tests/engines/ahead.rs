//! The chips engine, running ahead of its lookups, compared with the general rule alone. `LOCKSTEP=100 cargo test
//! --release -p gray1-machine --test it engines ahead` runs 100 times as many cases.

use gray1_machine::State;
use gray1_machine::board::{Board, Change};
use proptest::prelude::*;
use test_support::lockstep::{any_image, any_state, cases, compare, segments};

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn as_the_general_rule(
        image in any_image(),
        state in any_state(),
        begins_near: bool,
        is_built: bool,
        pieces in segments(),
    ) {
        let state = State { pc: if begins_near { state.pc % 40 } else { state.pc }, ..state };
        let board = if is_built { Board::built() } else { Board::gray1() };
        compare(&board, true, &image, &state, &pieces)?;
    }
}

/// Changes after which the order of lookups still makes no difference, on both boards: `gray1 verify order --cell CHANGE`
/// proves it for each.
pub const CHANGES: [&str; 12] = [
    "ALUL:*.C4=0",
    "ALUL:*.R0=1",
    "ALUH:*.NC=1",
    "ALUH:*.TAKE=0",
    "ALUH:*.R7=0",
    "XMUX:*.X3=1",
    "XMUX:0x1FF=0",
    "DMUX:*.D0=0",
    "KMUX:*.I6=1",
    "IODEC:*.OUTE=0",
    "GDEC:*.GE3=0",
    "ALUL:0x2AA=0x0B",
];

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn on_boards_with_changed_cells(
        image in any_image(),
        state in any_state(),
        change in prop::sample::select(&CHANGES[..]),
        is_built: bool,
        pieces in segments(),
    ) {
        let state = State { pc: state.pc % 40, ..state };
        let mut board = if is_built { Board::built() } else { Board::gray1() };
        let change: Change = change.parse().expect("a change");
        board.change(&change).expect("a cell of the chip");
        compare(&board, false, &image, &state, &pieces)?;
    }
}
