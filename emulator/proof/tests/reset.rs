//! Resets and strobes: what is proved about the board, and what fails on simplified boards.

use crate::support::{board, cells, prove, proved, reburned};
use gray1_machine::board::Board;
use gray1_proof::report::{ClaimReport, Counterexample, Evidence};
use gray1_proof::{Claim, StrobeTrouble, Verdict};
use test_support::boards::DIRECT_RESET;

/// A board whose reset line is not synchronised: the button is connected directly to the chips.
fn direct() -> Board {
    board(&DIRECT_RESET)
}

#[test]
fn the_true_board_starts_at_0_whenever_the_button_is_let_go() {
    let report = proved(Claim::Reset);
    let Evidence::Reset { cycles: 3, from, ends, begins } = &report.evidence else { panic!("{report:#?}") };
    // The counter, A and C with their masters, whether there was a jump, the port and the rows.
    assert_eq!((from.len(), &ends[..]), (12 + 2 * 8 + 3 + 17 * 8, &[0, 3][..]));
    assert_eq!(begins, ends);
}

#[test]
fn a_button_that_goes_straight_to_the_chips_is_a_race() {
    let board = direct();
    assert_eq!(prove(&board, Claim::Instructions).verdict, Verdict::Proved);
    // Its line moves at any time, and clears the target while that is to hold.
    let loops = prove(&board, Claim::Loops);
    let target = loops.counterexamples.iter().find_map(|fault| match fault {
        Counterexample::Loop(fault) if fault.chip == "TGL" => Some(&**fault),
        _ => None,
    });
    let because = &target.unwrap_or_else(|| panic!("{loops:#?}")).because;
    assert_eq!(because, &["RST comes from outside"], "{loops:#?}");
    assert_eq!(prove(&board, Claim::Strobes).verdict, Verdict::Refuted);
    let report = prove(&board, Claim::Reset);
    assert_eq!(report.verdict, Verdict::Refuted);
    // If it is released while PH1 falls, it changes the input of the masters just before they have to hold it.
    let races = report.counterexamples.iter().filter_map(|fault| match fault {
        Counterexample::Loop(fault) if fault.phase.starts_with("2, in which") => Some(&*fault.chip),
        _ => None,
    });
    let races: Vec<&str> = races.collect();
    assert!(races.contains(&"T") && races.contains(&"FLAGS"), "{report:#?}");
}

#[test]
fn a_reset_that_forgets_something_is_refuted() {
    for (what, board, expected) in [
        ("the target", reburned(&[("TGL", &|a, d| if a >> 13 == 1 { d | 1 } else { d })]), "PC"),
        ("the accumulator", reburned(&[("ALUL", &|a, d| if a >> 12 == 1 { d | 4 } else { d })]), "A"),
        ("the carry", reburned(&[("ALUH", &|a, d| if a >> 14 == 1 { d | 16 } else { d })]), "C"),
        ("to jump", reburned(&[("ALUH", &|a, d| if a >> 14 == 1 { d & !32 } else { d })]), "PC"),
        ("not to write", reburned(&[("DEC", &|a, d| d | u8::from(a & 15 == 9))]), "WE"),
        ("to wait", reburned(&[("SEQ", &|a, d| d & 15 | (a as u8 >> 3 & 1) << 4)]), ""),
    ] {
        let report = prove(&board, Claim::Reset);
        assert_eq!(report.verdict, Verdict::Refuted, "{what}: {report:#?}");
        let found = |report: &ClaimReport| {
            report.counterexamples.iter().any(|fault| match fault {
                Counterexample::Reset(fault) => fault.what.starts_with(expected),
                _ => expected.is_empty(),
            })
        };
        assert!(found(&report), "{what}: {report:#?}");
    }
}

fn strobe<'a>(report: &'a ClaimReport, name: &str) -> (usize, StrobeTrouble, &'a [String]) {
    let found = report.counterexamples.iter().find_map(|fault| match fault {
        Counterexample::Strobe { strobe, phase, why, because } if strobe == name => {
            Some((*phase, *why, &because[..]))
        }
        _ => None,
    });
    found.unwrap_or_else(|| panic!("{name} in {report:#?}"))
}

