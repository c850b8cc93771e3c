//! Planned runs and planned phases of the chips engine, compared with phases without a plan: every net after every
//! cycle and every phase. On boards with faults in their tables or their wiring, the final state of a storage loop may
//! depend on the order of lookups, so there must be no plan for them.
//!
//! A plan is made for a program after it has run for a while. Here that program is then replaced by another: any plan
//! has to give correct results.

use crate::engines::ahead::CHANGES;
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::{Board, Change};
use gray1_machine::{ChipsEngine, Engine, Inputs, Noise, State};
use proptest::prelude::*;
use test_support::engines::Seen;
use test_support::random::{Program, endless_program, program};

const GRAY1: &str = include_str!("../../src/board/gray1.ron");
/// The number of cycles after which a plan certainly exists.
const PLANNED: u64 = 2_100;
/// Lines that chips read one by one; a pin of one may be connected to another.
const LINES: [&str; 16] = [
    "OSC", "RST", "PH1", "PH2", "S0", "WE", "C4", "ZL", "NC", "TAKE", "MT", "TICK", "TICKH", "LOAD", "PARH",
    "W12",
];

/// Two machines in the same state, one of them with a plan if the board permits one, which a board `is_proved` to do;
/// `None` if the board does not settle.
fn pair(
    (board, is_proved): (&Board, bool),
    before: &Program,
    program: &Program,
    seed: u64,
) -> Option<[ChipsEngine; 2]> {
    let noise = Noise::Random(seed);
    let mut planned = ChipsEngine::power_up(board, &before.image(), noise).ok()?;
    if is_proved {
        planned.assume_confluent();
    }
    planned.run_until(PLANNED, &mut (), |_| false).ok()?;
    let mut plain = ChipsEngine::power_up(board, &Image::blank(), noise).ok()?;
    for machine in [&mut planned, &mut plain] {
        machine.change_program(&program.image());
        machine.set_state(&State::after_reset(noise)).ok()?;
    }
    // The snapshot also has what is not in the state.
    plain.restore(&planned.snapshot());
    Some([planned, plain])
}

fn compare([planned, plain]: &mut [ChipsEngine; 2], cycles: u16) -> Result<(), TestCaseError> {
    let mut by_phase = planned.clone();
    for cycle in 0..cycles {
        let inputs =
            Inputs { pad: (cycle % 7 == 0).then_some(((cycle % 8) as u8, 3)), keys: (cycle % 5) as u8 };
        let pressed = planned.press(inputs);
        prop_assert_eq!(&pressed, &plain.press(inputs));
        prop_assert_eq!(&pressed, &by_phase.press(inputs));
        if pressed.is_err() || planned.halted() {
            break;
        }
        let (mut seen_planned, mut seen_plain) = (Seen::default(), Seen::default());
        let ran = planned.run_until(1, &mut seen_planned, |_| false).map(|_| ());
        let place = |error: &gray1_machine::Unsettled| (error.cycle, error.phase);
        let (mut stepped, mut seen_by_phase) = (Ok(()), Seen::default());
        for _ in 0..4 {
            stepped = plain.phase(&mut seen_plain);
            let planned = by_phase.planned_phase(&mut seen_by_phase);
            prop_assert_eq!(planned.as_ref().map_err(place), stepped.as_ref().map_err(place));
            if stepped.is_err() {
                break;
            }
            prop_assert!(by_phase.snapshot() == plain.snapshot(), "the boards differ in cycle {cycle}");
        }
        prop_assert_eq!(ran.as_ref().map_err(place), stepped.as_ref().map_err(place));
        if ran.is_err() {
            break;
        }
        prop_assert!(planned.snapshot() == plain.snapshot(), "the boards differ after cycle {cycle}");
        prop_assert_eq!(&seen_planned, &seen_plain);
        prop_assert_eq!(seen_by_phase, seen_plain);
    }
    Ok(())
}

