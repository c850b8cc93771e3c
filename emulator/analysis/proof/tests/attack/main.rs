//! Boards with random changes, attacked by a simulation that shares nothing with the proof: none that goes wrong in the
//! simulation may be proved.

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

/// What the simulation has seen of a board: the first mode in which it goes wrong, and how.
fn attack(board: &Board, number: u64, runs: u64) -> Option<(Mode, String)> {
    let netlist = board.netlist();
    [Mode::Plain, Mode::Keys, Mode::Press].into_iter().find_map(|mode| {
        (0..runs).find_map(|seed| Some((mode, run(netlist, [number, seed], mode, 80).err()?)))
    })
}

/// The verdict about all claims: the claims that are not proved, if any. Stops at the first that is refuted.
fn prove(board: &Board) -> (Verdict, Vec<Claim>) {
    let (mut verdict, mut not) = (Verdict::Proved, vec![]);
    for claim in [Claim::Strobes, Claim::Loops, Claim::Reset, Claim::Order, Claim::Instructions] {
        let report = Prover::new(board).prove(claim).expect("nobody stops it");
        if report.verdict != Verdict::Proved {
            not.push(claim);
        }
        if report.verdict == Verdict::Refuted {
            return (Verdict::Refuted, not);
        }
        verdict = verdict.max(report.verdict);
    }
    (verdict, not)
}

/// A random board: its kind, what is changed, and the board.
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

#[test]
fn the_true_boards_do_what_they_should() {
    for board in [Board::gray1(), Board::built(), Plan::gray1().board().expect("it can be built")] {
        assert_eq!(attack(&board, 0, 100), None, "{}", board.name);
    }
}

#[test]
#[ignore = "takes hours"]
fn many() {
    let from: u64 = std::env::var("FROM").map_or(0, |text| text.parse().unwrap());
    let to: u64 = std::env::var("TO").map_or(60, |text| text.parse().unwrap());
    let mut counts: BTreeMap<(Kind, String), usize> = BTreeMap::new();
    for number in from..to {
        let started = std::time::Instant::now();
        let (kind, what, plan, board) = random_board(number);
        if std::env::var("SAVE").is_ok() { std::fs::write(format!("/tmp/attack-{number}.ron"), plan.source()).unwrap(); }
        let mut wrong = attack(&board, number, 20);
        let simulated = started.elapsed();
        let (verdict, not) = prove(&board);
        let proved = started.elapsed() - simulated;
        if wrong.is_none() && verdict == Verdict::Proved {
            wrong = attack(&board, number + 1_000_000, 200);
        }
        let faulty = if wrong.is_some() { "faulty" } else { "right" };
        *counts.entry((kind, format!("{verdict:?} {faulty}"))).or_default() += 1;
        println!("{number}\t{kind:?}\t{verdict:?}\t{faulty}\t{not:?}\t{what}\t{wrong:?}\t{simulated:.1?}\t{proved:.1?}");
    }
    println!("{counts:#?}");
}
