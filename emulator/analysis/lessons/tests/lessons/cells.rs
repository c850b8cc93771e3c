//! Every wrong cell: each right answer of a level, with one bit of one cell flipped, fails or is shown to be equal.

use crate::levels::{Answer, answers, levels};
use crate::naive::{Naive, wrong_beats};
use gray1_lessons::Exercise;
use gray1_machine::board::Board;
use gray1_proof::{CellReach, Prover};

/// How many wrong cells were tried, and how many of them passed.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    tried: usize,
    equal: usize,
}

/// The right answers to a level.
fn right(level: &Exercise, number: usize) -> Vec<Answer> {
    answers(level, number).into_iter().filter(|answer| answer.wrong.is_none()).collect()
}

/// The chip, the cell and the bits of each wrong cell: one data line, or all of them.
fn wrong_cells(board: &Board) -> Vec<(usize, usize, u8)> {
    let mut all = Vec::new();
    for (id, chip) in board.netlist().chips.iter().enumerate() {
        let lines = chip.data.len();
        let cells = board.netlist().table(id).map_or(0, <[u8]>::len);
        for cell in 0..cells {
            all.extend((0..lines).map(|line| (id, cell, 1 << line)));
            all.extend((lines > 1).then_some((id, cell, ((1u16 << lines) - 1) as u8)));
        }
    }
    all
}

/// The board with a wrong cell, as an attempt.
fn spoiled(answer: &str, board: &Board, (wrong, cell, bits): (usize, usize, u8)) -> String {
    let netlist = board.netlist();
    let (before, rest) = answer.split_once("    chips: [\n").expect("chips");
    let (_, after) = rest.split_once("\n    ],\n").expect("the end of the chips");
    let names =
        |nets: &[usize]| nets.iter().map(|&net| &*netlist.nets[net].name).collect::<Vec<_>>().join(" ");
    let mut chips = String::new();
    for (id, chip) in netlist.chips.iter().enumerate() {
        let mut cells = netlist.table(id).expect("a ROM").to_vec();
        if id == wrong {
            cells[cell] ^= bits;
        }
        let (name, part, address, data) = (&chip.name, &chip.part, names(&chip.reads), names(&chip.data));
        chips += &format!(
            "Rom(name: {name:?}, part: {part:?}, address: {address:?}, data: {data:?}, burn: Cells({cells:?})),\n"
        );
    }
    let text = format!("{before}    chips: [\n{chips}\n    ],\n{after}");
    assert!(text.len() < 100_000, "a longer attempt is refused unread");
    text
}

/// Judges every wrong cell of the answers to these levels by both judges, each `step`th of them.
fn both_judges_agree(numbers: &[usize], step: usize) {
    let levels = levels();
    for &number in numbers {
        let (level, mut count) = (&levels[number - 1], Count::default());
        for answer in right(level, number) {
            let board = Board::parse_any(&answer.board, "right").expect("it passes");
            assert!(Naive::new(&board).passes(number), "level {number}: {}", answer.board);
            for wrong in wrong_cells(&board).into_iter().step_by(step) {
                let text = spoiled(&answer.board, &board, wrong);
                let verdict = level.check(&text);
                let mutant = Board::parse_any(&text, "wrong").expect("cells that fit");
                let passes = Naive::new(&mutant).passes(number);
                assert_eq!(verdict.passed, passes, "level {number}, {wrong:?}: {}\n{text}", verdict.text);
                count.tried += 1;
                count.equal += usize::from(passes);
            }
        }
        println!("level {number}: {count:?}");
        assert!(count.tried > 4 && count.equal < count.tried);
    }
}

#[test]
fn a_wrong_cell_fails_at_small_levels_or_a_second_judge_passes_it() {
    both_judges_agree(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14], 1);
    both_judges_agree(&[11, 13], 97);
}

#[test]
#[ignore = "takes some minutes"]
fn every_wrong_cell_of_the_other_small_levels() {
    both_judges_agree(&[11, 13], 1);
    both_judges_agree(&[12], 29);
}

/// Judges every `step`th wrong cell of the machine of level 15. Those that pass are run, too. (The cells of level 16 are too
/// many for the text of an attempt.)
fn machines(step: usize) {
    let levels = levels();
    {
        let number = 15;
        let (level, mut count) = (&levels[number - 1], Count::default());
        for (place, answer) in right(level, number).iter().enumerate() {
            let board = Board::parse_any(&answer.board, "right").expect("it passes");
            assert_eq!(wrong_beats(&Naive::new(&board), number, 5_000), 0, "{}", answer.board);
            for wrong in wrong_cells(&board).into_iter().skip(7 * place).step_by(step) {
                let text = spoiled(&answer.board, &board, wrong);
                let verdict = level.check(&text);
                count.tried += 1;
                if verdict.passed {
                    let mutant = Board::parse_any(&text, "wrong").expect("cells that fit");
                    let beats = wrong_beats(&Naive::new(&mutant), number, 5_000);
                    assert_eq!(beats, 0, "level {number}, {wrong:?}: {}", verdict.text);
                    count.equal += 1;
                }
            }
        }
        println!("level {number}: {count:?}");
        assert!(count.tried > 10 && count.equal < count.tried);
    }
}

#[test]
#[ignore = "takes some time"]
fn a_wrong_cell_of_a_machine_fails_or_does_no_harm_when_it_runs() {
    machines(301);
}

#[test]
#[ignore = "takes some minutes"]
fn more_wrong_cells_of_the_machines() {
    machines(11);
}

/// Judges some wrong cells of the first answer to a level on the Gray-1. Those that pass are not looked up.
fn on_the_gray1(number: usize, tries: usize) {
    let levels = levels();
    let (level, mut count) = (&levels[number - 1], Count::default());
    let answer = &right(level, number)[0].board;
    let board = Board::parse_any(answer, "right").expect("it passes");
    let whole = level.check(answer).whole.expect("a board that passes").board;
    let whole = Board::parse(&whole, "whole").expect("a board that passes");
    let reach = Prover::new(&whole).cells().expect("nobody stops it").expect("they can be derived");
    let all = wrong_cells(&board);
    for wrong in all.iter().skip(all.len() / tries / 2).step_by(all.len().div_ceil(tries)) {
        let text = spoiled(answer, &board, *wrong);
        let verdict = level.check(&text);
        count.tried += 1;
        if verdict.passed {
            let name = &board.netlist().chips[wrong.0].name;
            let cells = &reach.iter().find(|reach| reach.chip == *name).expect("a ROM").cells;
            assert!(cells[wrong.1] != CellReach::Rest, "level {number}, {wrong:?}: {}", verdict.text);
            count.equal += 1;
        }
    }
    println!("level {number}: {count:?}");
    assert!(count.equal < count.tried);
}

#[test]
#[ignore = "takes some time"]
fn a_wrong_cell_fails_on_the_gray1_or_is_equal() {
    on_the_gray1(17, 9);
}

#[test]
#[ignore = "takes some minutes"]
fn more_wrong_cells_on_the_gray1() {
    for (number, tries) in [(17, 96), (19, 40)] {
        on_the_gray1(number, tries);
    }
}
