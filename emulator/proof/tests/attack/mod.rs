//! Boards with random changes, attacked by a simulation with random delays: none that goes wrong in the simulation may be
//! proved. The simulation reads the netlist and the tables, and shares nothing with the proof or the engines.
//!
//! ```text
//!   change     random changes of a board; boards: boards made by hand; plan: a board that is easy to change
//!   simulator  a board with random delays; program: random programs, and an interpreter that says what they should do
//!   judge      runs both side by side, while the button, pads and keys move
//! ```
//!
//! `BOARDS=2000 cargo test --release -p gray1-proof --test it attack -- --ignored --nocapture` tries more boards, from the
//! one that `FROM` names; `SAVE` names a folder for those that were found.

mod boards;
mod change;
mod draw;
mod judge;
mod plan;
mod program;
mod simulator;

use change::{Kind, change};
use draw::Draw;
use gray1_machine::board::Board;
use gray1_proof::{Claim, Prover, Verdict};
use judge::{Mode, run};
use plan::Plan;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{env, fs, thread};

/// The boards that are tried each time.
const SAMPLE: u64 = 24;
const CYCLES: usize = 80;

/// The first mode in which a board goes wrong in the simulation, and how.
fn attack(board: &Board, number: u64, runs: u64) -> Option<(Mode, String)> {
    let netlist = board.netlist();
    [Mode::Plain, Mode::Keys, Mode::Press].into_iter().find_map(|mode| {
        (0..runs).find_map(|seed| Some((mode, run(netlist, [number, seed], mode, CYCLES).err()?)))
    })
}

/// The verdict about all claims, and the claims that are not proved. If there is one, those after it may be left out.
fn prove(board: &Board, one_is_enough: bool) -> (Verdict, Vec<Claim>) {
    let (prover, mut verdict, mut not) = (Prover::new(board), Verdict::Proved, vec![]);
    for claim in [Claim::Strobes, Claim::Loops, Claim::Reset, Claim::Order, Claim::Instructions] {
        let report = prover.prove(claim).expect("it is not stopped");
        verdict = verdict.max(report.verdict);
        not.extend((report.verdict != Verdict::Proved).then_some(claim));
        if verdict == Verdict::Refuted || one_is_enough && verdict != Verdict::Proved {
            break;
        }
    }
    (verdict, not)
}

/// A random board: the kind of its change, the change in words, and the board.
fn random_board(number: u64) -> (Kind, String, Plan, Board) {
    let mut draw = Draw::of(&[number]);
    loop {
        let kind = *draw.of_these(&Kind::ALL);
        let mut plan = Plan::gray1();
        let Some(mut what) = change(&mut plan, kind, &mut draw) else { continue };
        if draw.percent(10) {
            let more = *draw.of_these(&Kind::ALL);
            let Some(also) = change(&mut plan, more, &mut draw) else { continue };
            what = format!("{what}; {also}");
        }
        if let Some(board) = plan.board() {
            return (kind, what, plan, board);
        }
    }
}

/// Tries one board: its kind, the verdict, whether it went wrong, and whether it was proved although it did.
fn try_one(number: u64) -> (Kind, Verdict, bool, Option<String>) {
    let (kind, what, plan, board) = random_board(number);
    let mut wrong = attack(&board, number, 12);
    let (verdict, not) = prove(&board, wrong.is_some());
    if wrong.is_none() && verdict == Verdict::Proved {
        wrong = attack(&board, !number, 60);
    }
    let is_found = wrong.is_some() && verdict == Verdict::Proved;
    let row = format!("{number}\t{kind:?}\t{verdict:?}\t{}\t{not:?}\t{what}", wrong.is_some());
    println!("{row}\t{wrong:?}");
    if let Ok(folder) = env::var("SAVE")
        && (is_found || wrong.is_none() && verdict != Verdict::Proved)
    {
        fs::write(format!("{folder}/attack-{number}.ron"), plan.source()).expect("there is room");
    }
    (kind, verdict, wrong.is_some(), is_found.then_some(row))
}

#[test]
fn the_true_boards_do_what_they_should() {
    for board in [Board::gray1(), Board::built(), Plan::gray1().board().expect("it can be built")] {
        assert_eq!(attack(&board, 0, 12), None, "{}", board.name);
    }
}

#[test]
#[ignore = "takes minutes"]
fn no_board_that_goes_wrong_is_proved() {
    let number = |name: &str| env::var(name).ok().map(|text| text.parse().expect("a number"));
    let (from, boards) = (number("FROM").unwrap_or(0), number("BOARDS").unwrap_or(SAMPLE));
    let next = AtomicU64::new(from);
    let (found, counts) = (Mutex::new(vec![]), Mutex::new(BTreeMap::<_, [usize; 6]>::new()));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= from + boards {
                        break;
                    }
                    let (kind, verdict, wrong, row) = try_one(number);
                    found.lock().expect("no panic").extend(row);
                    let column = 2 * verdict as usize + usize::from(wrong);
                    counts.lock().expect("no panic").entry(kind).or_default()[column] += 1;
                }
            });
        }
    });
    println!("\nkind: proved, proved and wrong; undecided, undecided and wrong; refuted, refuted and wrong");
    for (kind, counts) in counts.into_inner().expect("no panic") {
        println!("{kind:?}: {counts:?}");
    }
    let found = found.into_inner().expect("no panic");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn boards_made_by_hand_go_wrong_and_are_not_proved() {
    for boards::Made { what, mode, plan } in boards::made() {
        let board = plan.board().expect("it can be built");
        let runs = |seed| run(board.netlist(), [seed, 1], mode, CYCLES).err();
        assert!((0..400).find_map(runs).is_some(), "{what}: nothing was seen");
        let (verdict, _) = prove(&board, true);
        assert_ne!(verdict, Verdict::Proved, "{what}");
    }
}
