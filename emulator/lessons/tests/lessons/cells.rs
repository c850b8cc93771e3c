//! Mutation test of the levels: each right answer, with one cell changed, must fail or be equivalent. A mutant is
//! equivalent if a second judge passes it (`naive`), if the chip is never at rest at the cell, or if the readers of the
//! chip ignore the change.

use crate::levels::{Answer, answers, levels};
use crate::naive::Naive;
use gray1_lessons::Exercise;
use gray1_machine::board::{Board, Change, Chip, Lines, text};
use gray1_proof::{CellReach, Prover};

/// Selects all mutants.
const ALL: usize = usize::MAX;
/// The first level of machines. Later levels are about chips of the Gray-1.
const MACHINES: usize = 15;

/// A mutant: a chip, a cell, and the flipped bits, which are one data line or all.
type WrongCell = (usize, usize, u8);

/// The number of mutants, and the results of the judged ones.
#[derive(Debug, Default)]
struct Count {
    cells: usize,
    fail: usize,
    /// The mutant is equivalent: passed by the second judge, or ignored by all readers.
    equal: usize,
    /// The cell is never looked up.
    never: usize,
    passed: usize,
}

/// Lists the right answers to a level.
fn right(level: &Exercise, number: usize) -> Vec<Answer> {
    answers(level, number).into_iter().filter(|answer| answer.wrong.is_none()).collect()
}

/// Lists the mutants of a board.
fn wrong_cells(board: &Board) -> Vec<WrongCell> {
    let mut all = Vec::new();
    for (id, chip) in board.netlist().chips.iter().enumerate() {
        let lines = chip.data.len();
        for cell in 0..board.netlist().table(id).map_or(0, <[u8]>::len) {
            all.extend((0..lines).map(|line| (id, cell, 1 << line)));
            all.extend((lines > 1).then_some((id, cell, ((1u16 << lines) - 1) as u8)));
        }
    }
    all
}

fn change(board: &Board, (chip, cell, bits): WrongCell) -> Change {
    let netlist = board.netlist();
    let new = netlist.table(chip).expect("a ROM")[cell] ^ bits;
    format!("{}:{cell}={new}", netlist.chips[chip].name).parse().expect("a change")
}

/// The text of a board with a wrong cell.
fn mutated(answer: &str, board: &Board, wrong: WrongCell) -> String {
    let mut mutant = board.clone();
    mutant.change(&change(board, wrong)).expect("a cell");
    let Chip::Rom { name, part, address, data, .. } = &mutant.chips[wrong.0] else { panic!("a ROM") };
    let [address, data] = [address, data].map(Lines::as_written);
    let cells = mutant.netlist().table(wrong.0).expect("a ROM");
    let chip = format!(
        "Rom(name: {name:?}, part: {part:?}, address: {address:?}, data: {data:?}, burn: Cells({cells:?}))"
    );
    let mut text = answer.to_owned();
    text.replace_range(text::chips(answer).expect("a list of chips")[wrong.0].clone(), &chip);
    text
}

/// Returns the reachability of each cell and, for a level about the Gray-1, the full board.
fn reach(
    level: &Exercise,
    number: usize,
    answer: &str,
    board: &Board,
) -> (Vec<Vec<CellReach>>, Option<Board>) {
    let Some(whole) = level.check(answer).whole else {
        let (is_right, reach) = Naive::new(board).machine(number);
        assert!(is_right, "level {number}: {answer}");
        return (reach, None);
    };
    let whole = Board::parse(&whole.board, "whole").expect("a board that passes");
    let reach = Prover::new(&whole).cells().expect("nobody stops it").expect("they can be derived");
    let cells = |name: &String| reach.iter().find(|reach| reach.chip == *name).expect("a ROM").cells.clone();
    (board.netlist().chips.iter().map(|chip| cells(&chip.name)).collect(), Some(whole))
}

