//! Backward searches skip stretches: they must miss nothing at the ends of stretches, at edits, and on other boards.

#![allow(clippy::unwrap_used)] // in helpers of tests, too

use gray1_debugger::{Debugger, Direction, Edit, History, Position, Source, StopReason, Trigger};
use gray1_isa::{Image, Opcode, Word};
use gray1_machine::board::Board;
use gray1_machine::{ChipsEngine, Noise, Script};
use std::sync::atomic::AtomicBool;

static NEVER: AtomicBool = AtomicBool::new(false);

/// The length of a stretch between two checkpoints.
const SPACING: u64 = 16;

/// A board that runs these words, with a checkpoint every few cycles.
fn debugger(board: &Board, words: impl IntoIterator<Item = Word>) -> Debugger {
    let image = Image::from_words(words);
    let machine = ChipsEngine::power_up(board, &image, Noise::Zeros).unwrap();
    let history = History::with_memory(machine, Script::default(), 1 << 20, SPACING).unwrap();
    Debugger::with_history(history, board.clone(), Source::of_image(image)).unwrap()
}

/// Byte 0 counts the iterations of a loop of 17 instructions. Since a stretch has 16 cycles, the store is at every
/// place of a stretch in turn.
fn counting() -> impl Iterator<Item = Word> {
    let count = [Word::ram(Opcode::Lda, 0), Word::constant(Opcode::Add, 1), Word::ram(Opcode::Sta, 0)];
    let wait = [Word::constant(Opcode::Nor, 0); 13];
    count.into_iter().chain(wait).chain([Word::jump(Opcode::Jmp, 0)])
}

fn go(debugger: &mut Debugger, cycle: u64) {
    debugger.history_mut().go(Position::start_of(cycle), &NEVER).unwrap();
}

/// The last position up to the start of a cycle where a condition holds.
fn last(debugger: &mut Debugger, condition: &str, cycle: u64) -> Option<u64> {
    let target = Trigger::Condition(debugger.expression(condition).unwrap());
    let limit = Position { cycle, phase: 1 };
    debugger.find(Direction::Backward, &target, limit, &NEVER).unwrap().map(|found| found.position.cycle)
}

#[test]
fn a_byte_is_found_wherever_it_was_stored() {
    let mut debugger = debugger(&Board::gray1(), counting());
    let mut values = Vec::new();
    for cycle in 0..300 {
        go(&mut debugger, cycle);
        values.push(debugger.machine().ram(0));
        for value in [values[values.len() - 1], values[values.len() / 2]] {
            let expected = values.iter().rposition(|other| *other == value).map(|cycle| cycle as u64);
            assert_eq!(last(&mut debugger, &format!("ram[0] == {value}"), cycle), expected, "{cycle}");
        }
        assert_eq!(last(&mut debugger, "ram[0] == 200", cycle), None, "{cycle}");
    }
}

#[test]
fn what_the_user_has_changed_is_found() {
    let mut debugger = debugger(&Board::gray1(), counting());
    for (cycle, byte) in [(70, 99), (75, 7), (96, 99), (97, 8)] {
        go(&mut debugger, cycle);
        debugger.history_mut().edit(Edit::Ram(5, byte)).unwrap();
    }
    go(&mut debugger, 300);
    assert_eq!(last(&mut debugger, "ram[5] == 99", 300), Some(96));
    assert_eq!(last(&mut debugger, "ram[5] == 99", 95), Some(74));
    assert_eq!(last(&mut debugger, "ram[5] == 99", 69), None);
}

/// The user changes the program counter at a checkpoint.
#[test]
fn where_the_user_has_gone_is_found() {
    let ran = Trigger::Instructions(vec![30]);
    for cycle in [SPACING * 4, SPACING * 4 + 1] {
        let mut debugger = debugger(&Board::gray1(), counting());
        go(&mut debugger, cycle);
        debugger.history_mut().edit(Edit::Pc(30)).unwrap();
        for _ in 0..2 {
            go(&mut debugger, 150);
            let found = debugger.find(Direction::Backward, &ran, debugger.position(), &NEVER).unwrap();
            assert_eq!(found.map(|found| found.position.cycle), Some(cycle));
        }
    }
}