#[test]
fn the_true_board_has_clean_strobes() {
    let report = proved(Claim::Strobes);
    let Evidence::Strobes { strobes } = &report.evidence else { panic!("{report:#?}") };
    let row = |name: &str| strobes.iter().find(|row| row.strobe == name).map(|row| (row.rises, row.falls));
    for name in ["WE", "OUTE", "GE7", "RE0", "T", "TGH", "RED7", "FLAGS for MC MJ"] {
        assert_eq!(row(name), Some((Some(1), Some(2))), "{name}");
    }
    for name in ["A", "FLAGS for C TICK"] {
        assert_eq!(row(name), Some((Some(3), Some(0))), "{name}");
    }
}

#[test]
fn a_strobe_that_flickers_is_refuted() {
    // The port opens wherever the address is that of a store to it, whatever WE says.
    let ungated = |address: u32| u32::from(address & 0xFFF == 0xFF0);
    let decoder = |address: u32| {
        let place = address & 0xFFF;
        let input = place >= 0xFF8;
        let none = input && !(0xFF8..=0xFFA).contains(&place);
        ungated(address)
            | u32::from(input) << 1
            | u32::from(place == 0xFF9) << 2
            | u32::from(place == 0xFFA) << 3
            | u32::from(none) << 4
    };
    let port = prove(&board(&[("burn: PortDecoder,", &(cells(13, decoder) + ","))]), Claim::Strobes);
    let (phase, why, because) = strobe(&port, "OUTE");
    assert_eq!((phase, why), (0, StrobeTrouble::Often));
    assert!(because[0].starts_with("OUTE is moved by IODEC when W"), "{because:?}");
    // A store that has not ended when the next phase ends.
    let late = prove(&board(&[("\"W13-15 PH1 RST\"", "\"W13-15 S0 RST\"")]), Claim::Strobes);
    assert_eq!(strobe(&late, "WE").1, StrobeTrouble::Open, "{late:#?}");
    // A latch that is closed for a moment when one of two lines that open it takes over from the other.
    let flicker = board(&[
        ("address: \"R0-7 T0-7 PH1\"", "address: \"R0-7 T0-7 PH1 S1\""),
        (
            "name: \"T\",     part: \"27C010\", burn: Latch,",
            &format!(
                "name: \"T\", part: \"27C020\", {},",
                cells(18, |a| if a >> 16 != 0 { a & 255 } else { a >> 8 & 255 })
            ),
        ),
        (
            "        \"4Kx4\":   Ram",
            "        \"27C020\": Rom(address: 18, data: 8, about: \"EPROM\"),\n        \"4Kx4\":   Ram",
        ),
        (
            "        \"4Kx4\":      (access",
            "        \"27C020\": (access: (60, 150), inertia: 4, resistance: 100),\n        \"4Kx4\":      (access",
        ),
    ]);
    let report = prove(&flicker, Claim::Strobes);
    assert_eq!(strobe(&report, "T").1, StrobeTrouble::Often, "{report:#?}");
}

/// A register in the chip of the counter that opens when the counter's lowest bit says so, at any time when it counts.
#[test]
fn a_strobe_that_follows_a_counting_line_of_its_own_chip_is_refuted() {
    let gray1 = Board::gray1();
    let netlist = gray1.netlist();
    let table = netlist.table(netlist.chip("PCL").expect("the counter")).expect("a ROM");
    let held = |address: u32| if address & 1 == 1 { address >> 6 & 1 } else { address >> 15 & 1 };
    let counter = cells(16, |address| u32::from(table[address as usize & 0x7FFF]) | held(address) << 7);
    let board = board(&[
        ("nets: \"ZL\", ", "nets: \"ZL HELD\", "),
        (
            "name: \"PCL\",   part: \"27C256\", burn: CounterLow,   ",
            &format!("name: \"PCL\", part: \"27C010\", {counter}, "),
        ),
        ("LOAD TICK PARH\", data: \"PC0-5 TICKH\"", "LOAD TICK PARH HELD\", data: \"PC0-5 TICKH HELD\""),
    ]);
    let report = prove(&board, Claim::Strobes);
    assert_eq!(strobe(&report, "PCL").1, StrobeTrouble::Often, "{report:#?}");
}
