//! Boards with wrong cells or lines: each is refuted, with a correct counterexample and a program that leads to it.

use crate::support::{Reburned, board, prove, prove_within, proved, reburned, rom};
use gray1_isa::{Image, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Engine, Noise};
use gray1_proof::report::{ClaimReport, Counterexample, Evidence};
use gray1_proof::{Aspect, Claim, Limits, Mismatch, Verdict};

fn mismatches(report: &ClaimReport) -> Vec<(Aspect, &Mismatch)> {
    let mismatches = report.counterexamples.iter().map(|fault| match fault {
        Counterexample::Instruction { cases, mismatch } => (*cases, mismatch),
        other => panic!("{other:#?}"),
    });
    mismatches.collect()
}

#[test]
fn the_true_board_computes_the_instruction_set() {
    let report = proved(Claim::Instructions);
    let Evidence::Instructions { cases, states, state, inputs } = &report.evidence else {
        panic!("{report:#?}")
    };
    // PC, TG, T, A, the masters, C, the port and sixteen rows; the word, RAM's byte, pads and keys.
    assert_eq!((&**states, state.len()), ("2^180", 12 + 12 + 8 + 8 + 3 + 1 + 17 * 8));
    assert_eq!(inputs.len(), 16 + 8 + 8 + 8 + 7);
    assert_eq!(cases.len(), Aspect::ALL.len());
    assert!(
        cases.iter().all(|row| row.verdict == Verdict::Proved && row.tried == 227f64.exp2()),
        "{cases:#?}"
    );
    // With too few nodes for the diagrams there is no verdict.
    for nodes in [0, 100, 10_000] {
        let report =
            prove_within(&Board::gray1(), Claim::Instructions, &Limits { nodes, ..Limits::default() });
        assert_eq!(report.verdict, Verdict::Undecided, "{nodes}");
    }
}

#[test]
fn a_fault_is_found_with_a_program_that_shows_it() {
    let faults: [(Reburned, Aspect); 16] = [
        // Every JMP writes A to RAM.
        (("DEC", &|a, d| d | u8::from(a == 0b01_101)), Aspect::Addresses),
        // A JMP spoils A, a JZ is not taken, for some operands; a JC flips C.
        (("ALUL", &|a, d| if a & 7 == 5 && a >> 7 & 15 == 9 { d ^ 1 } else { d }), Aspect::Data),
        (("ALUH", &|a, d| if a & 7 == 7 && a >> 7 & 15 == 3 { d & !32 } else { d }), Aspect::Branches),
        (("ALUH", &|a, d| if a & 7 == 6 { d ^ 16 } else { d }), Aspect::Data),
        // Single cells.
        (("XMUX", &|a, d| d ^ u8::from(a == 0x0_5A21) << 3), Aspect::Data),
        (("DMUX", &|a, d| d ^ u8::from(a == 0x1_00F0) << 6), Aspect::Data),
        (("PMUX", &|a, d| d ^ u8::from(a == 0x0_1040)), Aspect::Data),
        (("ALUL", &|a, d| d ^ (u8::from(a == 0x3E2) << 1)), Aspect::Data),
        (("GDEC", &|a, d| d ^ (u8::from(a == 0x1234) << 1)), Aspect::Addresses),
        (("IODEC", &|a, d| d ^ u8::from(a == 0x1FF0)), Aspect::Addresses),
        (("FLAGS", &|a, d| d ^ (u8::from(a == 0x08A) << 3)), Aspect::Data),
        // The key `right` reads 0, whatever else is held down.
        (("KMUX", &|a, d| if a >> 15 & 3 == 1 { d & !2 } else { d }), Aspect::Data),
        // Lines that select what another chip gives, and data lines, stuck at 1.
        (("IODEC", &|_, d| d | 1 << 1), Aspect::Data),
        (("IODEC", &|_, d| d | 1 << 2), Aspect::Data),
        (("IODEC", &|_, d| d | 1 << 3), Aspect::Data),
        (("PMUX", &|_, d| d | 1 << 7), Aspect::Data),
    ];
    for ((chip, change), aspect) in faults {
        let report = prove(&reburned(&[(chip, change)]), Claim::Instructions);
        assert_eq!(report.verdict, Verdict::Refuted, "{chip}: {report:#?}");
        let shown = mismatches(&report)
            .iter()
            .any(|(found, mismatch)| *found == aspect && mismatch.program.is_some());
        assert!(shown, "{chip}: {report:#?}");
    }
}

