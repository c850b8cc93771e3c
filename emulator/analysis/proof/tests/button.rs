//! The button in the middle of a run, and pads and keys that move at any time: what is proved, and boards that are not.

mod support;

use gray1_machine::board::Board;
use gray1_proof::report::ClaimReport;
use gray1_proof::{Claim, Verdict};
use support::prove;
use test_support::button::{button_faults, input_faults};

/// The verdicts on the claims that the button and other lines from outside concern.
fn verdicts(board: &Board) -> Vec<ClaimReport> {
    [Claim::Loops, Claim::Order, Claim::Strobes, Claim::Reset].map(|claim| prove(board, claim)).into()
}

#[test]
fn the_built_in_boards_lose_nothing() {
    for board in [Board::gray1(), Board::built()] {
        for report in verdicts(&board) {
            assert_eq!(report.verdict, Verdict::Proved, "{report:#?}");
        }
    }
}

#[test]
fn a_press_that_does_harm_is_never_proved() {
    for built in [false, true] {
        for (what, board) in button_faults(built) {
            let reports = verdicts(&board);
            for report in &reports {
                test_support::say(&format!("{what}: {:?} {}", report.claim, report.verdict));
                for why in &report.undecided { test_support::say(&format!("      {why}")); }
                for why in &report.counterexamples { test_support::say(&format!("      {why:.200?}")); }
            }
            assert!(reports.iter().any(|report| report.verdict != Verdict::Proved), "{what}");
        }
    }
}

#[test]
fn pads_and_keys_that_reach_more_than_a_byte_are_never_proved() {
    for built in [false, true] {
        for (what, board) in input_faults(built) {
            let reports = verdicts(&board);
            for report in &reports {
                test_support::say(&format!("{what}: {:?} {}", report.claim, report.verdict));
                for why in &report.undecided { test_support::say(&format!("      {why}")); }
            }
            assert!(reports.iter().any(|report| report.verdict != Verdict::Proved), "{what}");
        }
    }
}
