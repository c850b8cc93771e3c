//! The button in the middle of a run, and pads and keys that move at any time: what is proved, and boards that are not.

use crate::support::{prove, prove_each};
use gray1_machine::board::Board;
use gray1_proof::report::ClaimReport;
use gray1_proof::{APART_PHASES, Claim, HOLD_CYCLES, Verdict};
use test_support::button::{button_faults, button_variants, input_faults};

/// The reports on some claims, which are printed in short.
fn reports(what: &str, board: &Board, claims: &[Claim]) -> Vec<ClaimReport> {
    let reports = prove_each(board, claims);
    for report in &reports {
        test_support::say(&format!("{what}: {:?} {}", report.claim, report.verdict));
        let undecided = report.undecided.iter().map(ToString::to_string);
        for why in undecided.chain(report.counterexamples.iter().map(|fault| format!("{fault:?}"))) {
            test_support::say(&format!("      {why:.240}"));
        }
    }
    reports
}

#[test]
fn a_press_that_does_harm_is_never_proved() {
    for (what, board) in button_faults(false) {
        let [reset] = &reports(what, &board, &[Claim::Reset])[..] else { panic!("one report") };
        assert_ne!(reset.verdict, Verdict::Proved, "{what}");
        if reset.verdict != Verdict::Refuted {
            let others = reports(what, &board, &[Claim::Loops, Claim::Order, Claim::Strobes]);
            assert!(others.iter().any(|report| report.verdict == Verdict::Refuted), "{what}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn a_press_that_does_harm_is_never_proved_as_it_is_built() {
    for (what, board) in button_faults(true) {
        assert_ne!(prove(&board, Claim::Reset).verdict, Verdict::Proved, "{what}");
    }
}

#[test]
fn a_button_taken_over_in_another_way_is_not_refuted() {
    for (what, board) in button_variants(false) {
        let reports = reports(what, &board, &[Claim::Loops, Claim::Order, Claim::Strobes, Claim::Reset]);
        assert!(reports.iter().all(|report| report.verdict != Verdict::Refuted), "{what}");
        if what == "two stages" {
            assert!(reports.iter().all(|report| report.verdict == Verdict::Proved), "{what}");
        }
    }
}

/// The numbers in the texts are the numbers of the proof.
#[test]
fn the_numbers_of_the_documents_are_those_of_the_proof() {
    let assumed = Claim::Reset.wording().assumes;
    let hazards = include_str!("../../../docs/hazards.md").replace('\n', " ");
    for (number, of) in [(HOLD_CYCLES, "cycles"), (APART_PHASES, "phases")] {
        for text in [assumed, &hazards] {
            assert!(text.contains(&format!("{number} {of}")), "{number} {of} in {text}");
        }
    }
}

#[test]
fn pads_and_keys_that_reach_more_than_a_byte_are_never_proved() {
    for built in [false, true] {
        for (what, board) in input_faults(built) {
            let reports = reports(what, &board, &[Claim::Loops, Claim::Order, Claim::Strobes]);
            assert!(reports.iter().all(|report| report.verdict != Verdict::Proved), "{what}");
        }
    }
}