/// A level that is always 1 is taken into account, wherever in the board file its chip is.
#[test]
fn a_constant_level_selects_what_it_selects() {
    let one = |address: &str| {
        format!(
            "Rom(name: \"ONE\", part: \"27C64\", burn: Cells([1, 1]), address: \"{address}\", data: \"K\"),\n"
        )
    };
    let buffer = |from: &str, to: &str| rom("BUFFER", "burn: Mux", &format!("{from} K"), to);
    let pmux = "PADCOL0-7 PADROW0-7 ROWSEL\", data: \"";
    let xmux = "D0-7 W0-7 W12\", data: \"";
    let kmux = "        Rom(name: \"KMUX\"";
    for address in ["OSC", "W0"] {
        for is_first in [true, false] {
            // A multiplexer that always selects the second of two buses is inserted into a bus.
            let with = |from: (&str, &str), buffer: String| {
                let chips = if is_first { one(address) + &buffer } else { buffer + &one(address) };
                board(&[
                    ("nets: \"ZL\", ", "nets: \"ZL K Q0-7\", "),
                    (&format!("{}{}", from.0, from.1), &format!("{}Q0-7", from.0)),
                    (kmux, &format!("{chips}{kmux}")),
                ])
            };
            // The only change is one more chip on the way.
            let same = with((pmux, "P0-7"), buffer("PADCOL0-7 Q0-7", "P0-7"));
            let report = prove(&same, Claim::Instructions);
            assert_eq!(report.verdict, Verdict::Proved, "{address} {is_first}: {report:#?}");
            // A takes the place of each operand.
            let wrong = with((xmux, "X0-7"), buffer("Q0-7 A0-7", "X0-7"));
            let report = prove(&wrong, Claim::Instructions);
            assert_eq!(report.verdict, Verdict::Refuted, "{address} {is_first}: {report:#?}");
            assert!(
                mismatches(&report).iter().all(|(_, mismatch)| mismatch.program.is_some()),
                "{report:#?}"
            );
        }
    }
}

/// For this fault the diagrams become too large, because the states of rest cannot be determined; it is found by
/// running programs.
#[test]
fn a_counter_that_goes_astray_is_found() {
    // Each is one cell of 16,384 and 32,768: at one address of the counter, after some operands.
    let faults: [Reburned; 2] =
        [("PCH", &|a, d| d ^ u8::from(a == 0x2340)), ("PCL", &|a, d| d ^ (u8::from(a == 0x5145) << 1))];
    for (chip, change) in faults {
        let report = prove(&reburned(&[(chip, change)]), Claim::Instructions);
        assert_eq!(report.verdict, Verdict::Refuted, "{chip}: {report:#?}");
        assert!(mismatches(&report).iter().all(|(_, mismatch)| mismatch.program.is_some()), "{report:#?}");
    }
}

/// However few nodes there are for diagrams, no false claim is ever proved.
#[test]
fn a_wrong_board_is_not_proved_for_want_of_room() {
    let board = reburned(&[("ALUH", &|a, d| if a & 7 == 6 { d ^ 16 } else { d })]);
    let mut verdicts = Vec::new();
    for nodes in (24_000..40_000).step_by(2_000) {
        let report = prove_within(&board, Claim::Instructions, &Limits { nodes, ..Limits::default() });
        assert_ne!(report.verdict, Verdict::Proved, "{nodes}");
        let words = report.undecided.iter().map(ToString::to_string).collect::<String>();
        verdicts.push(if words.is_empty() { "refuted" } else { "undecided" });
    }
    assert!(verdicts.contains(&"refuted"), "{verdicts:?}");
}

#[test]
fn the_wrong_cell_is_named() {
    // 12 + 7 is 19; this cell says 17.
    let board = reburned(&[("ALUL", &|a, d| d ^ (u8::from(a == 0x3E2) << 1))]);
    for claim in [Claim::Loops, Claim::Order] {
        assert_eq!(prove(&board, claim).verdict, Verdict::Proved, "{claim:?}");
    }
    let report = prove(&board, Claim::Instructions);
    let [(Aspect::Data, mismatch)] = mismatches(&report)[..] else { panic!("{report:#?}") };
    assert_eq!(mismatch.case, "ADD #$07 at 001 with A = 0C, C = 0");
    assert_eq!(mismatch.expected, "PC = 002, A = 13, C = 0");
    assert_eq!(mismatch.got, "PC = 002, A = 11, C = 0");
    let cell = mismatch.wrong_cell.as_ref().expect("it is one cell");
    assert_eq!((&*cell.chip, cell.address, &*cell.line), ("ALUL", 0x3E2, "R1"));
    let program = mismatch.program.as_ref().expect("a program gets there");
    assert_eq!(program.words, ["000 LDA #$0C", "001 ADD #$07"]);
    assert_eq!(
        (program.cycle, &*program.seen),
        (1, "PC = 002, A = 11, C = 0 instead of PC = 002, A = 13, C = 0")
    );
    assert!(program.is_soonest);
    // The first instruction of a program is right, whichever it is.
    let right = Board::gray1();
    let [mut wrong, mut right] = [&board, &right]
        .map(|board| ChipsEngine::power_up(board, &Image::blank(), Noise::Zeros).expect("it settles"));
    for word in 0..=u16::MAX {
        let image = Image::from_words([Word(word)]);
        let [one, other] = [&mut wrong, &mut right].map(|engine| {
            engine.change_program(&image);
            engine.reset().expect("it settles");
            engine.run(1, &mut ()).expect("it settles");
            engine.registers()
        });
        assert_eq!(one, other, "{}", Word(word));
    }
}

