//! The word that a cycle carries out is that of the image at the place that the counter names: what happens if the
//! sockets of the program are wired or burned in another way.

use crate::support::{board, cells, prove, rom};
use gray1_machine::board::Board;
use gray1_proof::report::{ClaimReport, Counterexample};
use gray1_proof::{Aspect, Claim, Mismatch, Verdict};

const PROGL: &str = "burn: ProgramLow,   address: \"PC0-11\", data: \"W0-7\"";
const PROGH: &str = "burn: ProgramHigh,  address: \"PC0-11\", data: \"W8-15\"";

fn fetch(report: &ClaimReport) -> &Mismatch {
    match &report.counterexamples[..] {
        [Counterexample::Instruction { cases: Aspect::Fetch, mismatch }] => mismatch,
        _ => panic!("{report:#?}"),
    }
}

#[test]
fn a_program_that_is_wired_or_burned_wrongly_is_refuted() {
    let low = |burn: &str, address: &str, data: &str| {
        (PROGL, format!("burn: {burn}, address: \"{address}\", data: \"{data}\""))
    };
    let high = |burn: &str, address: &str, data: &str| {
        (PROGH, format!("burn: {burn}, address: \"{address}\", data: \"{data}\""))
    };
    let (l, h, pc) = ("ProgramLow", "ProgramHigh", "PC0-11");
    for (what, changes, expected, got) in [
        (
            "exchanged address lines",
            vec![low(l, "PC1 PC0 PC2-11", "W0-7")],
            "W0 = bit 0 of the word at 003",
            "W0 = bit 0 of the word at 001",
        ),
        (
            "a line that is left out",
            vec![high(h, "PC0-10 PC10", "W8-15")],
            "W8 = bit 8 of the word at FFF",
            "W8 = bit 8 of the word at 000",
        ),
        (
            "both have the high bytes",
            vec![low(h, pc, "W0-7")],
            "W0 = bit 0 of the word at",
            "W0 = bit 8 of the word at",
        ),
        (
            "exchanged sockets",
            vec![low(h, pc, "W0-7"), high(l, pc, "W8-15")],
            "W0 = bit 0 of the word at",
            "W0 = bit 8 of the word at",
        ),
        (
            "exchanged data lines",
            vec![high(h, pc, "W8-12 W15 W14 W13")],
            "W13 = bit 13 of the word at",
            "W13 = bit 15 of the word at",
        ),
        (
            "address lines exchanged at both",
            vec![low(l, "PC0-9 PC11 PC10", "W0-7"), high(h, "PC0-9 PC11 PC10", "W8-15")],
            "W0 = bit 0 of the word at",
            "W0 = bit 0 of the word at",
        ),
        (
            "an address line of the target in place of one of the counter",
            vec![low(l, "PC0-10 TG11", "W0-7")],
            "W0 = bit 0 of the word at",
            "W0 = bit 0 of the word at",
        ),
    ] {
        let changes: Vec<(&str, &str)> = changes.iter().map(|(from, to)| (*from, &**to)).collect();
        let report = prove(&board(&changes), Claim::Instructions);
        assert_eq!(report.verdict, Verdict::Refuted, "{what}: {report:#?}");
        let mismatch = fetch(&report);
        assert!(mismatch.expected.starts_with(expected), "{what}: {mismatch:#?}");
        assert!(mismatch.got.starts_with(got), "{what}: {mismatch:#?}");
        assert!(mismatch.program.is_some(), "{what}: {mismatch:#?}");
    }
}

/// A multiplexer between the program and the board: two pairs of chips, of which each needs half of its cells.
fn two_pairs(select: &str) -> Board {
    let constant = rom("TIES", "burn: Cells([2, 2])", "OSC", "LOW HIGH");
    let chip = |name: &str, burn: &str, bank: &str, data: &str| {
        format!(
            "Rom(name: \"{name}\", part: \"27C32\", burn: {burn}, address: \"PC0-10 {bank}\", data: \"{data}\"),\n"
        )
    };
    let mux = |name: &str, bus: &str, to: &str| {
        rom(name, "burn: Mux", &format!("{bus}A0-7 {bus}B0-7 {select}"), to)
    };
    let chips = constant
        + &chip("PL0", "ProgramLow", "LOW", "LA0-7")
        + &chip("PL1", "ProgramLow", "HIGH", "LB0-7")
        + &chip("PH0", "ProgramHigh", "LOW", "HA0-7")
        + &chip("PH1B", "ProgramHigh", "HIGH", "HB0-7")
        + &mux("LMUX", "L", "W0-7")
        + &mux("HMUX", "H", "W8-15");
    board(&[
        ("nets: \"ZL\", ", "nets: \"ZL LOW HIGH LA0-7 LB0-7 HA0-7 HB0-7\", "),
        (
            "        Rom(name: \"PROGL\", part: \"27C32\",  burn: ProgramLow,   address: \"PC0-11\", data: \"W0-7\"),\n",
            "",
        ),
        (
            "        Rom(name: \"PROGH\", part: \"27C32\",  burn: ProgramHigh,  address: \"PC0-11\", data: \"W8-15\"),\n",
            &chips,
        ),
    ])
}

#[test]
fn the_program_may_be_in_two_pairs_of_chips() {
    let report = prove(&two_pairs("PC11"), Claim::Instructions);
    assert_eq!(report.verdict, Verdict::Proved, "{report:#?}");
    let wrong = prove(&two_pairs("PC10"), Claim::Instructions);
    assert_eq!(wrong.verdict, Verdict::Refuted, "{wrong:#?}");
    fetch(&wrong);
}

#[test]
fn lines_of_the_program_may_go_through_other_chips() {
    let buffer = rom("PCBUF", &cells(8, |a| a ^ 0xFF), "PC0-7", "QA0-7")
        + &rom("PCBUF2", &cells(8, |a| a ^ 0xFF), "QA0-7", "QB0-7")
        + &rom("WBUF", &cells(8, |a| a.rotate_left(0)), "WX0-7", "W0-7");
    let through = |data: &str| {
        board(&[
            ("nets: \"ZL\", ", "nets: \"ZL QA0-7 QB0-7 WX0-7\", "),
            ("    chips: [\n", &format!("    chips: [\n{buffer}")),
            (PROGL, &format!("burn: ProgramLow, address: \"QB0-7 PC8-11\", data: \"{data}\"")),
        ])
    };
    let right = prove(&through("WX0-7"), Claim::Instructions);
    assert_eq!(right.verdict, Verdict::Proved, "{right:#?}");
    let wrong = prove(&through("WX7 WX1-6 WX0"), Claim::Instructions);
    assert_eq!(wrong.verdict, Verdict::Refuted, "{wrong:#?}");
    assert!(fetch(&wrong).got.starts_with("W0 = bit 7 of the word"), "{wrong:#?}");
}

#[test]
fn the_board_as_it_is_built_is_refuted_as_well() {
    let built = include_str!("../../machine/src/board/built.ron");
    let from = "burn: ProgramHigh,";
    assert_eq!(built.matches(from).count(), 1);
    let wrong =
        Board::parse(&built.replace(from, "burn: ProgramLow,"), "built.ron").expect("it is wired well");
    assert_eq!(fetch(&prove(&wrong, Claim::Instructions)).got, "W8 = bit 0 of the word at 000");
}