/// The board file with one pin of a chip connected to another line.
fn rewired(pin: prop::sample::Index, line: &str) -> String {
    let chips = GRAY1.find("    chips: [").expect("the chips");
    let end = GRAY1.find("    buses: {").expect("the buses");
    let starts = |line: &&str| {
        GRAY1[chips..end].match_indices(*line).map(|(at, text)| (chips + at, text.len())).collect::<Vec<_>>()
    };
    let is_end = |byte: u8| b" \"".contains(&byte);
    let mut pins: Vec<(usize, usize)> = LINES.iter().flat_map(starts).collect();
    pins.retain(|&(at, length)| is_end(GRAY1.as_bytes()[at - 1]) && is_end(GRAY1.as_bytes()[at + length]));
    // Lines after `data:` are driven, not read.
    pins.retain(|&(at, _)| GRAY1[..at].rfind("address:") > GRAY1[..at].rfind("data:"));
    let (at, length) = pins[pin.index(pins.len())];
    format!("{}{line}{}", &GRAY1[..at], &GRAY1[at + length..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(50))]

    #[test]
    fn planned_and_plain_phases_leave_the_same_board(before in endless_program(), program in program(), seed: u64) {
        let mut pair = pair((&Board::gray1(), false), &before, &program, seed).expect("the board settles");
        compare(&mut pair, 300)?;
    }

    #[test]
    fn on_boards_with_changed_cells_they_do_too(
        before in endless_program(),
        program in program(),
        change in prop::sample::select(&CHANGES[..]),
        is_built: bool,
        seed: u64,
    ) {
        let mut board = if is_built { Board::built() } else { Board::gray1() };
        let change: Change = change.parse().expect("a change");
        board.change(&change).expect("a cell of the chip");
        pair((&board, true), &before, &program, seed).map_or(Ok(()), |mut pair| compare(&mut pair, 200))?;
    }

    #[test]
    fn with_faults_in_the_tables_they_do_too(
        before in endless_program(),
        program in program(),
        faults in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..40),
        seed: u64,
    ) {
        let mut board = Board::gray1();
        let roms = ["FLAGS", "PCL", "PCH", "TGL", "DEC", "ALUL", "ALUH", "IODEC", "GDEC", "GREEN1"];
        for (rom, address, value) in faults {
            let rom = roms[rom.index(roms.len())];
            let chip = board.chips.iter().find(|chip| chip.name() == rom).expect("a chip");
            let address = address.index(1 << chip.address().names().len());
            let value = value & ((1u16 << chip.data().names().len()) - 1) as u8;
            let change: Change = format!("{rom}:{address:#x}={value:#x}").parse().expect("a change");
            board.change(&change).expect("a cell of the chip");
        }
        pair((&board, false), &before, &program, seed).map_or(Ok(()), |mut pair| compare(&mut pair, 100))?;
    }

    #[test]
    fn and_with_a_pin_at_another_line(
        before in endless_program(),
        program in program(),
        pin: prop::sample::Index,
        line in prop::sample::select(&LINES[..]),
        seed: u64,
    ) {
        let Ok(board) = Board::parse(&rewired(pin, line), "b.ron") else { return Ok(()) };
        pair((&board, false), &before, &program, seed).map_or(Ok(()), |mut pair| compare(&mut pair, 100))?;
    }
}

/// One wrong bit of a master: whether its loop stores it depends on whether the chip is looked up again before the next
/// word arrives.
#[test]
fn a_wrong_cell_in_a_storage_loop_does_the_same_after_a_plan_would_have_been_made() {
    let mut board = Board::gray1();
    board.change(&"FLAGS:0x514=0x15".parse().expect("a change")).expect("a cell of the chip");
    let constant = |opcode, value| Word::constant(opcode, value);
    let image = Image::from_words([
        constant(Opcode::Add, 1),
        Word::ram(Opcode::Sta, 5),
        constant(Opcode::Lda, 3),
        Word::ram(Opcode::Lda, 5),
        Word::jump(Opcode::Jc, 7),
        Word::ram(Opcode::Sta, 6),
        Word::jump(Opcode::Jmp, 0),
        Word::ram(Opcode::Sta, 7),
        Word::jump(Opcode::Jmp, 0),
    ]);
    let [mut run, mut stepped] =
        [(); 2].map(|()| ChipsEngine::power_up(&board, &image, Noise::Zeros).expect("it settles"));
    run.run(5_000, &mut ()).expect("it settles");
    (0..4 * 5_000).try_for_each(|_| stepped.phase(&mut ())).expect("it settles");
    assert!(run.snapshot() == stepped.snapshot());
}