/// The instruction of a cycle is recorded also if the cycle is run phase by phase.
#[test]
fn an_instruction_that_was_stepped_through_is_found() {
    let mut debugger = debugger(&Board::gray1(), counting());
    while debugger.position() < Position::start_of(200) {
        debugger.history_mut().phase().unwrap();
    }
    for cycle in (183..200).rev() {
        let ran = Trigger::Instructions(vec![(cycle % 17) as u16]);
        let found = debugger.find(Direction::Backward, &ran, Position::start_of(200), &NEVER).unwrap();
        assert_eq!(found.map(|found| found.position.cycle), Some(cycle));
        let found = debugger.find(Direction::Backward, &ran, Position::start_of(cycle), &NEVER).unwrap();
        assert_eq!(found.map(|found| found.position.cycle), Some(cycle - 17));
    }
}

/// A search in parts, whatever their position relative to the stretches, finds the same as a search in one go.
#[test]
fn a_search_in_parts_finds_the_same() {
    let seek = |debugger: &mut Debugger, target: &Trigger, direction, cycles| loop {
        match debugger.seek_within(direction, Some(target), cycles, &NEVER, &mut |_, _| ()).unwrap() {
            StopReason::Limit => {}
            reason => return (reason, debugger.position()),
        }
    };
    for cycles in [1, 7, 16, 40, 1_000] {
        for place in [0, 2, 5, 16, 30] {
            let mut debugger = debugger(&Board::gray1(), counting());
            go(&mut debugger, 150);
            let ran = Trigger::Instructions(vec![place]);
            for direction in [Direction::Backward, Direction::Forward, Direction::Backward] {
                let here = debugger.position();
                let end = Position::start_of(here.cycle + 400);
                let whole = match direction {
                    Direction::Forward if place > 16 => break,
                    _ => debugger.seek(direction, Some(&ran), end, &NEVER, &mut |_, _| ()).unwrap(),
                };
                let expected = (whole, debugger.position());
                debugger.history_mut().go(here, &NEVER).unwrap();
                assert_eq!(seek(&mut debugger, &ran, direction, cycles), expected, "{place} {cycles}");
            }
        }
    }
}

/// A board whose ADD is burned differently: the engine `isa` would give wrong results, so it must not be used.
fn another_board() -> Board {
    let mut board = Board::gray1();
    let table = board.netlist().chips.iter().find(|chip| chip.name == "ALUL").unwrap().holds;
    let gray1_machine::netlist::Holds::Table(table) = table else { panic!("ALUL is a ROM") };
    let cells = board.netlist().tables[table].clone();
    assert!(board.burn("ALUL", |address| cells[address as usize ^ 1]));
    board
}

#[test]
fn another_board_is_searched_by_its_chips() {
    let mut debugger = debugger(&another_board(), counting());
    let mut values = Vec::new();
    for cycle in 0..200 {
        go(&mut debugger, cycle);
        values.push(debugger.machine().ram(0));
    }
    assert_eq!(values.last(), Some(&10), "this board counts to 10");
    for value in 0..=255 {
        let expected = values.iter().rposition(|other| *other == value).map(|cycle| cycle as u64);
        assert_eq!(last(&mut debugger, &format!("ram[0] == {value}"), 199), expected, "{value}");
    }
}

