//! The quick proof that the order of lookups makes no difference, which engines need before they run ahead. It is
//! compared with the claim, and boards for which it succeeds are run ahead and by the general rule. `LOCKSTEP=100 cargo
//! test --release -p gray1-proof --test it order` tries 100 times as many boards.

use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::{Board, Change, Chip};
use gray1_machine::{Noise, State};
use gray1_proof::{Claim, Prover, Verdict, order_makes_no_difference};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::sync::atomic::{AtomicUsize, Ordering};
use test_support::lockstep::{any_image, any_state, cases, compare, segments};
use test_support::say;

fn with(is_built: bool, changes: &[&str]) -> Board {
    let mut board = if is_built { Board::built() } else { Board::gray1() };
    for change in changes {
        let change: Change = change.parse().expect("a change");
        board.change(&change).expect("a cell of the board");
    }
    board
}

#[test]
fn the_quick_answer_is_that_of_the_claim() {
    for changes in [&[][..], &["ALUL:*.C4=0"], &["XMUX:0x1FF=0", "KMUX:*.I6=1"], &["PCL:0x100=0x55"]] {
        for is_built in [false, true] {
            let board = with(is_built, changes);
            let report = Prover::new(&board).prove(Claim::Order).expect("it is not stopped");
            let is_proved = report.verdict == Verdict::Proved;
            assert_eq!(order_makes_no_difference(board.netlist()), is_proved, "{changes:?}");
            assert_eq!(is_proved, changes != ["PCL:0x100=0x55"]);
        }
    }
}

/// A change of one cell, of one data line of it, or of one data line of all cells, of any ROM of a board.
fn change(board: &Board) -> impl Strategy<Value = String> + use<> {
    let roms = board.chips.iter().filter_map(|chip| match chip {
        Chip::Rom { name, burn, address, data, .. } if burn.program_byte().is_none() => {
            Some((name.clone(), address.len(), data.names().to_vec()))
        }
        _ => None,
    });
    let roms: Vec<_> = roms.collect();
    (prop::sample::select(roms), any::<u32>(), any::<prop::sample::Index>(), any::<bool>(), 0..3).prop_map(
        |((name, lines, data), address, line, level, kind)| {
            let (address, line) = (address % (1 << lines), line.get(&data));
            match kind {
                0 => format!("{name}:{address:#x}.{line}={}", u8::from(level)),
                1 => format!("{name}:{address:#x}={}", u32::from(level) * ((1 << data.len()) - 1)),
                _ => format!("{name}:*.{line}={}", u8::from(level)),
            }
        },
    )
}

#[test]
fn boards_with_any_cell_changed_run_ahead_as_by_the_general_rule() {
    const MACHINES: u32 = 40;
    let [gray1, built] = [Board::gray1(), Board::built()].map(|board| change(&board).boxed());
    let (judged, proved) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let boards = (any::<bool>(), gray1, built).prop_map(|(is_built, gray1, built)| {
        let change = if is_built { built } else { gray1 };
        (is_built, change)
    });
    let mut runner = TestRunner::new(cases(12));
    let result = runner.run(&boards, |(is_built, change)| {
        let board = with(is_built, &[&change]);
        judged.fetch_add(1, Ordering::Relaxed);
        if order_makes_no_difference(board.netlist()) {
            proved.fetch_add(1, Ordering::Relaxed);
            let machines = (any_image(), any_state(), any::<bool>(), segments());
            let config = Config { failure_persistence: None, ..Config::with_cases(MACHINES) };
            TestRunner::new(config)
                .run(&machines, |(image, state, begins_near, pieces)| {
                    let mut state = state;
                    state.pc %= if begins_near { 40 } else { 4096 };
                    compare(&board, false, &image, &state, &pieces)
                })
                .map_err(|error| TestCaseError::fail(error.to_string()))?;
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    let [judged, proved] = [judged, proved].map(|count| count.load(Ordering::Relaxed));
    say(&format!("{judged} boards, {proved} of them proved and run {MACHINES} times"));
    assert!(proved > 0);
}

/// A counter with a line that is stuck is not where a state puts it. A run that begins there halts as it would anywhere.
#[test]
fn a_counter_that_does_not_take_its_state_is_where_it_is() {
    let board = with(false, &["PCL:*.PC0=1"]);
    assert!(order_makes_no_difference(board.netlist()));
    let image = Image::from_words([Word::constant(Opcode::Nor, 0); 40]);
    for pc in 0..256 {
        let state = State { pc, ..State::after_reset(Noise::Random(1)) };
        compare(&board, false, &image, &state, &[(5, 0, None), (1, 0, None)])
            .unwrap_or_else(|error| panic!("from {pc}: {error}"));
    }
}