/// The shortest program for each of these faults, worked out by hand.
#[test]
fn the_program_that_is_shown_goes_wrong_as_soon_as_any() {
    let faults: [(Reburned, Aspect, &[&str], &str); 7] = [
        // Bit 0 of every jump target is lost.
        (("TGL", &|_, d| d & !1), Aspect::Jumps, &["000 JMP 2"], "PC = 004"),
        // The sum of the lower halves has no carry; one is not enough for it.
        (
            ("ALUL", &|a, d| if a & 7 == 2 { d & !16 } else { d }),
            Aspect::Data,
            &["000 LDA #$01", "001 ADD #$0F"],
            "A = 00",
        ),
        // A JC does not jump. SHR makes a carry in one instruction, ADD would take two.
        (
            ("ALUH", &|a, d| if a & 7 == 6 { d & !32 } else { d }),
            Aspect::Branches,
            &["000 SHR #$01"],
            "PC = 002",
        ),
        // A byte that is read has to be stored before.
        (
            ("XMUX", &|a, d| d ^ u8::from(a == 0x0_5A21) << 3),
            Aspect::Data,
            &["000 LDA #$21", "001 STA $05A", "002 LDA $05A"],
            "A = 29",
        ),
        // A row loses the byte that is stored.
        (
            ("RED3", &|a, d| if a >> 16 == 0 { 0 } else { d }),
            Aspect::Addresses,
            &["000 LDA #$01", "001 STA $FEB"],
            "RED3_0 and its row show 00 instead of 01",
        ),
        // A pad or key has to be pressed.
        (("PMUX", &|a, d| d ^ u8::from(a == 0x0_1040)), Aspect::Data, &["000 LDA $FF8"], "A = 41"),
        (
            ("KMUX", &|a, d| if a >> 15 & 3 == 1 { d & !2 } else { d }),
            Aspect::Data,
            &["000 LDA $FFA"],
            "A = 00, C = 0 instead of PC = 001, A = 02",
        ),
    ];
    for ((chip, change), aspect, words, seen) in faults {
        let report = prove(&reburned(&[(chip, change)]), Claim::Instructions);
        let found = mismatches(&report);
        let (_, mismatch) = found.iter().find(|(found, _)| *found == aspect).expect(chip);
        let program = mismatch.program.as_ref().expect(chip);
        assert!(
            program.is_soonest && program.words.iter().zip(words).all(|(got, word)| got == word),
            "{chip}: {program:#?}"
        );
        assert!(program.seen.contains(seen), "{chip}: {program:#?}");
        assert_eq!(program.cycle + 1, program.words.len() as u64, "{chip}");
    }
}

#[test]
fn what_leaves_the_machine_at_the_wrong_moment_or_place_is_an_instruction_that_does_wrong() {
    for (change, case, got) in [
        (
            ("burn: PortDecoder,  address: \"W0-11 WE\"", "burn: PortDecoder,  address: \"W0-11 PH1\""),
            "LDA $FF0 at 000 with A = 00, C = 0, RAM[FF0] = 00",
            "the latch at FF0 takes A in phase 1: OUTE = 1",
        ),
        (
            ("A0-7 RED0_0-7 RE0\"", "A0-7 RED0_0-7 GE0\""),
            "STA $FE0 at 001 with A = 01, C = 0",
            "RED0_0 and its row show 01",
        ),
        (
            ("enable: \"OUTE\"", "enable: \"WE\""),
            "STA $000 at 000 with A = 00, C = 0",
            "the latch at FF0 takes A in phase 1: WE = 1",
        ),
    ] {
        let report = prove(&board(&[change]), Claim::Instructions);
        let [(Aspect::Addresses, mismatch)] = mismatches(&report)[..] else { panic!("{report:#?}") };
        assert_eq!((&*mismatch.case, &*mismatch.got), (case, got));
    }
}