/// A long way forwards, too, and whether the board was built so or was burned after the engine `isa` had run.
#[test]
fn another_board_is_run_by_its_chips() {
    let built = || debugger(&another_board(), counting());
    let burned = || {
        let mut debugger = debugger(&Board::gray1(), counting());
        go(&mut debugger, FAR);
        debugger.burn(Some(&"ALUL:*.R0=1".parse().unwrap()), &NEVER).unwrap();
        go(&mut debugger, 0);
        debugger
    };
    const FAR: u64 = 5_000;
    for make in [&built as &dyn Fn() -> Debugger, &burned] {
        let mut chips = make();
        chips.history_mut().set_scouted(false);
        go(&mut chips, FAR);
        let expected = chips.machine().snapshot();
        let mut gone = make();
        go(&mut gone, FAR);
        assert!(gone.machine().snapshot() == expected);
        let mut leapt = make();
        leapt.leap(FAR, &NEVER).unwrap();
        assert!(leapt.machine().snapshot() == expected);

        let byte = chips.machine().ram(0);
        let [ours, theirs] = [true, false].map(|is_scouted| {
            let mut debugger = make();
            debugger.history_mut().set_scouted(is_scouted);
            let target = Trigger::Condition(debugger.expression(&format!("ram[0] == {byte}")).unwrap());
            let end = Position::start_of(2 * FAR);
            let reason =
                debugger.seek(Direction::Forward, Some(&target), end, &NEVER, &mut |_, _| ()).unwrap();
            (reason, debugger.position())
        });
        assert_eq!(ours, theirs);
    }
}

/// Changing the past forgets what came after.
#[test]
fn a_change_forgets_what_came_after() {
    let mut debugger = debugger(&Board::gray1(), counting());
    let history = debugger.history_mut();
    history.go(Position::start_of(50), &NEVER).unwrap();
    assert_eq!(history.edit(Edit::A(1)).unwrap().to_string(), "changed at cycle 50");
    history.go(Position::start_of(60), &NEVER).unwrap();
    history.go(Position::start_of(0), &NEVER).unwrap();
    let fork = history.edit(Edit::Ram(0, 100)).unwrap();
    assert_eq!(fork.to_string(), "changed at cycle 0; forgotten: 60 later cycles");
    assert_eq!(history.end(), Position::start_of(0));
}

/// Changed cells take effect from the beginning of the run, together with the edits; `None` restores the original
/// board.
#[test]
fn a_burned_cell_counts_from_the_beginning() {
    let mut debugger = debugger(&Board::gray1(), counting());
    go(&mut debugger, 40);
    debugger.history_mut().edit(Edit::Ram(0, 0x40)).unwrap();
    go(&mut debugger, 100);
    let before = debugger.machine().snapshot();
    // The low half of a sum is one too large.
    debugger.burn(Some(&"ALUL:*.R0=1".parse().unwrap()), &NEVER).unwrap();
    assert_eq!(debugger.position().cycle, 100);
    assert_eq!(debugger.machine().ram(0) & 1, 1);
    assert_eq!(last(&mut debugger, "ram[0] == $40", 100), Some(53)); // which stores to it
    let faulty = debugger.machine().snapshot();
    assert!(debugger.burn(Some(&"RAML:0=1".parse().unwrap()), &NEVER).is_err());
    assert!(debugger.machine().snapshot() == faulty);
    debugger.burn(None, &NEVER).unwrap();
    assert!(debugger.machine().snapshot() == before);
    // If the clock does not move, the run ends where it begins.
    debugger.burn(Some(&"SEQ:*.PH2=0".parse().unwrap()), &NEVER).unwrap();
    assert!(debugger.history().is_halted());
}

/// A condition that an edit has made false is found, though it leaves no trace after the edit.
#[test]
fn what_an_edit_has_ended_is_found() {
    let lda = |byte| Word::constant(Opcode::Lda, byte);
    let sta = |address| Word::new(Opcode::Sta, false, address);
    let program = [lda(0), sta(0), lda(5), sta(0), lda(1), sta(1), Word::jump(Opcode::Jmp, 5)];
    for edited in 45..55 {
        let mut debugger = debugger(&Board::gray1(), program);
        go(&mut debugger, edited);
        debugger.history_mut().edit(Edit::Ram(0, 7)).unwrap();
        go(&mut debugger, 100);
        assert_eq!(last(&mut debugger, "ram[0] == 5", 100), Some(edited - 1));
    }
}
