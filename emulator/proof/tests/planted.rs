//! Boards with a fault that programs of random words rarely show, which a short program or a press has to refute; and
//! correct boards with a buffer, or with a chip that nothing reads, which have to be proved.

use crate::support::{board, cells, extended, judged, prove, reburned, rom, with};
use gray1_proof::{Claim, Verdict};

const RAM_LOW: &str = "address: \"W0-11\", input: \"A0-3\"";
const RAM_HIGH: &str = "address: \"W0-11\", input: \"A4-7\"";

fn pass(from: &str, to: &str) -> String {
    rom("BUFFER", "burn: Cells([0, 1])", from, to)
}

#[test]
fn short_programs_refute_what_random_ones_rarely_show() {
    let ram = |low: &str, high: &str| {
        board(&[(RAM_LOW, &RAM_LOW.replace("W0-11", low)), (RAM_HIGH, &RAM_HIGH.replace("W0-11", high))])
    };
    // The second green row takes the byte 5A of the first.
    let odd =
        rom("ODD", &cells(10, |a| a >> 1 & 1 | u32::from(a & 1 == 1 && a >> 2 == 0x5A)), "GE0-1 A0-7", "GX1");
    let second = with(
        "GX1",
        &odd,
        &[
            ("A0-7 GREEN1_0-7 GE1\"", "A0-7 GREEN1_0-7 GX1\""),
            ("(latch: \"GREEN1_0-7\", enable: \"GE1\")", "(latch: \"GREEN1_0-7\", enable: \"GX1\")"),
        ],
    );
    let shadow = with(
        "Q0-3 N2",
        &format!(
            "Ram(name: \"RAMX\", part: \"4Kx4\", address: \"W0-5 W5 W7-11\", input: \"A0-3\", write: \"WE\", data: \"Q0-3\"),\n{}",
            rom("EITHER", "burn: Cells([0, 1, 0, 1])", "Q2 N2", "M2")
        ),
        &[(
            "input: \"A0-3\", write: \"WE\", data: \"M0-3\"",
            "input: \"A0-3\", write: \"WE\", data: \"M0-1 N2 M3\"",
        )],
    );
    let wrap = |a: u32, d: u8| if a >> 12 == 0 && a & 63 == 32 { d & 64 | 32 } else { d };
    for (what, board) in [
        ("RAM ignores W11", ram("W0-10 W10", "W0-10 W10")),
        ("half of RAM ignores W5", ram("W0-4 W4 W6-11", "W0-11")),
        ("a bit comes from a RAM that ignores W6", shadow),
        ("a second row opens for one byte", second),
        ("the counter does not wrap", reburned(&[("PCH", &wrap)])),
    ] {
        let report = prove(&board, Claim::Instructions);
        assert_eq!(report.verdict, Verdict::Refuted, "{what}: {report:#?}");
    }
}

#[test]
fn two_chips_that_synchronise_the_button_are_refuted() {
    let follow = |a: u32| if a & 3 == 2 { a >> 2 & 1 } else { a >> 3 };
    let second = rom("SECOND", &cells(4, follow), "S0-1 RSTIN RST2", "RST2");
    for readers in [
        &[("X0-3 X4 RST\"", "X0-3 X4 RST2\""), ("C4 ZL C RST\"", "C4 ZL C RST2\"")][..],
        &[("PH1 PH2 RST MC", "PH1 PH2 RST2 MC")],
        &[("\"W13-15 PH1 RST\"", "\"W13-15 PH1 RST2\"")],
    ] {
        let report = prove(&with("RST2", &second, readers), Claim::Reset);
        assert_eq!(report.verdict, Verdict::Refuted, "{readers:?}: {report:#?}");
    }
}

#[test]
fn a_reset_that_stops_the_sequencer_is_refuted() {
    let stops = |a: u32| a >> 4 == 1 && a >> 3 & 1 == 0 && a >> 1 & 3 == 3;
    let board = reburned(&[("SEQ", &|a, d| if stops(a) { d | 3 } else { d })]);
    let report = prove(&board, Claim::Reset);
    assert_eq!(report.verdict, Verdict::Refuted, "{report:#?}");
}

#[test]
fn buffers_and_chips_that_nothing_reads_are_proved() {
    let reset = [
        ("\"W13-15 PH1 RST\"", "\"W13-15 PH1 RB\""),
        ("PH1 PH2 RST MC", "PH1 PH2 RB MC"),
        ("TG0-5 PH1 RST\"", "TG0-5 PH1 RB\""),
        ("TG6-11 PH1 RST\"", "TG6-11 PH1 RB\""),
        ("X4 RST\"", "X4 RB\""),
        ("ZL C RST\"", "ZL C RB\""),
    ];
    judged(vec![
        ("RST", with("RB", &pass("RST", "RB"), &reset), "ppppp"),
        ("TICKH", with("TB", &pass("TICKH", "TB"), &[("TG6-11 LOAD TICKH\"", "TG6-11 LOAD TB\"")]), "ppppp"),
        ("TICK", with("TB", &pass("TICK", "TB"), &[("LOAD TICK PARH\"", "LOAD TB PARH\"")]), "ppppp"),
        ("LOAD", with("LB", &pass("LOAD", "LB"), &[("TG6-11 LOAD TICKH\"", "TG6-11 LB TICKH\"")]), "ppppp"),
        (
            "a latch by itself",
            extended("KEPT", &rom("UNREAD", "burn: Cells([0, 1])", "KEPT", "KEPT")),
            "ppppp",
        ),
        ("a latch of D", extended("Q0-7", &rom("UNREAD", "burn: Latch", "D0-7 Q0-7 PH1", "Q0-7")), "ppppp"),
    ]);
}

/// By the tables, the flags open more than once, but no run looks the wrong cell up.
#[test]
fn a_strobe_is_refuted_only_by_a_run() {
    for (address, bit) in [(0x303, 2), (0x445, 2), (0x0C2, 5)] {
        let board = reburned(&[("FLAGS", &|a, d| d ^ u8::from(a == address) << bit)]);
        let report = prove(&board, Claim::Strobes);
        assert_eq!(report.verdict, Verdict::Undecided, "{address:X}: {report:#?}");
    }
}
