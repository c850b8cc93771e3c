//! However low the limits are, nothing false is proved: cases beyond a limit are over-approximated or leave a claim
//! undecided.

use crate::support::{Reburned, board, cells, extended, prove_within, reburned, rom};
use gray1_machine::board::Board;
use gray1_proof::{Claim, Limits, Verdict};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Boards, each with a claim that is false of it.
static FALSE: LazyLock<Vec<(Claim, Board)>> = LazyLock::new(|| {
    let latch =
        rom("B1", "burn: Mux", "A0-7 FB0-7 TICK", "B0-7") + &rom("B2", &cells(8, |b| b), "B0-7", "FB0-7");
    let small = rom("B1", &cells(3, |a| if a >> 2 == 1 { a >> 1 & 1 } else { a & 1 }), "A0 FB0 TICK", "B0")
        + &rom("B2", &cells(1, |b| b), "B0", "FB0");
    let decoder = cells(5, |address| u32::from(address & 7 == 1 && address >> 4 == 0)) + ",";
    let rows = cells(13, |address| if address & 0xFF8 == 0xFE0 { 1 << (address & 7) } else { 0 }) + ",";
    let jmp: Reburned = ("DEC", &|a, d| d | u8::from(a == 13));
    let late = ("address: \"R0-7 T0-7 PH1\"", "address: \"R0-7 T0-7 S0\"");
    vec![
        (Claim::Order, extended("B0-7 FB0-7", &latch)),
        (Claim::Order, extended("B0 FB0", &small)),
        (Claim::Order, extended("RING", &rom("RINGER", "burn: Cells([0, 0, 1, 0])", "RING A0", "RING"))),
        (Claim::Loops, board(&[late])),
        (Claim::Loops, board(&[("burn: WriteDecoder,", &decoder)])),
        (Claim::Loops, board(&[("burn: GreenDecoder,", &rows)])),
        (Claim::Instructions, reburned(&[jmp])),
    ]
});

fn limits() -> impl Strategy<Value = Limits> {
    let power = |most: u32| (0..most).prop_map(|bits| 1usize << bits);
    let visits = power(24);
    (0..24usize, 1..40usize, 0..7u32, power(9), power(16), power(16), visits, power(20), 0..64usize).prop_map(
        |(clock_lines, scenarios, causes, surroundings, rests, states, visits, nodes, sweeps)| Limits {
            clock_lines,
            scenarios,
            causes,
            surroundings,
            rests,
            states,
            visits,
            nodes,
            sweeps,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn nothing_false_is_proved(limits in limits(), which in 0..7usize) {
        let (claim, board) = &FALSE[which];
        let report = prove_within(board, *claim, &limits);
        prop_assert_ne!(report.verdict, Verdict::Proved, "{:?}", claim);
    }

    #[test]
    fn nothing_true_is_refuted_for_want_of_trying(limits in limits(), which in 0..5usize) {
        let limits = Limits { scenarios: 32, causes: 6, ..limits };
        let report = prove_within(&Board::gray1(), Claim::ALL[which], &limits);
        prop_assert_ne!(report.verdict, Verdict::Refuted, "{:#?}", report.counterexamples);
    }
}

/// If a line may or may not move, a pulse that results from its movement is not a fault of the board in the case in
/// which it does not move.
#[test]
fn lines_that_are_looked_at_together_refute_nothing() {
    let limits = Limits { surroundings: 1, rests: 1 << 12, states: 16, ..Limits::default() };
    for claim in [Claim::Order, Claim::Reset] {
        let report = prove_within(&Board::gray1(), claim, &limits);
        assert_eq!(report.verdict, Verdict::Undecided, "{claim:?}: {:#?}", report.counterexamples);
    }
}

/// Each initial state of a ring may lead to few states only, but there can be millions of initial states.
#[test]
fn a_ring_with_too_many_states_in_all_is_left_undecided() {
    let within = |visits| {
        let limits = Limits { visits, ..Limits::default() };
        prove_within(&Board::gray1(), Claim::Order, &limits).verdict
    };
    // The counter alone has 4,096 states of rest.
    assert_eq!([within(1 << 12), within(1 << 20)], [Verdict::Undecided, Verdict::Proved]);
}