/// Whether the flipped bits do not change the output of any chip on the full board.
fn is_ignored(whole: &Board, name: &str, cell: usize, bits: u8) -> bool {
    let netlist = whole.netlist();
    let (id, source) = netlist.chips.iter().enumerate().find(|(_, chip)| chip.name == name).expect("a chip");
    let given = netlist.table(id).expect("a ROM")[cell];
    let place = |nets: &[usize], net| nets.iter().position(|&other| other == net);
    let is_flipped = |&net: &usize| place(&source.data, net).is_some_and(|line| bits >> line & 1 == 1);
    let level = |net| {
        let data =
            place(&source.data, net).filter(|_| !is_flipped(&net)).map(|line| usize::from(given) >> line & 1);
        data.or(place(&source.reads, net).map(|line| cell >> line & 1))
    };
    let mut readers = netlist.chips.iter().enumerate().filter(|(_, chip)| chip.reads.iter().any(is_flipped));
    readers.all(|(id, chip)| {
        let lines = || chip.reads.iter().enumerate();
        let flipped = lines().filter(|(_, net)| is_flipped(net)).fold(0, |mask, (line, _)| mask | 1 << line);
        let is_seen = |address: &usize| {
            lines().all(|(line, &net)| level(net).is_none_or(|level| address >> line & 1 == level))
        };
        let table = netlist.table(id);
        table.is_some_and(|table| {
            (0..table.len()).filter(is_seen).all(|address| table[address] == table[address & !flipped])
        })
    })
}

/// Judges mutants of each right answer to a level: all, or a fixed sample.
fn judge_wrong_cells(number: usize, tries: usize) {
    let (level, mut count) = (&levels()[number - 1], Count::default());
    for Answer { board: answer, .. } in right(level, number) {
        let board = Board::parse_any(&answer, "right").expect("it passes");
        let reach = (number >= MACHINES).then(|| reach(level, number, &answer, &board));
        let all = wrong_cells(&board);
        count.cells += all.len();
        let random = |place: usize| (place as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20;
        let sample = (0..all.len().min(tries))
            .map(|place| all[if tries == ALL { place } else { random(place) as usize % all.len() }]);
        for wrong in sample {
            let change = change(&board, wrong);
            let verdict = level.check(&mutated(&answer, &board, wrong));
            if !verdict.passed && number >= MACHINES {
                count.fail += 1;
                continue;
            }
            let mut mutant = board.clone();
            mutant.change(&change).expect("a cell");
            let Some((reach, whole)) = &reach else {
                let passes = Naive::new(&mutant).passes(number);
                assert_eq!(verdict.passed, passes, "level {number}, {change:?}: {}", verdict.text);
                *(if passes { &mut count.equal } else { &mut count.fail }) += 1;
                continue;
            };
            let (chip, cell, bits) = wrong;
            match (reach[chip][cell], whole) {
                (CellReach::Never, _) => count.never += 1,
                (CellReach::Passed, Some(_)) => count.passed += 1,
                (_, None) if Naive::new(&mutant).machine(number).0 => count.equal += 1,
                (_, Some(whole)) if is_ignored(whole, &board.netlist().chips[chip].name, cell, bits) => {
                    count.equal += 1;
                }
                _ => panic!("level {number}, {change:?}: {}", verdict.text),
            }
        }
    }
    println!("level {number}: {count:?}");
    assert!(count.fail > 4);
}

#[test]
fn wrong_cells_fail_or_are_equivalent() {
    (1..=10).chain([14]).for_each(|number| judge_wrong_cells(number, ALL));
    (11..=13).for_each(|number| judge_wrong_cells(number, 24));
}

#[test]
#[ignore = "takes minutes"]
fn more_wrong_cells_of_small_levels() {
    for (number, tries) in [(11, ALL), (13, ALL), (12, 500)] {
        judge_wrong_cells(number, tries);
    }
}

#[test]
#[ignore = "takes minutes"]
fn wrong_cells_of_machines() {
    for (number, tries) in [(15, 100), (16, 40)] {
        judge_wrong_cells(number, tries);
    }
}

#[test]
#[ignore = "takes minutes"]
fn wrong_cells_on_the_gray1() {
    for (number, tries) in [(17, ALL), (18, 30), (19, 60), (20, 15)] {
        judge_wrong_cells(number, tries);
    }
}
